import type { Sql } from 'postgres'
import { projection, tableOf } from '../modules/kernel/projection.ts'
import { idOf } from '../modules/kernel/store.ts'
import type { PayoutEvent } from '../modules/payments/payout-account.ts'

/** Owners of payout accounts: one row per account. */
export const payouts = projection<PayoutEvent>()({
  name: 'payouts',
  version: 1,
  row: { account: 'text', instructor: 'uuid' },
  key: e => (e.type === 'PayoutAccountOpened' ? e.data.account : []),
  on: { PayoutAccountOpened: (_, e) => ({ account: e.data.account, instructor: idOf(e.stream) }) },
})

/** The instructor of a payout account; undefined if the platform does not know the account. */
export async function instructorOfAccount(sql: Sql, account: string): Promise<string | undefined> {
  const [row] = await sql<{ instructor: string }[]>`select instructor from ${sql(tableOf(payouts))} where account = ${account}`
  return row?.instructor
}
