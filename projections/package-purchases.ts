import type { PendingQuery, Row as PostgresRow, Sql } from 'postgres'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import { paginateRows, type TimeAndId } from '../modules/pagination.ts'
import { maySeeCard, type PaymentViewer } from '../modules/payments/charged-card-visibility.ts'
import type { Purchase } from '../modules/payments/contract.ts'
import type { PurchaseEvent } from '../modules/payments/package-purchase.ts'
import { PACKAGES, type PackageType } from '../modules/payments/policy.ts'
import { receiptNumber } from '../modules/payments/receipt-number.ts'
import { combinedDisputeState, type DisputeStates } from '../modules/payments/refund-and-dispute-state.ts'
import { olderThanKeySql } from './older-than-key-sql.ts'
import { isShareTakenBackSql, payments } from './payments.ts'

/** Page size of purchases; screens load more on request. */
const PURCHASES_PER_PAGE = 25

/** Purchased packages and their refunds: one row per purchase. */
export const purchases = projection<PurchaseEvent>()({
  name: 'purchases',
  version: 3,
  row: {
    purchase: 'uuid',
    player: 'uuid',
    /** The player, or the guardian of a minor. */
    payer: 'uuid',
    package: 'text',
    folders: 'int',
    amount: 'int',
    card: 'jsonb?',
    bought: 'timestamptz',
    /** Cents by refund id; 0 if the refund failed. */
    refunds: 'jsonb',
    disputes: 'jsonb',
  },
  index: ['player, bought desc', 'payer, bought desc'],
  key: e => idOfStream(e.stream),
  on: {
    PackageBought: (row, { stream, at, data }) =>
      createRowOrThrow(row, {
        purchase: idOfStream(stream),
        player: data.player,
        payer: data.payer ?? data.player,
        package: data.package,
        folders: data.folders,
        amount: data.amount,
        card: data.card ?? null,
        bought: at,
        refunds: {},
        disputes: {},
      }),
    PackageRefundAsked: (row, { data }) => row && { ...row, refunds: { ...(row.refunds as object), [data.refund]: data.amount } },
    PackageRefunded: (row, { data }) => row && { ...row, refunds: { ...(row.refunds as object), [data.refund]: data.amount } },
    PackageRefundFailed: (row, { data }) => row && { ...row, refunds: { ...(row.refunds as object), [data.refund]: 0 } },
    PackageDisputed: (row, { data }) => row && { ...row, disputes: { ...(row.disputes as object), [data.dispute]: 'open' } },
    PackageDisputeClosed: (row, { data }) => row && { ...row, disputes: { ...(row.disputes as object), [data.dispute]: data.outcome } },
  },
})

interface PurchaseRow {
  purchase: string
  player: string
  playerName: string | null
  payer: string
  package: PackageType
  folders: number
  amount: number
  card: { brand: string; last4: string } | null
  bought: string
  refunds: Record<string, number>
  disputes: DisputeStates
}

function toPurchase(row: PurchaseRow, viewer: PaymentViewer): Purchase {
  const { purchase: id, package: type, playerName, payer, amount: cents, card, refunds, disputes, ...rest } = row
  const refunded = Object.values(refunds).reduce((all, part) => all + part, 0)
  const dispute = combinedDisputeState(disputes)
  const status = dispute === 'open' || dispute === 'lost' ? 'disputed' : refunded >= cents ? 'refunded' : 'paid'
  const { label } = PACKAGES[type]
  return {
    ...rest,
    id,
    label,
    playerName: playerName ?? 'A former player',
    cents,
    card: maySeeCard(viewer, payer) ? card : null,
    refunded,
    status,
    isDisputeLost: dispute === 'lost',
    receipt: receiptNumber(id, rest.bought),
  }
}

/** Whose purchases a list shows: a player's, or what a guardian bought and what was bought for these players. */
type PurchaseOwner = { player: string } | { payer: string; players: string[] }

const isListed = (sql: Sql, whose: PurchaseOwner) =>
  'payer' in whose ? sql`(p.payer = ${whose.payer} or p.player = any(${whose.players}::uuid[]))` : sql`p.player = ${whose.player}`

/** The viewer of a list is the owner of the purchases in it. */
const paymentViewerOf = (whose: PurchaseOwner): PaymentViewer => ({ person: 'payer' in whose ? whose.payer : whose.player })

async function purchasesWhere(
  sql: Sql,
  condition: PendingQuery<PostgresRow[]>,
  viewer: PaymentViewer,
  limit?: number,
): Promise<Purchase[]> {
  const rows = await sql<PurchaseRow[]>`
    select p.*, u.first_name || ' ' || u.last_name as "playerName" from ${sql(tableOf(purchases))} p left join users u on u.id = p.player
    where ${condition} order by p.bought desc, p.purchase ${limit === undefined ? sql`` : sql`limit ${limit}`}`
  return rows.map(row => toPurchase(row, viewer))
}
/** One purchase, whoever made it; undefined if there is none. */
export const purchaseOf = async (sql: Sql, purchase: string, viewer: PaymentViewer) =>
  (await purchasesWhere(sql, sql`p.purchase = ${purchase}`, viewer))[0]

/** One purchase of this owner; undefined if it is somebody else's. */
export const purchaseOfOwner = async (sql: Sql, purchase: string, whose: PurchaseOwner) =>
  (await purchasesWhere(sql, sql`p.purchase = ${purchase} and ${isListed(sql, whose)}`, paymentViewerOf(whose)))[0]

/**
 * What to search purchases by. `range`: the lowest and highest purchase id to match. `idEnd`: the last 8 characters of a purchase id, as
 * receipt numbers show them. `people`: ids of players and payers.
 */
interface PurchaseSearchKeys {
  range: [first: string, last: string] | null
  idEnd: string | null
  people: string[]
}

/** Purchases that match any of these keys, newest first, for an administrator. */
export const findPurchasesBySearchKeys = (sql: Sql, { range, idEnd, people }: PurchaseSearchKeys, most: number) =>
  purchasesWhere(
    sql,
    sql`(p.player = any(${people}::uuid[]) or p.payer = any(${people}::uuid[])
      or ${idEnd ? sql`right(p.purchase::text, 8) = ${idEnd}` : sql`false`}
      or ${range ? sql`p.purchase between ${range[0]}::uuid and ${range[1]}::uuid` : sql`false`})`,
    'administrator',
    most,
  )

/** Purchases, newest first; with `limit`, at most that many. */
export const purchasesOf = (sql: Sql, whose: PurchaseOwner, viewer: PaymentViewer, limit?: number) =>
  purchasesWhere(sql, isListed(sql, whose), viewer, limit)

/** A page of purchases, newest first, with the number of purchases on all pages. */
export async function pageOfPurchases(sql: Sql, whose: PurchaseOwner, before?: TimeAndId) {
  const older = before ? sql`and ${olderThanKeySql(sql, sql`p.bought`, sql`p.purchase`, before)}` : sql``
  const [found, [row]] = await Promise.all([
    purchasesWhere(sql, sql`${isListed(sql, whose)} ${older}`, paymentViewerOf(whose), PURCHASES_PER_PAGE + 1),
    sql<{ count: number }[]>`select count(*)::int as count from ${sql(tableOf(purchases))} p where ${isListed(sql, whose)}`,
  ])
  const { rows, next } = paginateRows(found, PURCHASES_PER_PAGE, p => [p.bought, p.id] satisfies TimeAndId)
  return { purchases: rows, next, total: row!.count }
}

/** The purchases that a payer's screen shows initially: the first page, newest first. */
export async function latestPurchases(sql: Sql, whose: PurchaseOwner) {
  const { purchases: latest, ...purchasePages } = await pageOfPurchases(sql, whose)
  return { purchases: latest, purchasePages }
}

/** How many of these sessions were delivered, and the instructors' shares for them without tips, in cents. */
export async function deliveredCountAndShareCents(sql: Sql, ids: string[]): Promise<{ given: number; cents: number }> {
  const [row] = await sql<{ given: number; cents: number }[]>`
    select count(*)::int as given,
      coalesce(sum(case when ${isShareTakenBackSql(sql)} then 0 else share end), 0)::int as cents
    from ${sql(tableOf(payments))} where payment = any(${ids}::uuid[])`
  return row!
}
