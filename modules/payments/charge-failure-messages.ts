import type { PaymentFailureReason } from './contract.ts'

const messages: Record<PaymentFailureReason, string> = {
  'expired-card': 'This card has expired. Pay with another card.',
  'insufficient-funds': 'This card has insufficient funds. Pay with another card, or try again later.',
  'incorrect-details': 'The card information is incorrect. Add the card again, or pay with another card.',
  'authentication-needed': 'Your bank needs to verify that it is you. Confirm the payment with your bank.',
  declined: 'The bank declined this card. Pay with another card, or ask your bank.',
  'processing-error': 'The payment could not be processed and nothing was charged. Try again in a moment.',
}

/** Why a card was not charged, and what to do next, for its owner. */
export const describeChargeFailure = (reason: PaymentFailureReason) => ({ reason, message: messages[reason] })
