import { existingAccountIds } from '../../modules/accounts/account-registration-and-authentication.ts'
import { type UnreconciledCharge, unreconciledCharges } from '../../modules/payments/find-and-record-missing-charges.ts'
import { type UnreconciledPackage, unreconciledPackages } from '../../modules/payments/unreconciled-packages.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { hasTimedOut } from './request-timeout.ts'
import type { RequestContext } from './routing.ts'

/** How long the result of a comparison is kept for an administrator who tries again after a timeout. */
const RESULT_KEPT_MS = 10 * 60_000

type Comparison = Promise<[charges: UnreconciledCharge[], packages: UnreconciledPackage[]]>

/** The comparison of each server that is running, or whose result no request has received yet. */
const comparisons = new WeakMap<AppDependencies, Comparison>()

/**
 * Compares the payments at Stripe with the log. With many payments that takes longer than a request may. So the comparison goes on after a
 * timeout, and the next request gets its result instead of starting again; with several servers, the next request to this server.
 */
export async function comparePaymentsWithStripe({ deps, request }: Pick<RequestContext, 'deps' | 'request'>): Comparison {
  const comparison = comparisons.get(deps) ?? beginComparison(deps)
  const result = await comparison
  if (!hasTimedOut(request)) forget(deps, comparison)
  return result
}

function beginComparison(deps: AppDependencies): Comparison {
  const comparison = Promise.all([unreconciledCharges(deps), unreconciledPackages(deps, existingAccountIds(deps.sql))])
  comparisons.set(deps, comparison)
  comparison.then(
    () => setTimeout(() => forget(deps, comparison), RESULT_KEPT_MS).unref(),
    () => forget(deps, comparison),
  )
  return comparison
}

/** Makes the next request start a new comparison, unless one has already done so. */
function forget(deps: AppDependencies, comparison: Comparison) {
  if (comparisons.get(deps) === comparison) comparisons.delete(deps)
}
