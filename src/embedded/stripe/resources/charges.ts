import type Stripe from 'stripe'
import type { ApiHandler } from '../api-handler-types.ts'
import { pageOfList } from '../paginate-lists-and-searches.ts'
import { newStripeId, type SandboxStore, wallClockSeconds } from '../store.ts'
import { noSuchObject } from '../stripe-error.ts'
import type { CardDecline, TestCard } from '../test-cards.ts'
import { addBalanceTransaction } from './balance.ts'
import { emitStripeEvent } from './events.ts'

/** Stripe's fee for a card payment in cents: 2.9% plus 30 cents. */
const fee = (amount: number) => Math.round(amount * 0.029) + 30

/** Records a charge with the bank's decision. Declined charges are recorded, too. */
export function addCharge(
  store: SandboxStore,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  card: TestCard,
  decline: CardDecline | undefined,
  authenticated: boolean,
) {
  const id = newStripeId('ch')
  const { checks, country, exp_month, exp_year, fingerprint, funding, last4 } = method.card!
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: decline ? null : addBalanceTransaction(store, 'charge', id, intent.amount, fee(intent.amount)),
    billing_details: { ...method.billing_details, tax_id: null },
    calculated_statement_descriptor: 'DIAMONDLINK',
    captured: !decline,
    created: wallClockSeconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: decline ? '01' : null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline?.decline_code ?? decline?.code ?? null,
      risk_level: card.risk ?? 'normal',
      risk_score: card.risk === 'highest' ? 90 : card.risk === 'elevated' ? 68 : 12,
      seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: decline ? (card.risk === 'highest' ? 'blocked' : 'issuer_declined') : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      card: {
        amount_authorized: decline ? null : intent.amount,
        authorization_code: decline ? null : '123456',
        brand: card.brand,
        checks,
        country,
        electronic_commerce_indicator: null,
        exp_month,
        exp_year,
        fingerprint: fingerprint ?? null,
        funding,
        installments: null,
        last4,
        mandate: null,
        network: card.brand,
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: authenticated
          ? {
              authentication_flow: 'challenge',
              electronic_commerce_indicator: '05',
              exemption_indicator: null,
              result: 'authenticated',
              result_reason: null,
              transaction_id: newStripeId('tx'),
              version: '2.2.0',
            }
          : null,
        transaction_link_id: null,
        wallet: null,
      },
      type: 'card',
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  }
  store.put('charge', charge)
  emitStripeEvent(store, decline ? 'charge.failed' : 'charge.succeeded', charge)
  return charge
}

export function findChargeOrThrow(store: SandboxStore, id: string, param = 'charge') {
  const found = store.get('charge', id)
  if (!found) throw noSuchObject('charge', id, param, param === 'id' ? 404 : 400)
  return found
}
export const retrieveCharge: ApiHandler = ({ store, at: [id] }) => findChargeOrThrow(store, id!, 'id')
export const listCharges: ApiHandler = call =>
  pageOfList(call, call.store.all('charge'), {
    customer: c => c.customer,
    payment_intent: c => c.payment_intent,
    transfer_group: c => c.transfer_group,
  })
