import { handleCommand, loadState, systemCommandSource } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import type { PaymentGateway } from './gateway.ts'
import { payoutAccountAndDebtDecider } from './payout-account-and-debt-decider.ts'

/** Fetches the status of the instructor's payout account from the provider, and records it if it has changed. */
export async function refreshPayoutAccount(store: EventStore, gateway: PaymentGateway, instructor: string) {
  const { account } = await loadState(store, payoutAccountAndDebtDecider, instructor)
  if (account) {
    const { takesTransfers, requirements } = await gateway.accountStatus(account)
    const now = { ready: takesTransfers, submitted: requirements.length === 0, requirements }
    // The same status may be recorded again after a different one, so each command gets a new id.
    await handleCommand(store, payoutAccountAndDebtDecider, instructor, 'change', now, systemCommandSource())
  }
  return loadState(store, payoutAccountAndDebtDecider, instructor)
}
