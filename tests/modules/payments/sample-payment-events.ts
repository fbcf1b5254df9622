import { type PaymentEvent, paymentDecider } from '../../../modules/payments/payment.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

export const paymentParties = { folder: 'f1', player: 'p1', instructor: 'i1' }
export const PAYMENT_TIME = '2026-03-01T12:00:00.000Z'
const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
export const sampleBill = {
  ...paymentParties,
  items: [
    { label: 'Feedback session', cents: 1500 },
    { label: 'Media Service Fee: 1 video', cents: 50 },
  ],
  total: 1550,
  share: 1200,
  opened: PAYMENT_TIME,
  due: '2026-03-08T12:00:00.000Z',
}
export const paymentOpened: PaymentEvent = { type: 'PaymentOpened', data: sampleBill }
export const paymentAttempted = (attempt: string, tip = 0): PaymentEvent => ({
  type: 'PaymentAttempted',
  data: { attempt, customer: 'cus_1', card, amount: 1550 + tip, tip, by: 'player', at: PAYMENT_TIME },
})
export const paymentFailed = (
  attempt: string,
  reason: 'declined' | 'authentication-needed' = 'declined',
  intent: string | null = null,
): PaymentEvent => ({
  type: 'PaymentFailed',
  data: { ...paymentParties, attempt, reason, intent, by: 'player' },
})
export const paymentSucceeded = (attempt: string, tip = 0): PaymentEvent => ({
  type: 'PaymentSucceeded',
  data: { ...paymentParties, attempt, intent: `pi_${attempt}`, charge: `ch_${attempt}`, amount: 1550 + tip, tip, at: PAYMENT_TIME },
})
export const transferMade: PaymentEvent = {
  type: 'TransferMade',
  data: { transfer: 'tr_1', account: 'acct_1', amount: 1500, at: PAYMENT_TIME },
}
export const transferReversed = (transfer = 'tr_1'): PaymentEvent => ({
  type: 'TransferReversed',
  data: { transfer, reversal: 'trr_1', amount: 1500 },
})
export const refundAsked = (refund: string, amount: number): PaymentEvent => ({
  type: 'RefundAsked',
  data: { refund, amount, reason: 'Wrong folder' },
})
export const chargebackOpened: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'dp_1', amount: 1550 } }
export const chargebackClosed = (outcome: 'won' | 'lost', dispute = 'dp_1'): PaymentEvent => ({
  type: 'ChargebackClosed',
  data: { dispute, outcome },
})

export const { given: givenPaymentEvents } = deciderSpec(paymentDecider)
export const attemptCommand = (id: string, more = {}) => ({
  id,
  customer: 'cus_1',
  card,
  tip: 0,
  by: 'player' as const,
  at: PAYMENT_TIME,
  total: 1550,
  ...more,
})
export const succeedCommand = (id: string) => ({ attempt: id, intent: `pi_${id}`, charge: `ch_${id}`, amount: 1550, at: PAYMENT_TIME })
