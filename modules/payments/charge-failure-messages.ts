import type { PaymentFailureReason } from './contract.ts'

const causesAndAdvice: Record<PaymentFailureReason, { cause: string; advice: string }> = {
  'expired-card': { cause: 'This card has expired.', advice: 'Pay with another card.' },
  'insufficient-funds': { cause: 'This card has insufficient funds.', advice: 'Pay with another card, or try again later.' },
  'incorrect-details': { cause: 'The card information is incorrect.', advice: 'Add the card again, or pay with another card.' },
  'authentication-needed': { cause: 'Your bank needs to verify that it is you.', advice: 'Confirm the payment with your bank.' },
  declined: { cause: 'The bank declined this card.', advice: 'Pay with another card, or ask your bank.' },
  'processing-error': { cause: 'The payment could not be processed and nothing was charged.', advice: 'Try again in a moment.' },
}

/** Why a card was not charged, and what to do next, for its owner. */
export const describeChargeFailure = (reason: PaymentFailureReason) => {
  const { cause, advice } = causesAndAdvice[reason]
  return { reason, message: `${cause} ${advice}` }
}

/** Why a card was not charged, for an owner whose account is closed and who cannot follow the advice. */
export const chargeFailureCause = (reason: PaymentFailureReason) => causesAndAdvice[reason].cause
