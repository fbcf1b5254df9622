import { derivedId, handleCommand, loadState, systemCommandSource } from '../kernel/decider.ts'
import type { EventStore } from '../kernel/store.ts'
import { type PurchaseState, proratedCents, purchaseDecider } from './package-purchase.ts'
import type { PaymentDependencies } from './perform-charge-attempts.ts'
import { refundChargeOnce } from './perform-refunds.ts'
import { PACKAGES, type PackageType } from './policy.ts'

export const loadPurchase = (store: EventStore, id: string): Promise<PurchaseState> => loadState(store, purchaseDecider, id)

/** Records the package that a hosted page sold. @returns null while it is not paid, or if the page sold something else */
export async function recordPackageSale(
  { store, gateway }: PaymentDependencies,
  session: string,
): Promise<{ player: string; purchase: string; folders: number } | null> {
  const done = await gateway.fetchCheckout(session)
  const type = done.metadata.package as PackageType
  if (!done.paid || !done.intent || !done.charge || !(type in PACKAGES)) return null
  const { amount, intent, charge, card } = done
  // If a guardian buys a package for a child, `done.payer` is the guardian, and `metadata.for` is the child.
  const player = done.metadata.for ?? done.payer
  const payer = player === done.payer ? undefined : done.payer
  const id = derivedId('purchase', session)
  const bought = {
    player,
    package: type,
    folders: Number(done.metadata.folders),
    amount,
    session,
    intent,
    charge,
    ...(card && { card }),
    ...(payer && { payer }),
  }
  await handleCommand(store, purchaseDecider, id, 'complete', bought, { command: derivedId(session, 'complete'), actor: done.payer })
  return { player, purchase: id, folders: bought.folders }
}

/** Revokes or restores credits of a package to match its refunds and disputes. Returns how many credits each has revoked, by its id. */
export type RevokeRefundedCredits = (purchase: string) => Promise<Record<string, number>>

/** Performs an administrator's refund of a package: first it revokes unused folders, then it refunds the money. */
export async function performRequestedPackageRefund(
  { store, gateway }: PaymentDependencies,
  id: string,
  refund: string,
  revokeRefundedFolders: RevokeRefundedCredits,
): Promise<void> {
  const p = await loadPurchase(store, id)
  const requestedRefund = p.refunds[refund]
  if (requestedRefund?.state !== 'asked') return
  const folders = (await revokeRefundedFolders(id))[refund] ?? 0
  const amount = p.whole.includes(refund) ? requestedRefund.amount : Math.min(requestedRefund.amount, proratedCents(p.bought!, folders))
  const done = await refundChargeOnce(gateway, p.bought!.charge, refund, amount, 'requested_by_customer')
  const meta = (what: string) => systemCommandSource(derivedId(id, what, refund))
  if (done.status === 'succeeded')
    await handleCommand(store, purchaseDecider, id, 'refunded', { refund, amount: done.amount }, meta('refunded'))
  if (done.status === 'failed') await handleCommand(store, purchaseDecider, id, 'refundFailed', { refund }, meta('refundFailed'))
}
