import type { PersonalTextFields } from '../privacy/get-and-set-texts-by-path.ts'
import type { PurchaseEvent } from './package-purchase.ts'
import type { PaymentEvent } from './payment.ts'
import type { PayoutAccountOrDebtEvent } from './payout-account-and-debt-decider.ts'

/** The reason for a refund is encrypted with the player's key. Amounts stay readable. */
export const paymentPersonalTextFields: PersonalTextFields<PaymentEvent> = {
  stream: 'payment',
  person: first => (first as Extract<PaymentEvent, { type: 'PaymentAgreed' | 'PaymentOpened' }>).data.player,
  fields: {
    PaymentAgreed: [],
    PaymentOpened: [],
    PaymentAttempted: [],
    PaymentFailed: [],
    AttemptAbandoned: [],
    PaymentSucceeded: [],
    ChargeDoubled: [],
    DoubledChargeReturned: [],
    TransferMade: [],
    TransferReversed: [],
    TransferOwed: [],
    ShareRefused: [],
    RefundAsked: ['reason'],
    PaymentRefunded: ['reason'],
    RefundFailed: [],
    ChargebackOpened: [],
    ChargebackClosed: [],
  },
}

/** The reason for waiving a debt is encrypted with the key of the instructor who owed it. */
export const payoutPersonalTextFields: PersonalTextFields<PayoutAccountOrDebtEvent> = {
  stream: 'payout',
  person: 'id',
  fields: {
    PayoutAccountOpened: [],
    PayoutAccountChanged: [],
    ShareHeld: [],
    DebtIncurred: [],
    DebtNetted: [],
    DebtWaived: ['reason'],
  },
}

export const purchasePersonalTextFields: PersonalTextFields<PurchaseEvent> = {
  stream: 'purchase',
  person: first => first.data.player,
  fields: {
    PackageBought: [],
    PackageRefundAsked: ['reason'],
    PackageRefunded: [],
    PackageRefundFailed: [],
    PackageDisputed: [],
    PackageDisputeClosed: [],
  },
}
