import type { PendingQuery, Row as PostgresRow, Sql } from 'postgres'
import { addDays } from '../modules/dates.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import { type PageOfRows, paginateRows, type TimeAndId } from '../modules/pagination.ts'
import type { PaymentViewer } from '../modules/payments/charged-card-visibility.ts'
import type { InstructorPayment as Shown } from '../modules/payments/contract.ts'
import type { PaymentEvent } from '../modules/payments/payment.ts'
import { type PaymentRowWithNames, presentPayment } from '../modules/payments/payment-presenter.ts'
import { combinedDisputeState, type DisputeStates } from '../modules/payments/refund-and-dispute-state.ts'
import { folders } from './folders.ts'
import { olderThanKeySql } from './older-than-key-sql.ts'

/** Page size of settled payments; screens load more on request. */
const SETTLED_PAYMENTS_PER_PAGE = 25

const disputed = <R extends { disputes: unknown }>(row: R, dispute: string, state: 'open' | 'won' | 'lost') => {
  const disputes = { ...(row.disputes as DisputeStates), [dispute]: state }
  return { ...row, disputes, dispute: combinedDisputeState(disputes) }
}
const decided = (refunding: unknown, refund: string) => (refunding as string[]).filter(r => r !== refund)

type CardsByAttempt = Record<string, { card: object; card_owner: string }>

/** Money that is due, paid and transferred: one row per payment, from the moment its bill exists. */
export const payments = projection<PaymentEvent>()({
  name: 'payments',
  version: 8,
  row: {
    payment: 'uuid',
    folder: 'uuid',
    player: 'uuid',
    instructor: 'uuid',
    /** The player, or the guardian of a minor. */
    payer: 'uuid',
    status: 'text',
    items: 'jsonb',
    total: 'int',
    share: 'int',
    tip: 'int',
    /** The amount charged to the card, in cents; 0 before the charge. */
    charged: 'int',
    refunded: 'int',
    /** Refunds whose outcome is still unknown. */
    refunding: 'jsonb',
    disputes: 'jsonb',
    /** The combined state of all disputes. */
    dispute: 'text?',
    /** The card that was charged, or that of the last attempt if none was: `id`, `brand`, `last4`. */
    card: 'jsonb?',
    /** Whose card this is: the payer's, or that of somebody else who paid or tried to pay. */
    card_owner: 'text?',
    /** `card` and `card_owner` of each attempt by its id, because an earlier attempt than the last may turn out to have been paid. */
    cards_by_attempt: 'jsonb',
    failure: 'text?',
    opened: 'timestamptz',
    due: 'timestamptz',
    paid: 'timestamptz?',
    transferred: 'timestamptz?',
    /** Parts of the share, in cents. `netted`: withheld to pay the instructor's debt. `owed`: transferred, and could not be reversed. */
    netted: 'int',
    owed: 'int',
  },
  index: ['player, opened desc', 'instructor, opened desc', 'payer, opened desc', 'folder', 'right(payment::text, 8)'],
  key: e => (e.type === 'PaymentAgreed' ? [] : idOfStream(e.stream)),
  on: {
    PaymentOpened: (row, { stream, data: { folder, player, instructor, payer, items, total, share, opened, due } }) =>
      createRowOrThrow(row, {
        payment: idOfStream(stream),
        ...{ folder, player, instructor, items, total, share, opened, due },
        payer: payer ?? player,
        status: 'due',
        tip: 0,
        charged: 0,
        refunded: 0,
        refunding: [],
        disputes: {},
        dispute: null,
        card: null,
        card_owner: null,
        cards_by_attempt: {},
        failure: null,
        paid: null,
        transferred: null,
        netted: 0,
        owed: 0,
      }),
    PaymentAttempted: (row, { meta, data: { attempt, card, tip } }) => {
      if (!row) return row
      const { id, brand, last4 } = card
      const used = { card: { id, brand, last4 }, card_owner: meta.actor === 'system' ? row.payer : meta.actor }
      const cards_by_attempt = { ...(row.cards_by_attempt as CardsByAttempt), [attempt]: used }
      return { ...row, ...used, status: 'processing', tip, failure: null, cards_by_attempt }
    },
    PaymentFailed: (row, { data }) => row && { ...row, status: 'failed', tip: 0, failure: data.reason },
    PaymentSucceeded: (row, { data: { attempt, at, tip, amount } }) =>
      row && {
        ...row,
        ...(row.cards_by_attempt as CardsByAttempt)[attempt],
        status: 'paid',
        failure: null,
        paid: at,
        tip,
        charged: amount,
      },
    TransferMade: (row, { data }) => row && { ...row, transferred: data.at, netted: data.netted ?? 0 },
    TransferReversed: row => row && { ...row, transferred: null, netted: 0 },
    TransferOwed: (row, { data }) => row && { ...row, transferred: null, netted: 0, owed: row.owed + data.amount },
    RefundAsked: (row, { data }) =>
      row && { ...row, refunded: row.refunded + data.amount, refunding: [...decided(row.refunding, data.refund), data.refund] },
    PaymentRefunded: (row, { data }) => row && { ...row, refunding: decided(row.refunding, data.refund) },
    RefundFailed: (row, { data }) =>
      row && { ...row, refunded: row.refunded - data.amount, refunding: decided(row.refunding, data.refund) },
    ChargebackOpened: (row, { data }) => row && disputed(row, data.dispute, 'open'),
    ChargebackClosed: (row, { data }) => row && disputed(row, data.dispute, data.outcome),
  },
})

/** Payments, newest first, in the form that the viewer sees. */
async function paymentsWhere(
  sql: Sql,
  condition: PendingQuery<PostgresRow[]>,
  viewer: PaymentViewer,
  now: Date,
  most?: number,
): Promise<Shown[]> {
  const rows = await sql<PaymentRowWithNames[]>`
    select p.*, f.name as "folderName", a.first_name || ' ' || a.last_name as "playerName", b.first_name || ' ' || b.last_name as "instructorName"
    from (
      -- Names are looked up for the payments that are listed, not for all.
      select * from ${sql(tableOf(payments))} p where ${condition} order by p.opened desc, p.payment ${most === undefined ? sql`` : sql`limit ${most}`}
    ) p left join ${sql(tableOf(folders))} f on f.folder = p.folder left join users a on a.id = p.player left join users b on b.id = p.instructor
    order by p.opened desc, p.payment`
  return rows.map(row => presentPayment(row, viewer, now))
}

/** One payment, whoever pays it; undefined if there is no bill. */
export const paymentOf = async (sql: Sql, payment: string, viewer: PaymentViewer, now: Date) =>
  (await paymentsWhere(sql, sql`p.payment = ${payment}`, viewer, now))[0]
/** A player's payments, as the player sees them. */
export const paymentsOfPlayer = (sql: Sql, player: string, now: Date) =>
  paymentsWhere(sql, sql`p.player = ${player}`, { person: player }, now)

/** Whose payments a list shows: an instructor's, a player's, or those that a guardian pays and those for these players. */
type PaymentOwner = { instructor: string } | { player: string } | { payer: string; players: string[] }
/** `open`: the bill is not paid yet. `settled`: it is paid. */
type PaymentKind = 'any' | 'open' | 'settled'
const paymentViewerOf = (whose: PaymentOwner): PaymentViewer => ({
  person: 'payer' in whose ? whose.payer : 'player' in whose ? whose.player : whose.instructor,
})
interface WhichPayments {
  whose: PaymentOwner
  kind: PaymentKind
}

function isListed(sql: Sql, { whose, kind }: WhichPayments) {
  const isOwned =
    'payer' in whose
      ? sql`(p.payer = ${whose.payer} or p.player = any(${whose.players}::uuid[]))`
      : 'player' in whose
        ? sql`p.player = ${whose.player}`
        : sql`p.instructor = ${whose.instructor}`
  if (kind === 'any') return isOwned
  return sql`${isOwned} and (p.status <> 'paid') = ${kind === 'open'}`
}

/** A page of these payments, newest first: those older than `before`, or the newest. */
export async function pageOfPaymentsOfOwner(
  sql: Sql,
  which: WhichPayments,
  now: Date,
  { before, limit }: { before?: TimeAndId | undefined; limit: number },
): Promise<PageOfRows<Shown>> {
  const older = before ? sql`and ${olderThanKeySql(sql, sql`p.opened`, sql`p.payment`, before)}` : sql``
  const paymentRows = await paymentsWhere(sql, sql`${isListed(sql, which)} ${older}`, paymentViewerOf(which.whose), now, limit + 1)
  return paginateRows(paymentRows, limit, p => [p.opened, p.id] satisfies TimeAndId)
}

/** One payment of this owner; undefined if it is somebody else's. */
export const paymentOfOwner = async (sql: Sql, payment: string, whose: PaymentOwner, now: Date) =>
  (await paymentsWhere(sql, sql`p.payment = ${payment} and ${isListed(sql, { whose, kind: 'any' })}`, paymentViewerOf(whose), now))[0]

export async function countPayments(sql: Sql, which: WhichPayments): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${sql(tableOf(payments))} p where ${isListed(sql, which)}`
  return row!.count
}

/** A page of a payer's settled payments, with the number of settled payments on all pages. */
export async function pageOfSettledPaymentsOfPayer(sql: Sql, whose: PaymentOwner, now: Date, before?: TimeAndId) {
  const settledPayments = { whose, kind: 'settled' } as const
  const [{ rows, next }, total] = await Promise.all([
    pageOfPaymentsOfOwner(sql, settledPayments, now, { before, limit: SETTLED_PAYMENTS_PER_PAGE }),
    countPayments(sql, settledPayments),
  ])
  return { payments: rows, next, total }
}

/** A payer's open bills, newest first. */
export const openPayments = (sql: Sql, whose: PaymentOwner, now: Date) =>
  paymentsWhere(sql, isListed(sql, { whose, kind: 'open' }), paymentViewerOf(whose), now)

/** The payments that a payer's screen shows initially: all open bills and the first page of settled payments, newest first. */
export async function openAndLatestPaymentsOfPayer(sql: Sql, whose: PaymentOwner, now: Date) {
  const [open, { payments: latest, ...settled }] = await Promise.all([
    openPayments(sql, whose, now),
    pageOfSettledPaymentsOfPayer(sql, whose, now),
  ])
  return { payments: [...open, ...latest].sort((a, b) => b.opened.localeCompare(a.opened)), settled }
}

/** SQL: whether a full refund or a lost dispute has left no share, as in `currentShareCentsOf` of `modules/payments/payment.ts`. */
export const isShareTakenBackSql = (sql: Sql) => sql`(charged > 0 and refunded >= charged or dispute = 'lost')`

/**
 * The sums of an instructor's shares and tips, in cents: of unpaid bills, of paid ones (`earned`), and of the paid ones whose share was
 * transferred.
 */
export async function instructorEarningsTotals(
  sql: Sql,
  instructor: string,
): Promise<{ unpaid: number; earned: number; transferred: number }> {
  const [row] = await sql<{ unpaid: number; earned: number; transferred: number }[]>`
    select coalesce(sum(cents) filter (where paid is null), 0)::int as unpaid, coalesce(sum(cents) filter (where paid is not null), 0)::int as earned,
      coalesce(sum(cents) filter (where paid is not null and transferred is not null), 0)::int as transferred
    from (
      select case when ${isShareTakenBackSql(sql)} then 0 else share + tip end as cents, paid, transferred
      from ${sql(tableOf(payments))} where instructor = ${instructor}
    ) p`
  return row!
}

/** An instructor's payments, newest first; with `most`, at most that many. */
export const paymentsOfInstructor = (sql: Sql, instructor: string, viewer: PaymentViewer, now: Date, most?: number) =>
  paymentsWhere(sql, sql`p.instructor = ${instructor}`, viewer, now, most)

/** Payments as an administrator sees them: those that this guardian pays, and those for these players. */
export const paymentsOfFamilyForAdmin = (sql: Sql, guardian: string, players: string[], now: Date, most?: number) =>
  paymentsWhere(sql, sql`(p.payer = ${guardian} or p.player = any(${players}::uuid[]))`, 'administrator', now, most)

/**
 * What to search payments by. `range`: the lowest and highest payment id to match. `idEnd`: the last 8 characters of a payment id, as
 * receipt numbers show them. `people` and `folders`: ids.
 */
interface PaymentSearchKeys {
  range: [first: string, last: string] | null
  idEnd: string | null
  people: string[]
  folders: string[]
}

/** Payments that match any of these keys, newest first, for an administrator. */
export async function findPaymentsBySearchKeys(sql: Sql, keys: PaymentSearchKeys, most: number, now: Date): Promise<Shown[]> {
  const { range, idEnd, people, folders } = keys
  const matchingPayments = await sql<{ payment: string }[]>`
    select payment from ${sql(tableOf(payments))}
    where player = any(${people}::uuid[]) or payer = any(${people}::uuid[]) or instructor = any(${people}::uuid[])
      or folder = any(${folders}::uuid[])
      or ${idEnd ? sql`right(payment::text, 8) = ${idEnd}` : sql`false`}
      or ${range ? sql`payment between ${range[0]}::uuid and ${range[1]}::uuid` : sql`false`}
    order by opened desc, payment limit ${most}`
  return paymentsWhere(sql, sql`p.payment = any(${matchingPayments.map(row => row.payment)}::uuid[])`, 'administrator', now)
}

/**
 * Payments that the server should try to resume: a charge or refund is still undecided, or a day after payment the instructor has not
 * received the share (or, after a full refund or a lost dispute, has not returned it).
 */
export async function stuckPaymentIds(sql: Sql, now: Date): Promise<string[]> {
  const rows = await sql<{ payment: string }[]>`
    select payment from ${sql(tableOf(payments))}
    where status = 'processing' or jsonb_array_length(refunding) > 0
      or (paid < ${addDays(now, -1)} and dispute is distinct from 'open'
        and (transferred is null) = (refunded < charged and dispute is distinct from 'lost'))`
  return rows.map(r => r.payment)
}
