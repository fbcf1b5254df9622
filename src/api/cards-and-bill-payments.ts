import { derivedId, handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { type EventStore, streamOf } from '../../modules/kernel/store.ts'
import { describeChargeFailure } from '../../modules/payments/charge-failure-messages.ts'
import type { PaymentCard } from '../../modules/payments/contract.ts'
import { type AttemptTrigger, type PaymentState, paymentDecider } from '../../modules/payments/payment.ts'
import { payerReturnPath, performChargeAttempt } from '../../modules/payments/perform-charge-attempts.ts'
import { OutcomeUnknownError, RetryLaterError, StripeRejectedRequestError } from '../../modules/payments/stripe/client.ts'
import { findOrCreateCustomer, saveCardFromHostedPage } from '../../modules/payments/stripe-customer-and-saved-cards.ts'
import {
  customerOfCard,
  requestedOrDefaultCard,
  type SavedCard,
  toUsedCard,
  type Wallet,
  walletDecider,
} from '../../modules/payments/wallet.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { assertFound, notFound, Problem } from './problem.ts'
import { commandReply, type RequestContext } from './routing.ts'

type CallContext = Pick<RequestContext, 'deps' | 'by' | 'address'>

/** The wallet of a player or a guardian, read from the event log. */
export const loadWallet = (store: EventStore, owner: string) => loadState(store, walletDecider, owner)

const cardForOwner = ({ card: id, brand, last4, expMonth, expYear }: SavedCard, w: Wallet): PaymentCard => ({
  id,
  brand,
  last4,
  expMonth,
  expYear,
  preferred: w.preferred === id,
})
/** The cards of a wallet, most recently saved first. */
export const cardsOfWallet = (w: Wallet): PaymentCard[] => w.cards.map(c => cardForOwner(c, w)).reverse()

/**
 * Awaits a call to the payment provider.
 * @throws Problem 404 if the provider has no such object, 503 if it does not respond or asks to retry later
 */
export async function withProviderErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StripeRejectedRequestError) throw error.code === 'resource_missing' ? notFound() : error
    if (!(error instanceof OutcomeUnknownError || error instanceof RetryLaterError)) throw error
    throw new Problem(503, 'The payment service is not responding right now. Try again in a minute.', 'payments-away', {
      headers: { 'retry-after': '30' },
    })
  }
}

/** Counts one call against the caller's rate limit for the payment provider. @throws Problem 429 */
export const takeProviderRateLimit = ({ deps, address }: Pick<CallContext, 'deps' | 'address'>, owner: string) =>
  deps.limits.take('provider', address, owner)

/** Creates a hosted page for saving a card, and returns its URL. Afterward the provider sends the owner back to the path `back`. */
export async function createCardSetupPage(ctx: CallContext, owner: string, back: string): Promise<{ url: string }> {
  const { deps, by } = ctx
  await takeProviderRateLimit(ctx, owner)
  const customer = await withProviderErrors(findOrCreateCustomer(deps, owner))
  const address = deps.config.origin + back
  const page = deps.gateway.setupPage({
    customer,
    payer: owner,
    returnUrl: address,
    cancelUrl: address,
    key: derivedId(by.command, address),
  })
  return { url: (await withProviderErrors(page)).url }
}

/**
 * Adds the card that was saved on the hosted page to the wallet, and returns it; null if no card has been saved there yet.
 * @throws Problem 404 if the page does not exist or belongs to somebody else
 */
export async function confirmSavedCard(ctx: CallContext, owner: string, session: string): Promise<{ card: PaymentCard | null }> {
  const { deps } = ctx
  await takeProviderRateLimit(ctx, owner)
  const done = await withProviderErrors(deps.gateway.fetchSetupCard(session))
  if (done && done.payer !== owner) throw notFound()
  if (!done) return { card: null }
  const saved = await withProviderErrors(saveCardFromHostedPage(deps, session))
  return { card: cardForOwner(saved!.card, await loadWallet(deps.store, owner)) }
}

export async function setPreferredCard({ deps: { store, limits }, by }: Pick<CallContext, 'deps' | 'by'>, owner: string, card: string) {
  await limits.take('change', '', owner)
  assertFound((await loadWallet(store, owner)).cards.some(c => c.card === card))
  const { position } = await handleCommand(store, walletDecider, owner, 'prefer', { card }, by)
  return commandReply(position)
}

/** Removes a saved card. `needed`: the wallet must keep at least one card, because an assignment or a bill depends on it. */
export async function removeCard({ deps, by }: Pick<CallContext, 'deps' | 'by'>, owner: string, card: string, needed: boolean) {
  const { store, clock } = deps
  // Cards that were already removed count too, so that a repeated removal succeeds without a change.
  assertFound((await store.read(streamOf(walletDecider.stream, owner))).some(e => (e.data as Partial<SavedCard>).card === card))
  const { position } = await handleCommand(store, walletDecider, owner, 'remove', { card, needed, now: clock().toISOString() }, by)
  return commandReply(position)
}

/** Performs a payment attempt and returns the payment; null if the outcome is still unknown, in which case an errand finds it out later. */
async function tryChargeAttempt(deps: AppDependencies, id: string, attempt: string, again: boolean): Promise<PaymentState | null> {
  try {
    return await performChargeAttempt(deps, id, attempt, again)
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError || error instanceof RetryLaterError)) throw error
    deps.log.warn({ err: error, payment: id, attempt }, 'a charge is not decided yet')
    return null
  }
}

/**
 * The URL where the bank authenticates its customer; null if the payment does not need authentication, no longer does, or the provider
 * returns no such page or an error.
 */
async function bankPage({ deps, by }: Pick<CallContext, 'deps' | 'by'>, p: PaymentState, back: string): Promise<string | null> {
  const { last } = p
  const intent = last && p.open[last.id]
  if (p.status !== 'failed' || !intent) return null
  const returnUrl = deps.config.origin + back
  try {
    const page = await deps.gateway.authenticatePage({ intent, method: last.card.id, returnUrl, key: derivedId(by.command, intent) })
    return page.outcome === 'page' ? page.url : null
  } catch (error) {
    deps.log.warn({ err: error, payment: intent }, "the bank's authentication page is not available")
    return null
  }
}

interface BillPayment {
  id: string
  /** The state of the payment before this attempt. */
  before: PaymentState
  /** The person whose card is charged. */
  owner: string
  who: Exclude<AttemptTrigger, 'schedule'>
  body: { tip: number; total: number; card?: string | undefined }
}

/** Charges a bill and a tip to a saved card. Replies with the outcome and, if the bank must authenticate the payer, the URL of its page. */
export async function payBill(ctx: CallContext, { id: bill, before, owner, who, body }: BillPayment) {
  const { deps, by } = ctx
  const { store, clock } = deps
  const id = by.command
  await takeProviderRateLimit(ctx, owner)
  // If the outcome of an earlier attempt is unknown, find it out before starting another; otherwise the card could be charged twice.
  if (before.status === 'processing' && before.last!.id !== id) await tryChargeAttempt(deps, bill, before.last!.id, true)
  const w = await loadWallet(store, owner)
  const earlierAttempt = before.attempts[id]
  const chosen = earlierAttempt ? null : requestedOrDefaultCard(w, body.card)
  const card = earlierAttempt?.card ?? toUsedCard(chosen!)
  const customer = earlierAttempt?.customer ?? customerOfCard(w, chosen!)
  const { tip, total } = body
  const attempt = { id, card, customer, tip, total, by: who, at: clock().toISOString() }
  await handleCommand(store, paymentDecider, bill, 'attempt', attempt, by)
  const p = await tryChargeAttempt(deps, bill, id, !!earlierAttempt)
  const position = (await store.read(streamOf(paymentDecider.stream, bill))).at(-1)!.position
  if (!p || p.status === 'processing') return commandReply(position, { status: 'processing' as const, failure: null, url: null })
  if (p.status === 'paid') return commandReply(position, { status: 'paid' as const, failure: null, url: null })
  const failure = describeChargeFailure(p.failure ?? 'processing-error')
  return commandReply(position, {
    status: 'failed' as const,
    failure,
    url: await bankPage(ctx, p, payerReturnPath(who, { payment: bill, folder: p.bill!.folder })),
  })
}
