import Stripe from 'stripe'
import type { PaymentFailureReason } from '../contract.ts'
import { CURRENCY, gatewayErrorOf, OutcomeUnknownError, StripeRejectedRequestError, stripeIdOf, withGatewayErrors } from './client.ts'

export interface SucceededCharge {
  outcome: 'succeeded'
  intent: string
  charge: string
  /** Cents. */
  amount: number
}
export interface FailedCharge {
  outcome: 'failed'
  reason: PaymentFailureReason
  intent?: string
  /** The bank's own code; never shown to the player, because it may say that the card was stolen. */
  declineCode?: string
  clientSecret?: string
}
/** Not decided yet, usually because the payer has not finished authenticating with the bank. Nothing has been charged so far. */
export interface OpenCharge {
  outcome: 'open'
  intent: string
}
export interface CanceledCharge {
  outcome: 'canceled'
  intent: string
}

/** A charge as Stripe has it, with the ids that we gave it. `paid`: whether it succeeded. `amount`: in cents. */
export interface StripeCharge {
  id: string
  intent: string | null
  payment: string | null
  attempt: string | null
  paid: boolean
  amount: number
}
/** A successful charge, with the ids that we gave it, so that it can be matched with our payments. Amounts are in cents. */
export interface ListedCharge {
  charge: string
  intent: string | null
  payment: string | null
  attempt: string | null
  customer: string | null
  card: { id: string; brand: string; last4: string } | null
  amount: number
  refunded: number
  /** ISO 8601. */
  at: string
}
/** Charges to saved cards, and their outcomes. */
export interface ChargeGateway {
  /**
   * Charges a saved card. `returnPath`: a path on our site; set if the cardholder is present. If the bank has to verify the cardholder, its
   * page returns to that path (`authenticatePage`). Without `returnPath`, a bank that has to verify the cardholder declines the charge.
   * `amount`: in cents, at least `MIN_CHARGE_CENTS`.
   * @throws OutcomeUnknownError if the charge may have happened: call `findCharge`, then try again with the same key
   */
  charge(o: {
    payment: string
    attempt: string
    customer: string
    method: string
    amount: number
    returnPath?: string
    metadata?: Record<string, string>
    key: string
  }): Promise<SucceededCharge | FailedCharge>
  /** The outcome of a charge; null if it never reached a bank. */
  findCharge(payment: string, attempt: string): Promise<SucceededCharge | FailedCharge | OpenCharge | CanceledCharge | null>
  /** Retries a failed intent while the payer is present. @returns the bank's page for the payer, or the outcome if there is no such page */
  authenticatePage(o: {
    intent: string
    method: string
    returnUrl: string
    key: string
  }): Promise<{ outcome: 'page'; url: string; intent: string } | SucceededCharge | FailedCharge>
  outcomeOfIntent(intent: string): Promise<SucceededCharge | FailedCharge | OpenCharge | CanceledCharge>
  /** Cancels an intent before another card is tried. @returns `succeeded` if it was already paid */
  abandon(intent: string, key: string): Promise<SucceededCharge | CanceledCharge>
  fetchCharge(charge: string): Promise<StripeCharge>
  /** Successful charges since a time, newest first. */
  chargesSince(since: Date): Promise<ListedCharge[]>
  /** All successful charges of a payment, newest first. */
  chargesOfPayment(payment: string): Promise<ListedCharge[]>
}

const REASON_OF_DECLINE_CODE: Record<string, PaymentFailureReason> = {
  expired_card: 'expired-card',
  insufficient_funds: 'insufficient-funds',
  authentication_required: 'authentication-needed',
  payment_intent_authentication_failure: 'authentication-needed',
  ...Object.fromEntries(
    [
      ...['incorrect_cvc', 'incorrect_number', 'incorrect_zip', 'incorrect_address', 'incorrect_pin', 'invalid_account'],
      ...['invalid_cvc', 'invalid_number', 'invalid_expiry_month', 'invalid_expiry_year', 'new_account_information_available'],
    ].map(code => [code, 'incorrect-details']),
  ),
  ...Object.fromEntries(
    ['processing_error', 'issuer_not_available', 'reenter_transaction', 'try_again_later'].map(code => [code, 'processing-error']),
  ),
}
/**
 * Decides by the error's codes, never by its message. The bank's decline code comes first, because it is more specific than Stripe's code.
 */
const reasonOf = (e: { code?: string; decline_code?: string }): PaymentFailureReason =>
  REASON_OF_DECLINE_CODE[e.decline_code ?? ''] ?? REASON_OF_DECLINE_CODE[e.code ?? ''] ?? 'declined'

function listedChargeOf(c: Stripe.Charge): ListedCharge {
  const card = c.payment_method_details?.card
  return {
    charge: c.id,
    intent: stripeIdOf(c.payment_intent),
    payment: c.metadata.payment ?? null,
    attempt: c.metadata.attempt ?? null,
    customer: stripeIdOf(c.customer),
    card: c.payment_method && card?.brand && card.last4 ? { id: c.payment_method, brand: card.brand, last4: card.last4 } : null,
    amount: c.amount,
    refunded: c.amount_refunded,
    at: new Date(c.created * 1000).toISOString(),
  }
}

function failedOf(e: { code?: string; decline_code?: string }, intent?: Stripe.PaymentIntent): FailedCharge {
  return {
    outcome: 'failed',
    reason: reasonOf(e),
    ...(intent && { intent: intent.id }),
    ...(e.decline_code && { declineCode: e.decline_code }),
    ...(intent?.client_secret && { clientSecret: intent.client_secret }),
  }
}

function outcomeOf(intent: Stripe.PaymentIntent): SucceededCharge | FailedCharge | OpenCharge | CanceledCharge {
  if (intent.status === 'succeeded')
    return { outcome: 'succeeded', intent: intent.id, charge: stripeIdOf(intent.latest_charge)!, amount: intent.amount_received }
  if (intent.status === 'canceled') return { outcome: 'canceled', intent: intent.id }
  if (intent.status === 'requires_payment_method' && intent.last_payment_error) return failedOf(intent.last_payment_error, intent)
  return { outcome: 'open', intent: intent.id }
}

/** `origin`: our public origin, to which `returnPath` is appended. */
export function stripeCharges(stripe: Stripe, origin: string): ChargeGateway {
  /** The confirmed intent, or the reason why it failed. */
  const confirmed = async (request: Promise<Stripe.PaymentIntent>, customer: string | null, method: string) => {
    try {
      return await request
    } catch (e) {
      if (e instanceof Stripe.errors.StripeCardError) return failedOf(e, e.payment_intent)
      const error = gatewayErrorOf(e)
      if (!(error instanceof StripeRejectedRequestError) || (error.param && error.param !== 'payment_method')) throw error
      // Stripe reports a removed card as an invalid request, without a code of its own.
      const still = await withGatewayErrors(stripe.paymentMethods.retrieve(method)).catch(e => {
        if (!(e instanceof StripeRejectedRequestError && e.code === 'resource_missing')) throw e
      })
      if (stripeIdOf(still?.customer) !== customer) return { outcome: 'failed', reason: 'incorrect-details' } as const
      throw error
    }
  }

  return {
    async charge({ payment, attempt, customer, method, amount, returnPath, metadata, key }) {
      const done = await confirmed(
        stripe.paymentIntents.create(
          {
            amount,
            currency: CURRENCY,
            customer,
            payment_method: method,
            allowed_payment_method_types: ['card'],
            ...(returnPath === undefined ? { off_session: true } : { off_session: false, return_url: origin + returnPath }),
            confirm: true,
            transfer_group: payment,
            metadata: { ...metadata, payment, attempt },
          },
          { idempotencyKey: key },
        ),
        customer,
        method,
      )
      if ('outcome' in done) return done
      const outcome = outcomeOf(done)
      if (outcome.outcome === 'succeeded' || outcome.outcome === 'failed') return outcome
      if (done.status === 'requires_action') return failedOf({ code: 'authentication_required' }, done)
      throw new OutcomeUnknownError(`Stripe is still working on ${done.id} (${done.status}).`)
    },
    async findCharge(payment, attempt) {
      // List the charges instead of searching for them: a list is always up to date, whereas a search by metadata lags behind by up to a
      // minute.
      const { data } = await withGatewayErrors(
        stripe.charges.list({ transfer_group: payment, limit: 100, expand: ['data.payment_intent'] }),
      )
      const tried = data.filter(c => c.payment_intent && c.metadata.attempt === attempt)
      const matchingCharge = tried.find(c => c.paid) ?? tried[0]
      return matchingCharge ? outcomeOf(matchingCharge.payment_intent as Stripe.PaymentIntent) : null
    },
    async authenticatePage({ intent, method, returnUrl, key }) {
      const before = await withGatewayErrors(stripe.paymentIntents.retrieve(intent))
      const done =
        before.status === 'requires_payment_method' || before.status === 'requires_confirmation'
          ? await confirmed(
              stripe.paymentIntents.confirm(intent, { payment_method: method, return_url: returnUrl }, { idempotencyKey: key }),
              stripeIdOf(before.customer),
              method,
            )
          : before
      if ('outcome' in done) return done
      const url = done.next_action?.redirect_to_url?.url
      if (done.status === 'requires_action' && url) return { outcome: 'page', url, intent }
      const outcome = outcomeOf(done)
      if (outcome.outcome === 'succeeded' || outcome.outcome === 'failed') return outcome
      throw new StripeRejectedRequestError(`${intent} is ${done.status}: it cannot be paid.`, 'payment_intent_unexpected_state')
    },
    async outcomeOfIntent(intent) {
      return outcomeOf(await withGatewayErrors(stripe.paymentIntents.retrieve(intent)))
    },
    async abandon(intent, key) {
      try {
        await withGatewayErrors(stripe.paymentIntents.cancel(intent, { cancellation_reason: 'abandoned' }, { idempotencyKey: key }))
        return { outcome: 'canceled', intent }
      } catch (e) {
        const now =
          e instanceof StripeRejectedRequestError ? outcomeOf(await withGatewayErrors(stripe.paymentIntents.retrieve(intent))) : undefined
        if (now?.outcome === 'succeeded' || now?.outcome === 'canceled') return now
        throw e
      }
    },
    async chargesSince(since) {
      const settledCharges: ListedCharge[] = []
      const list = stripe.charges.list({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 })
      await withGatewayErrors(
        list.autoPagingEach(c => {
          if (c.paid) settledCharges.push(listedChargeOf(c))
        }),
      )
      return settledCharges
    },
    async chargesOfPayment(payment) {
      const { data } = await withGatewayErrors(stripe.charges.list({ transfer_group: payment, limit: 100 }))
      return data.filter(c => c.paid && c.metadata.payment === payment).map(listedChargeOf)
    },
    async fetchCharge(charge) {
      const c = await withGatewayErrors(stripe.charges.retrieve(charge))
      return {
        id: c.id,
        intent: stripeIdOf(c.payment_intent),
        payment: c.metadata.payment ?? null,
        attempt: c.metadata.attempt ?? null,
        paid: c.paid,
        amount: c.amount,
      }
    },
  }
}
