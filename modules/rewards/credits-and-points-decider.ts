import { decider } from '../kernel/decider.ts'
import { CommandRefused, type RecordedEvent } from '../kernel/store.ts'
import { FULL_PRICE_TERMS, MAX_POINTS_PER_ASSIGNMENT, PRICE_CHANGED_MESSAGE, type PriceTerms } from '../payments/pricing.ts'
import type { Rewards } from './contract.ts'

/** Stream `perks-<player>`: what makes a player's next assignment cheaper. */
export type CreditsAndPointsEvent =
  | { type: 'CreditsAdded'; data: { purchase: string; folders: number } }
  /** A package was refunded or disputed; `cause` is that refund or dispute. `whole`: also revokes credits that are returned later. */
  | { type: 'CreditsRevoked'; data: { purchase: string; cause: string; folders: number; whole: boolean } }
  /** The refund or dispute did not succeed. */
  | { type: 'CreditsRestored'; data: { purchase: string; cause: string; folders: number } }
  | { type: 'PointsEarned'; data: { payment: string; friend: string; points: number } }
  /**
   * The discounts are reserved for an assignment. `referrer` is the player whose code this player registered with; null if there is none,
   * or if that player's account has been deleted since.
   */
  | { type: 'TermsReserved'; data: { assignment: string; folder: string; player: string; terms: PriceTerms; referrer: string | null } }
  /** The assignment was tried again, so the terms stay reserved for longer. `times` counts these further attempts. */
  | { type: 'TermsKept'; data: { assignment: string; folder: string; player: string; times: number } }
  | { type: 'TermsReturned'; data: { assignment: string } }

/** The credits of one purchase. `left`: the unused ones. `taken`: the revoked ones, by the id of the refund or dispute. */
interface Pack {
  left: number
  taken: Record<string, { folders: number; whole: boolean }>
}
export interface CreditsAndPoints {
  /** Packages by purchase, oldest first; the oldest is used first. */
  packs: Record<string, Pack>
  points: number
  /** Whether the referral discount has been used. */
  referred: boolean
  /** Ids of purchases and payments that have already been counted. */
  counted: string[]
  /** Ids of friends for whom points have already been earned. */
  friends: string[]
  reserved: Record<string, { terms: PriceTerms; referrer: string | null; furtherAttempts: number }>
}

export const unusedPackageCredits = (p: CreditsAndPoints) => Object.values(p.packs).reduce((all, { left }) => all + left, 0)
const oldest = (p: CreditsAndPoints) => Object.keys(p.packs).find(purchase => p.packs[purchase]!.left > 0)

/** Adds credits to a pack, or removes them if `folders` is negative. If the whole pack was revoked, added ones count as revoked, too. */
function addCredits({ left, taken }: Pack, folders: number): Pack {
  const revokedPack = Object.entries(taken).find(([, t]) => t.whole)
  if (!revokedPack || folders < 0) return { left: left + folders, taken }
  const [cause, before] = revokedPack
  return { left, taken: { ...taken, [cause]: { ...before, folders: before.folders + folders } } }
}
const inPack = (p: CreditsAndPoints, purchase: string, change: (pack: Pack) => Pack): CreditsAndPoints['packs'] => {
  const pack = p.packs[purchase]
  return pack ? { ...p.packs, [purchase]: change(pack) } : p.packs
}

const move = (p: CreditsAndPoints, { credit, purchase, referral, points }: PriceTerms, by: 1 | -1): CreditsAndPoints => ({
  ...p,
  packs: credit && purchase ? inPack(p, purchase, pack => addCredits(pack, by)) : p.packs,
  points: p.points + by * points,
  referred: referral ? by < 0 : p.referred,
})

/** That a player registered with another player's referral code. */
export interface Referral {
  /** The player whose code it is; null once that player's account has been deleted, which does not end the discount. */
  referrer: string | null
}

/** The discounts for the next assignment: a package credit; without one, the referral discount (once) and points. */
export function priceTermsOf(p: CreditsAndPoints, referral: Referral | null): PriceTerms {
  const purchase = oldest(p)
  if (purchase) return { ...FULL_PRICE_TERMS, credit: true, purchase }
  return { credit: false, referral: referral !== null && !p.referred, points: Math.min(p.points, MAX_POINTS_PER_ASSIGNMENT) }
}

export const creditsAndPointsDecider = decider<CreditsAndPoints, CreditsAndPointsEvent>()({
  stream: 'perks',
  initial: { packs: {}, points: 0, referred: false, counted: [], friends: [], reserved: {} },
  evolve: {
    CreditsAdded: (p, { purchase, folders }) => ({
      ...p,
      packs: { ...p.packs, [purchase]: { left: folders, taken: {} } },
      counted: [...p.counted, purchase],
    }),
    CreditsRevoked: (p, { purchase, cause, folders, whole }) => ({
      ...p,
      packs: inPack(p, purchase, ({ left, taken }) => ({ left: left - folders, taken: { ...taken, [cause]: { folders, whole } } })),
    }),
    CreditsRestored: (p, { purchase, cause, folders }) => ({
      ...p,
      packs: inPack(p, purchase, ({ left, taken: { [cause]: _, ...taken } }) => addCredits({ left, taken }, folders)),
    }),
    PointsEarned: (p, { payment, friend, points }) => ({
      ...p,
      points: p.points + points,
      counted: [...p.counted, payment],
      friends: [...p.friends, friend],
    }),
    TermsReserved: (p, { assignment, terms: given, referrer }) => {
      // Old events do not record which package a credit came from.
      const terms = given.credit ? { ...given, purchase: given.purchase ?? oldest(p) } : given
      return { ...move(p, terms, -1), reserved: { ...p.reserved, [assignment]: { terms, referrer, furtherAttempts: 0 } } }
    },
    TermsKept: (p, { assignment, times: furtherAttempts }) => {
      const reservation = p.reserved[assignment]
      return reservation ? { ...p, reserved: { ...p.reserved, [assignment]: { ...reservation, furtherAttempts } } } : p
    },
    TermsReturned: (p, { assignment }) => {
      const { [assignment]: back, ...reserved } = p.reserved
      return { ...move(p, back!.terms, 1), reserved }
    },
  },
  decide: {
    credit: (p, c: { purchase: string; folders: number }) => (p.counted.includes(c.purchase) ? [] : { type: 'CreditsAdded', data: c }),
    /** Revokes unused credits of a package: all of them if `whole`, otherwise at most `folders`. */
    revoke: (p, { purchase, cause, folders, whole }: { purchase: string; cause: string; folders: number; whole: boolean }) => {
      const pack = p.packs[purchase]
      if (!pack || pack.taken[cause]) return []
      return { type: 'CreditsRevoked', data: { purchase, cause, folders: whole ? pack.left : Math.min(folders, pack.left), whole } }
    },
    restore: (p, { purchase, cause }: { purchase: string; cause: string }) => {
      const taken = p.packs[purchase]?.taken[cause]
      return taken ? { type: 'CreditsRestored', data: { purchase, cause, folders: taken.folders } } : []
    },
    /** Earns points for a friend's first paid folder; later folders earn nothing. */
    earn: (p, c: { payment: string; friend: string; points: number }) =>
      p.counted.includes(c.payment) || p.friends.includes(c.friend) ? [] : { type: 'PointsEarned', data: c },
    /**
     * Reserves the discounts of an assignment; no event if there are none. If they are already reserved, records a further attempt.
     * @throws CommandRefused if `terms`, those of the price that the player saw, no longer apply
     */
    reserve: (p, c: { assignment: string; folder: string; player: string; referral: Referral | null; terms: PriceTerms }) => {
      const { assignment, folder, player, referral, terms } = c
      const before = p.reserved[assignment]
      if (before) return { type: 'TermsKept', data: { assignment, folder, player, times: before.furtherAttempts + 1 } }
      const due = priceTermsOf(p, referral)
      if (due.credit !== terms.credit || due.purchase !== terms.purchase || due.referral !== terms.referral || due.points !== terms.points)
        throw new CommandRefused(PRICE_CHANGED_MESSAGE, 'price-changed')
      const data = { assignment, folder, player, referrer: referral?.referrer ?? null, terms }
      return due.credit || due.referral || due.points > 0 ? { type: 'TermsReserved', data } : []
    },
    /**
     * Gives the player back the discounts of an assignment that did not happen. `furtherAttempts`: how many further attempts the caller
     * knows of; if there were more, the discounts stay reserved. If absent, the number does not matter.
     */
    giveBack: (p, { assignment, furtherAttempts }: { assignment: string; furtherAttempts?: number }) => {
      const reservation = p.reserved[assignment]
      return reservation && (furtherAttempts === undefined || furtherAttempts === reservation.furtherAttempts)
        ? { type: 'TermsReturned', data: { assignment } }
        : []
    },
  },
})

/** The history of points, oldest first, including points that were spent and returned. */
export function pointsHistoryOf(events: readonly RecordedEvent[]): Rewards['history'] {
  const spent = new Map<string, number>()
  return events.flatMap((recorded): Rewards['history'] => {
    const { at } = recorded
    const e = recorded as unknown as CreditsAndPointsEvent
    if (e.type === 'PointsEarned') return [{ at, type: 'earned', points: e.data.points }]
    if (e.type === 'TermsReserved') {
      spent.set(e.data.assignment, e.data.terms.points)
      return e.data.terms.points ? [{ at, type: 'spent', points: -e.data.terms.points }] : []
    }
    const back = e.type === 'TermsReturned' && spent.get(e.data.assignment)
    return back ? [{ at, type: 'returned', points: back }] : []
  })
}
