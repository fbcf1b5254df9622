import type { Sql } from 'postgres'
import { projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import type { PayoutAccountOrDebtEvent } from '../modules/payments/payout-account-and-debt-decider.ts'

/** Owners of payout accounts: one row per account. */
export const payoutAccountOwners = projection<PayoutAccountOrDebtEvent>()({
  name: 'payouts',
  version: 1,
  row: { account: 'text', instructor: 'uuid' },
  key: e => (e.type === 'PayoutAccountOpened' ? e.data.account : []),
  on: { PayoutAccountOpened: (_, e) => ({ account: e.data.account, instructor: idOfStream(e.stream) }) },
})

/** The instructor of a payout account; undefined if the platform does not know the account. */
export async function instructorIdOfPayoutAccount(sql: Sql, account: string): Promise<string | undefined> {
  const [row] = await sql<{ instructor: string }[]>`select instructor from ${sql(tableOf(payoutAccountOwners))} where account = ${account}`
  return row?.instructor
}
