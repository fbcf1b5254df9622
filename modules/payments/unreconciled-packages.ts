import { concurrencyLimit } from '../concurrency-limit.ts'
import { addDays } from '../dates.ts'
import { derivedId } from '../kernel/decider.ts'
import { RECONCILIATION_DAYS, STREAMS_READ_AT_ONCE } from './find-and-record-missing-charges.ts'
import type { PaymentDependencies } from './perform-charge-attempts.ts'
import { PACKAGES, type PackageType } from './policy.ts'
import { loadPurchase, recordPackageSale } from './record-package-sale-and-perform-refund.ts'
import { sumNonFailedRefundCents } from './refund-and-dispute-state.ts'

/**
 * A package that Stripe sold and that the log lacks or records differently, for instance after a restore from a backup. Amounts in cents.
 */
export interface UnreconciledPackage {
  session: string
  purchase: string
  charge: string
  /** The player for whom it was bought. */
  player: string
  label: string
  amount: number
  /** How much has been refunded according to Stripe, and according to the log. */
  refunded: number
  recordedRefund: number
  at: string
  /**
   * `unknown-player`: no account has this player's id. `not-recorded`: the log does not have the purchase. `refund-differs`: Stripe has
   * refunded a different sum than the log says.
   */
  difference: 'unknown-player' | 'not-recorded' | 'refund-differs'
}

/** Returns those of the ids for which an account exists. */
export type ExistingPlayerIdsLookup = (ids: string[]) => Promise<ReadonlySet<string>>

/** Packages that Stripe sold in the last 90 days and that the log lacks, or whose refunds it records differently, newest first. */
export async function unreconciledPackages(
  { store, gateway, clock }: PaymentDependencies,
  knownPlayers: ExistingPlayerIdsLookup,
): Promise<UnreconciledPackage[]> {
  const since = addDays(clock(), -RECONCILIATION_DAYS)
  const sales = (await gateway.salesSince(since)).filter(sale => (sale.metadata.package ?? '') in PACKAGES)
  const owners = await knownPlayers(sales.map(sale => sale.metadata.for ?? sale.payer))
  const compare = async ({ metadata, payer, ...sale }: (typeof sales)[number]) => {
    const player = metadata.for ?? payer
    const purchase = derivedId('purchase', sale.session)
    const p = await loadPurchase(store, purchase)
    const recordedRefund = sumNonFailedRefundCents(p.refunds)
    const difference: UnreconciledPackage['difference'] | undefined = !p.bought
      ? owners.has(player)
        ? 'not-recorded'
        : 'unknown-player'
      : recordedRefund !== sale.refunded
        ? 'refund-differs'
        : undefined
    const { label } = PACKAGES[metadata.package as PackageType]
    return difference && { ...sale, purchase, player, label, recordedRefund, difference }
  }
  const reads = concurrencyLimit(STREAMS_READ_AT_ONCE)
  const compared = await Promise.all(sales.map(sale => reads.run(() => compare(sale))))
  return compared.filter(purchase => purchase !== undefined)
}

/**
 * Records a package that Stripe sold to a known player and that the log lacks, so that the player gets its credits. If money has been
 * refunded, records nothing and leaves the package to an administrator, because the refund may have revoked credits.
 * @returns whether it was recorded
 */
export async function recordMissingPackageSale(
  deps: PaymentDependencies,
  { difference, refunded, session }: UnreconciledPackage,
): Promise<boolean> {
  if (difference !== 'not-recorded' || refunded > 0) return false
  return (await recordPackageSale(deps, session)) !== null
}
