import { derivedId, handleCommand, loadState, systemCommandSource } from '../kernel/decider.ts'
import { CommandRefused, type EventStore } from '../kernel/store.ts'
import type { PaymentGateway } from './gateway.ts'
import { type AttemptTrigger, type PaymentAttempt, type PaymentState, paymentDecider } from './payment.ts'
import { OutcomeUnknownError, StripeRejectedRequestError } from './stripe/client.ts'
import type { SucceededCharge } from './stripe/stripe-charges.ts'
import { customerOfCard, requestedOrDefaultCard, toUsedCard, walletDecider } from './wallet.ts'

/** The dependencies of everything that moves money. */
export interface PaymentDependencies {
  store: EventStore
  gateway: PaymentGateway
  clock: () => Date
}

/** Stripe forgets an idempotency key after 24 hours, so after 23 we never charge again and only ask Stripe what happened to the attempt. */
const RETRY_MS = 23 * 3600_000

export const loadPayment = (store: EventStore, id: string): Promise<PaymentState> => loadState(store, paymentDecider, id)

/** Records that the provider has charged the card for an attempt. Idempotent. */
export const recordChargeSuccess = (
  { store, clock }: PaymentDependencies,
  id: string,
  attempt: string,
  s: Omit<SucceededCharge, 'outcome'>,
) =>
  handleCommand(
    store,
    paymentDecider,
    id,
    'succeed',
    { attempt, intent: s.intent, charge: s.charge, amount: s.amount, at: clock().toISOString() },
    systemCommandSource(derivedId(id, 'succeed', s.charge)),
  )

/**
 * Performs an attempt: charges the card once, or records why the charge failed. Idempotent and safe to run
 * concurrently. `again`: it may have been tried before, so this asks the provider first.
 * @returns the payment as it is now
 * @throws OutcomeUnknownError or RetryLaterError if the outcome is not known yet; try again
 */
export async function performChargeAttempt(deps: PaymentDependencies, id: string, attemptId: string, again = true): Promise<PaymentState> {
  const { store, gateway, clock } = deps
  const p = await loadPayment(store, id)
  const attempt = p.attempts[attemptId]
  if (!attempt || p.status !== 'processing' || p.last?.id !== attemptId) return p

  // An earlier intent that the payer could still complete on the bank's page must be canceled before another card is charged.
  for (const [earlier, intent] of Object.entries(p.open)) {
    const abandonResult = await gateway.abandon(intent, derivedId(id, 'abandon', intent))
    if (abandonResult.outcome === 'succeeded') {
      await recordChargeSuccess(deps, id, earlier, abandonResult)
      return loadPayment(store, id)
    }
    await handleCommand(
      store,
      paymentDecider,
      id,
      'abandoned',
      { attempt: earlier },
      systemCommandSource(derivedId(id, 'abandoned', earlier)),
    )
  }

  const old = clock().getTime() - Date.parse(attempt.at) > RETRY_MS
  let result = again || old ? await gateway.findCharge(id, attemptId) : null
  if (result?.outcome === 'open') {
    if (!old) throw new OutcomeUnknownError(`${result.intent} is not decided yet.`)
    result = await gateway.abandon(result.intent, derivedId(id, 'abandon', result.intent))
  }
  if (!result && !old) result = await charge(gateway, id, p.bill!.folder, attempt)

  if (result?.outcome === 'succeeded') await recordChargeSuccess(deps, id, attemptId, result)
  else {
    const { reason, intent } = result?.outcome === 'failed' ? result : { reason: 'processing-error' as const, intent: undefined }
    const failure = { attempt: attemptId, reason, intent }
    await handleCommand(store, paymentDecider, id, 'fail', failure, systemCommandSource(derivedId(id, 'fail', attemptId)))
  }
  return loadPayment(store, id)
}

/** The path to which a payer returns from their bank's page. */
export const payerReturnPath = (by: Exclude<AttemptTrigger, 'schedule'>, { payment, folder }: { payment: string; folder: string }) =>
  by === 'player' ? `/player/folder/${folder}?session=${payment}&authenticated=1` : `/family/money/${payment}?authenticated=1`

async function charge(gateway: PaymentGateway, id: string, folder: string, attempt: PaymentAttempt) {
  const { customer, card, amount, by } = attempt
  // This must be the same for every try of an attempt, because Stripe refuses an idempotency key that is reused with other parameters.
  const returnPath = by === 'schedule' ? undefined : payerReturnPath(by, { payment: id, folder })
  const key = derivedId(id, 'charge', attempt.id)
  try {
    return await gateway.charge({ payment: id, attempt: attempt.id, customer, method: card.id, amount, returnPath, key })
  } catch (error) {
    if (error instanceof StripeRejectedRequestError) return { outcome: 'failed', reason: 'processing-error', intent: undefined } as const
    throw error
  }
}

/**
 * Looks up the payer of a player's sessions: the player, or the guardian of a minor; null while no guardian's consent is in effect for a
 * minor.
 */
export type PayerLookup = (player: string) => Promise<string | null>

/**
 * Charges the payer's preferred card for an unpaid bill, after first finishing an attempt in progress. Does not check the due date. Without
 * a payer or a card, the bill stays overdue.
 */
export async function chargeOverdueBill(deps: PaymentDependencies, id: string, payerOf: PayerLookup): Promise<void> {
  const { store, clock } = deps
  const p = await loadPayment(store, id)
  if (!p.bill || p.paid) return
  if (p.status === 'processing') await performChargeAttempt(deps, id, p.last!.id)
  const payer = p.bill.payer ?? (await payerOf(p.bill.player))
  if (!payer) return
  const w = await loadState(store, walletDecider, payer)
  if (!w.preferred) return
  const card = requestedOrDefaultCard(w)
  const attempt = derivedId(id, 'collect')
  const at = clock().toISOString()
  const chosen = {
    id: attempt,
    customer: customerOfCard(w, card),
    card: toUsedCard(card),
    tip: 0,
    by: 'schedule' as const,
    at,
    total: p.bill.total,
  }
  try {
    await handleCommand(store, paymentDecider, id, 'attempt', chosen, systemCommandSource(attempt))
  } catch (error) {
    if (error instanceof CommandRefused && error.code === 'already-paid') return
    throw error
  }
  await performChargeAttempt(deps, id, attempt)
}

/** Checks whether a failed attempt was paid on the bank's page after all. */
export async function recheckFailedAttempt(deps: PaymentDependencies, id: string, attempt: string, intent: string): Promise<void> {
  if (!(await loadPayment(deps.store, id)).open[attempt]) return
  const now = await deps.gateway.outcomeOfIntent(intent)
  if (now.outcome === 'succeeded') await recordChargeSuccess(deps, id, attempt, now)
}
