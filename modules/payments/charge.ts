import { bySystem, derivedId, handle, load } from '../kernel/decider.ts'
import { type EventStore, Refused } from '../kernel/store.ts'
import type { Gateway } from './gateway.ts'
import { type Payment, payment } from './payment.ts'
import type { SucceededCharge } from './stripe/charges.ts'
import { OutcomeUnknown, RejectedRequest } from './stripe/client.ts'
import { cardOf, customerOfCard, usedCardOf, wallet } from './wallet.ts'

/** What moves money. */
export interface PaymentDeps {
  store: EventStore
  gateway: Gateway
  clock: () => Date
}

/** The provider may forget an idempotency key after a day; past this it is only asked what became of the attempt. */
const RETRY_MS = 23 * 3600_000

export const loadPayment = (store: EventStore, id: string): Promise<Payment> => load(store, payment, id)

/** The provider has the money of an attempt: says so, once. */
export const recordSuccess = ({ store, clock }: PaymentDeps, id: string, attempt: string, s: Omit<SucceededCharge, 'outcome'>) =>
  handle(
    store,
    payment,
    id,
    'succeed',
    { attempt, intent: s.intent, charge: s.charge, amount: s.amount, at: clock().toISOString() },
    bySystem(derivedId(id, 'succeed', s.charge)),
  )

/**
 * Brings an attempt to its end: charged once, or failed with a reason. Repeating it changes nothing, and several may do it at once.
 * `again`: it may have been tried before, so the provider is asked first.
 * @returns the payment as it is now
 * @throws Unsure, Later: not known yet, or not possible yet; do it again
 */
export async function settleAttempt(till: PaymentDeps, id: string, attemptId: string, again = true): Promise<Payment> {
  const { store, gateway, clock } = till
  const p = await loadPayment(store, id)
  const attempt = p.attempts[attemptId]
  if (!attempt || p.status !== 'processing' || p.last?.id !== attemptId) return p

  // What the bank's page may still turn into money must be out of the world before another card is charged.
  for (const [earlier, intent] of Object.entries(p.open)) {
    const left = await gateway.abandon(intent, derivedId(id, 'abandon', intent))
    if (left.outcome === 'succeeded') {
      await recordSuccess(till, id, earlier, left)
      return loadPayment(store, id)
    }
    await handle(store, payment, id, 'abandoned', { attempt: earlier }, bySystem(derivedId(id, 'abandoned', earlier)))
  }

  const old = clock().getTime() - Date.parse(attempt.at) > RETRY_MS
  let result = again || old ? await gateway.findCharge(id, attemptId) : null
  if (result?.outcome === 'open') {
    if (!old) throw new OutcomeUnknown(`${result.intent} is not decided yet.`)
    result = await gateway.abandon(result.intent, derivedId(id, 'abandon', result.intent))
  }
  if (!result && !old) result = await charge(gateway, id, attempt)

  if (result?.outcome === 'succeeded') await recordSuccess(till, id, attemptId, result)
  else {
    const { reason, intent } = result?.outcome === 'failed' ? result : { reason: 'processing-error' as const, intent: undefined }
    const failure = { attempt: attemptId, reason, intent }
    await handle(store, payment, id, 'fail', failure, bySystem(derivedId(id, 'fail', attemptId)))
  }
  return loadPayment(store, id)
}

async function charge(gateway: Gateway, id: string, { id: attempt, customer, card, amount }: NonNullable<Payment['last']>) {
  try {
    return await gateway.charge({ payment: id, attempt, customer, method: card.id, amount, key: derivedId(id, 'charge', attempt) })
  } catch (error) {
    if (error instanceof RejectedRequest) return { outcome: 'failed', reason: 'processing-error', intent: undefined } as const
    throw error
  }
}

/** Who pays for a player now: the player, or for a minor the guardian; null while a minor has none whose consent stands. */
export type PayerOf = (player: string) => Promise<string | null>

/** The days are over: charges the payer's saved card, unless it was paid. Without a card it stays overdue. */
export async function chargeOverdue(till: PaymentDeps, id: string, payerOf: PayerOf): Promise<void> {
  const { store, clock } = till
  const p = await loadPayment(store, id)
  if (!p.bill || p.paid) return
  if (p.status === 'processing') await settleAttempt(till, id, p.last!.id)
  const payer = p.bill.payer ?? (await payerOf(p.bill.player))
  if (!payer) return
  const w = await load(store, wallet, payer)
  if (!w.preferred) return
  const card = cardOf(w)
  const attempt = derivedId(id, 'collect')
  const at = clock().toISOString()
  const chosen = {
    id: attempt,
    customer: customerOfCard(w, card),
    card: usedCardOf(card),
    tip: 0,
    by: 'schedule' as const,
    at,
    total: p.bill.total,
  }
  try {
    await handle(store, payment, id, 'attempt', chosen, bySystem(attempt))
  } catch (error) {
    if (error instanceof Refused && error.code === 'already-paid') return
    throw error
  }
  await settleAttempt(till, id, attempt)
}

/** Was a failed attempt paid on the bank's page after all? */
export async function recheckFailedAttempt(till: PaymentDeps, id: string, attempt: string, intent: string): Promise<void> {
  if (!(await loadPayment(till.store, id)).open[attempt]) return
  const now = await till.gateway.paid(intent)
  if (now.outcome === 'succeeded') await recordSuccess(till, id, attempt, now)
}
