/** Why a bank declines a card: Stripe's code, and the bank's. */
export interface CardDecline {
  code: string
  decline_code?: string
  message: string
}
export interface TestCard {
  number: string
  brand: 'visa' | 'mastercard' | 'amex' | 'discover'
  /** Stripe's test payment methods that represent this card. */
  tokens: string[]
  /** What the sandbox's pages say about the card's behavior. */
  does: string
  /** The decline when the card is saved or first attached. */
  save?: CardDecline
  /** The decline when the card is charged. */
  charge?: CardDecline
  /**
   * When the bank requires authentication. `once`: when the card is saved and when the cardholder is present, but not for off-session
   * payments after that. `always`: when the card is saved and for every payment. `on-session`: only when the cardholder is present.
   */
  authenticate?: 'once' | 'always' | 'on-session'
  risk?: 'elevated' | 'highest'
  disputed?: boolean
  /** A refund to this card stays pending until the bank answers. */
  refund?: 'pending'
  /** Whether the card form lists this card. */
  listed?: boolean
}

const decline = (code: string, message: string, decline_code?: string): CardDecline => ({
  code,
  message,
  ...(decline_code && { decline_code }),
})
const no = decline('card_declined', 'Your card was declined.', 'generic_decline')
const refused = (why: CardDecline) => ({ save: why, charge: why })

export const testCards: TestCard[] = [
  { number: '4242424242424242', brand: 'visa', tokens: ['pm_card_visa', 'pm_card_us'], does: 'Succeeds', listed: true },
  { number: '5555555555554444', brand: 'mastercard', tokens: ['pm_card_mastercard'], does: 'Succeeds (Mastercard)', listed: true },
  { number: '378282246310005', brand: 'amex', tokens: ['pm_card_amex'], does: 'Succeeds (Amex, four-digit CVC)' },
  { number: '6011111111111117', brand: 'discover', tokens: ['pm_card_discover'], does: 'Succeeds (Discover)' },
  { number: '4000056655665556', brand: 'visa', tokens: ['pm_card_visa_debit'], does: 'Succeeds (debit)' },
  {
    number: '4000002500003155',
    brand: 'visa',
    tokens: ['pm_card_authenticationRequiredOnSetup'],
    does: 'Asks for authentication when saved, then never again',
    authenticate: 'once',
    listed: true,
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    tokens: ['pm_card_authenticationRequired'],
    does: 'Asks for authentication every time',
    authenticate: 'always',
    listed: true,
  },
  {
    number: '4000000000003220',
    brand: 'visa',
    tokens: ['pm_card_threeDSecure2Required'],
    does: '3-D Secure required',
    authenticate: 'always',
  },
  {
    number: '4000003800000446',
    brand: 'visa',
    tokens: ['pm_card_authenticationRequiredSetupForOffSession'],
    does: 'Set up already: asks only when its owner is present',
    authenticate: 'on-session',
  },
  {
    number: '4000008260003178',
    brand: 'visa',
    tokens: ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'],
    does: 'Asks for authentication, then has insufficient funds',
    authenticate: 'always',
    charge: decline('card_declined', 'Your card has insufficient funds.', 'insufficient_funds'),
    listed: true,
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    tokens: ['pm_card_chargeCustomerFail'],
    does: 'Can be saved, then is declined when charged',
    charge: no,
    listed: true,
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    tokens: ['pm_card_visa_chargeDeclined', 'pm_card_chargeDeclined'],
    does: 'Declined',
    ...refused(no),
    listed: true,
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    tokens: ['pm_card_visa_chargeDeclinedInsufficientFunds', 'pm_card_chargeDeclinedInsufficientFunds'],
    does: 'Insufficient funds',
    ...refused(decline('card_declined', 'Your card has insufficient funds.', 'insufficient_funds')),
    listed: true,
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    tokens: ['pm_card_chargeDeclinedExpiredCard'],
    does: 'Expired',
    ...refused(decline('expired_card', 'Your card has expired.', 'expired_card')),
    listed: true,
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    tokens: ['pm_card_chargeDeclinedIncorrectCvc'],
    does: 'Incorrect CVC',
    ...refused(decline('incorrect_cvc', "Your card's security code is incorrect.", 'incorrect_cvc')),
    listed: true,
  },
  {
    number: '4000000000000119',
    brand: 'visa',
    tokens: ['pm_card_chargeDeclinedProcessingError'],
    does: 'Processing error',
    ...refused(decline('processing_error', 'An error occurred while processing your card. Try again in a little bit.', 'processing_error')),
    listed: true,
  },
  {
    number: '4000000000009987',
    brand: 'visa',
    tokens: ['pm_card_visa_chargeDeclinedLostCard', 'pm_card_chargeDeclinedLostCard'],
    does: 'Lost card',
    ...refused(decline('card_declined', 'Your card was declined.', 'lost_card')),
    listed: true,
  },
  {
    number: '4000000000009979',
    brand: 'visa',
    tokens: ['pm_card_visa_chargeDeclinedStolenCard', 'pm_card_chargeDeclinedStolenCard'],
    does: 'Stolen card',
    ...refused(decline('card_declined', 'Your card was declined.', 'stolen_card')),
  },
  {
    number: '4000000000006975',
    brand: 'visa',
    tokens: ['pm_card_visa_chargeDeclinedVelocityLimitExceeded'],
    does: 'Used too often',
    ...refused(decline('card_declined', 'Your card was declined for making repeated attempts too frequently.', 'card_velocity_exceeded')),
  },
  {
    number: '4000000000009235',
    brand: 'visa',
    tokens: ['pm_card_riskLevelElevated'],
    does: 'Succeeds at elevated risk',
    risk: 'elevated',
    listed: true,
  },
  {
    number: '4100000000000019',
    brand: 'visa',
    tokens: ['pm_card_radarBlock'],
    does: 'Blocked as fraud',
    risk: 'highest',
    charge: decline('card_declined', 'Your card was declined.', 'fraudulent'),
    listed: true,
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    tokens: ['pm_card_createDispute'],
    does: 'Succeeds, then is disputed',
    disputed: true,
    listed: true,
  },
  {
    number: '4000000000007726',
    brand: 'visa',
    tokens: ['pm_card_pendingRefund'],
    does: 'Succeeds; a refund to it is pending',
    refund: 'pending',
  },
]

export const testCardByNumber = (number: string) => testCards.find(c => c.number === number)
export const testCardByToken = (token: string) => testCards.find(c => c.tokens.includes(token))

/** Whether a card number has 12 to 19 digits and passes the Luhn check. */
export function passesLuhn(number: string) {
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}
