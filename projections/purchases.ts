import type { PendingQuery, Row as PostgresRow, Sql } from 'postgres'
import { firstRow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOf } from '../modules/kernel/store.ts'
import type { Purchase as Shown } from '../modules/payments/contract.ts'
import type { PurchaseEvent } from '../modules/payments/package-purchase.ts'
import { PACKAGES, type PackageType } from '../modules/payments/policy.ts'
import { receiptNumber } from '../modules/payments/receipt.ts'
import { type Disputes, disputeOf } from '../modules/payments/refunds-and-disputes.ts'
import { payments } from './payments.ts'

/** Purchased packages and their refunds: one row per purchase. */
export const purchases = projection<PurchaseEvent>()({
  name: 'purchases',
  version: 2,
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
    /** Cents by refund id, without refunds that were refused. */
    refunds: 'jsonb',
    disputes: 'jsonb',
  },
  index: ['player, bought desc'],
  key: e => idOf(e.stream),
  on: {
    PackageBought: (row, { stream, at, data }) =>
      firstRow(row, {
        purchase: idOf(stream),
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

interface Found {
  purchase: string
  player: string
  playerName: string | null
  package: PackageType
  folders: number
  amount: number
  card: { brand: string; last4: string } | null
  bought: string
  refunds: Record<string, number>
  disputes: Disputes
}

function toPurchase({ purchase: id, package: type, playerName, amount: cents, refunds, disputes, ...rest }: Found): Shown {
  const refunded = Object.values(refunds).reduce((all, part) => all + part, 0)
  const dispute = disputeOf(disputes)
  const status = dispute === 'open' || dispute === 'lost' ? 'disputed' : refunded >= cents ? 'refunded' : 'paid'
  const { label } = PACKAGES[type]
  return {
    ...rest,
    id,
    label,
    playerName: playerName ?? 'A former player',
    cents,
    refunded,
    status,
    receipt: receiptNumber(id, rest.bought),
  }
}

const findPurchases = (sql: Sql, which: 'purchase' | 'player', id: string) => purchasesWhere(sql, sql`p.${sql(which)} = ${id}`)
async function purchasesWhere(sql: Sql, condition: PendingQuery<PostgresRow[]>): Promise<Shown[]> {
  const rows = await sql<Found[]>`
    select p.*, u.first_name || ' ' || u.last_name as "playerName" from ${sql(tableOf(purchases))} p left join users u on u.id = p.player
    where ${condition} order by p.bought desc, p.purchase`
  return rows.map(toPurchase)
}
export const purchaseOf = async (sql: Sql, purchase: string) => (await findPurchases(sql, 'purchase', purchase))[0]
/** A player's purchases, newest first. */
export const purchasesOf = (sql: Sql, player: string) => findPurchases(sql, 'player', player)

/** A guardian's purchases, and the purchases for these players. */
export const purchasesOfFamily = (sql: Sql, guardian: string, players: string[]) =>
  purchasesWhere(sql, sql`(p.payer = ${guardian} or p.player = any(${players}::uuid[]))`)

/** The instructors' shares of the base price of these sessions, in cents. Sessions without feedback do not count. */
export async function sharesPaidFor(sql: Sql, ids: string[]): Promise<{ given: number; cents: number }> {
  const [row] = await sql<{ given: number; cents: number }[]>`
    select count(*)::int as given, coalesce(sum(share), 0)::int as cents from ${sql(tableOf(payments))} where payment = any(${ids}::uuid[])`
  return row!
}
