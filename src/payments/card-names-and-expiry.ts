import type { PaymentCard } from '../../modules/payments/contract.ts'

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}
const brandOf = (card: { brand: string }) => brands[card.brand] ?? 'Card'
/** 'Visa ending in 4242' */
export const cardName = (card: { brand: string; last4: string }) => `${brandOf(card)} ending in ${card.last4}`
/** 'Apr 2030' */
export const cardExpiryMonth = (card: PaymentCard) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric' }).format(new Date(card.expYear, card.expMonth - 1))
export const isCardExpired = (card: PaymentCard, now = new Date()) =>
  card.expYear < now.getFullYear() || (card.expYear === now.getFullYear() && card.expMonth < now.getMonth() + 1)
/** The card that pays by default; undefined if there are no cards. */
export const preferredCard = (cards: PaymentCard[]) => cards.find(c => c.preferred) ?? cards[0]
