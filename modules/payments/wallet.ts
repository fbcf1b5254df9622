import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'

/** Stream `wallet-<id of a player or a guardian>`. It holds the provider's ids, and what the owner recognizes a card by. */
export type WalletEvent =
  | { type: 'CustomerMade'; data: { customer: string } }
  | { type: 'CardSaved'; data: SavedCard }
  /** A guardian took over a card that their child had saved: it stays with the child's `customer` at the provider. */
  | { type: 'CardTakenOver'; data: SavedCard & { customer: string; player: string } }
  /** The same change in the child's wallet. */
  | { type: 'CardHandedOver'; data: { card: string; guardian: string } }
  | { type: 'CardPreferred'; data: { card: string } }
  | { type: 'CardRemoved'; data: { card: string } }
  /**
   * A folder is being assigned. Its payer must keep at least one card until the time `until` (ISO 8601), because the read models may lag
   * and not know yet that the assignment needs one.
   */
  | { type: 'CardHeld'; data: { assignment: string; until: string } }
  /** The assignment did not happen. */
  | { type: 'CardReleased'; data: { assignment: string } }

export interface SavedCard {
  card: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** The card's customer id at the provider, if it differs from this wallet's. */
  customer?: string
}
export interface Wallet {
  customer: string | null
  /** The saved cards, oldest first. */
  cards: SavedCard[]
  /** The default card: the last one saved or chosen. */
  preferred: string | null
  /** When each hold ends, by assignment, ISO 8601. Until then the last card cannot be removed. */
  held: Record<string, string>
}

/** The card data that a payment attempt stores. */
export const toUsedCard = ({ card: id, brand, last4 }: SavedCard) => ({ id, brand, last4 })

/** The provider's customer id for charging this card. */
export const customerOfCard = (w: Wallet, { customer }: SavedCard): string => customer ?? w.customer!

/** The requested card, or the default card. @throws CommandRefused if there is no such card */
export function requestedOrDefaultCard(w: Wallet, wanted?: string): SavedCard {
  const card = w.cards.find(c => c.card === (wanted ?? w.preferred))
  if (card) return card
  throw wanted
    ? new CommandRefused('That card is not saved anymore. Choose another one.', 'no-card', 'card')
    : new CommandRefused('Save a card first.', 'card-needed')
}

/** @throws CommandRefused if no card is saved, not even an expired one */
export function assertHasAnyCard(w: Wallet) {
  if (!w.cards.length) throw new CommandRefused('Save a card first. You pay only after the feedback.', 'card-needed')
}

/**
 * Whether a card is saved that has not expired. A card is valid until its last month ends; banks often renew an expired one on their own.
 */
export const hasValidCard = (w: Wallet, now: Date) => w.cards.some(c => Date.UTC(c.expYear, c.expMonth) > now.getTime())

const withCard = (w: Wallet, card: SavedCard): Wallet => ({
  ...w,
  cards: [...w.cards.filter(c => c.card !== card.card), card],
  preferred: card.card,
})
const withoutCard = (w: Wallet, card: string): Wallet => {
  const cards = w.cards.filter(c => c.card !== card)
  return { ...w, cards, preferred: w.preferred === card ? (cards.at(-1)?.card ?? null) : w.preferred }
}

/** The cards of a player, or of a guardian, at the payment provider. */
export const walletDecider = decider<Wallet, WalletEvent>()({
  stream: 'wallet',
  initial: { customer: null, cards: [], preferred: null, held: {} },
  evolve: {
    CustomerMade: (w, { customer }) => ({ ...w, customer }),
    CardSaved: withCard,
    CardTakenOver: (w, { player: _, ...card }) => withCard(w, card),
    CardHandedOver: (w, { card }) => withoutCard(w, card),
    CardPreferred: (w, { card }) => ({ ...w, preferred: card }),
    CardRemoved: (w, { card }) => withoutCard(w, card),
    CardHeld: (w, { assignment, until }) => ({ ...w, held: { ...w.held, [assignment]: until } }),
    CardReleased: (w, { assignment }) => ({ ...w, held: Object.fromEntries(Object.entries(w.held).filter(([id]) => id !== assignment)) }),
  },
  decide: {
    begin: (w, { customer }: { customer: string }) => (w.customer ? [] : { type: 'CustomerMade', data: { customer } }),
    save: (w, card: SavedCard) => (w.cards.some(c => c.card === card.card) ? [] : { type: 'CardSaved', data: card }),
    takeOver: (w, card: SavedCard & { customer: string; player: string }) =>
      w.cards.some(c => c.card === card.card) ? [] : { type: 'CardTakenOver', data: card },
    handOver: (w, c: { card: string; guardian: string }) =>
      w.cards.some(({ card }) => card === c.card) ? { type: 'CardHandedOver', data: c } : [],
    prefer: (w, { card }: { card: string }) => {
      requestedOrDefaultCard(w, card)
      return w.preferred === card ? [] : { type: 'CardPreferred', data: { card } }
    },
    hold: (w, c: { assignment: string; until: string }) => {
      assertHasAnyCard(w)
      return (w.held[c.assignment] ?? '') >= c.until ? [] : { type: 'CardHeld', data: c }
    },
    release: (w, { assignment }: { assignment: string }) => (w.held[assignment] ? { type: 'CardReleased', data: { assignment } } : []),
    /** `needed`: something is assigned or unpaid at `now`, so the last card cannot be removed. */
    remove: (w, { card, needed, now }: { card: string; needed: boolean; now: string }) => {
      if (!w.cards.some(c => c.card === card)) return []
      if ((needed || Object.values(w.held).some(until => now < until)) && w.cards.length === 1) {
        throw new CommandRefused('This card pays for feedback in progress. Save another card first.', 'card-in-use')
      }
      return { type: 'CardRemoved', data: { card } }
    },
  },
})
