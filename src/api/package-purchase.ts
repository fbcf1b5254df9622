import { derivedId } from '../../modules/kernel/decider.ts'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { PACKAGES, type PackageType } from '../../modules/payments/policy.ts'
import { recordPackageSale } from '../../modules/payments/record-package-sale-and-perform-refund.ts'
import { findOrCreateCustomer } from '../../modules/payments/stripe-customer-and-saved-cards.ts'
import { addPurchasedCredits } from '../../modules/rewards/credits-and-points-process.ts'
import { takeProviderRateLimit, withProviderErrors } from './cards-and-bill-payments.ts'
import { notFound } from './problem.ts'
import type { RequestContext } from './routing.ts'

type CallContext = Pick<RequestContext, 'deps' | 'by' | 'address'>

interface PackageOrder {
  /** Id of the player or guardian who pays. */
  buyer: string
  type: PackageType
  /** Id of the player who gets the package, if not the buyer. */
  for?: string
  /** The path on our site to which the provider sends the buyer back. */
  back: string
}

/** Creates a hosted page for buying a package, and returns its URL. */
export async function createPackageCheckoutPage(
  ctx: CallContext,
  { buyer, type, back, for: player }: PackageOrder,
): Promise<{ url: string }> {
  const { deps, by } = ctx
  await takeProviderRateLimit(ctx, buyer)
  const { label, folders, cents } = PACKAGES[type]
  const customer = await withProviderErrors(findOrCreateCustomer(deps, buyer))
  const address = deps.config.origin + back
  const page = deps.gateway.checkout({
    customer,
    payer: buyer,
    item: { name: `${label}: ${folders} feedback ${folders === 1 ? 'session' : 'sessions'}`, amount: cents },
    metadata: { package: type, folders: String(folders), ...(player && { for: player }) },
    returnUrl: address,
    cancelUrl: `${address}?package=${type}`,
    key: derivedId(by.command, customer, type, ...(player ? [player] : [])),
  })
  return { url: (await withProviderErrors(page)).url }
}

/**
 * Records the package that was bought on the hosted page, and adds its credits.
 * @throws Problem 404 if the page does not exist or belongs to somebody else, CommandRefused if the package is not paid
 */
export async function confirmPackageCheckout(
  ctx: CallContext,
  buyer: string,
  session: string,
): Promise<{ player: string; credits: number }> {
  const { deps } = ctx
  await takeProviderRateLimit(ctx, buyer)
  const page = await withProviderErrors(deps.gateway.fetchCheckout(session))
  if (page.payer !== buyer) throw notFound()
  const bought = await withProviderErrors(recordPackageSale(deps, session))
  if (!bought) throw new CommandRefused('This package has not been paid for yet. Go back to the payment page to finish.', 'not-paid')
  return { player: bought.player, credits: await addPurchasedCredits(deps.store, bought) }
}
