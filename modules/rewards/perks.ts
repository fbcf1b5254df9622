import { decider } from '../kernel/decider.ts'
import type { Recorded } from '../kernel/store.ts'
import { fullPrice, POINTS_MOST, type Terms } from '../payments/pricing.ts'
import type { Rewards } from './contract.ts'

/** Stream `perks-<player>`: what makes a player's next assignment cheaper. */
export type PerksEvent =
  | { type: 'CreditsAdded'; data: { purchase: string; folders: number } }
  | { type: 'PointsEarned'; data: { payment: string; friend: string; points: number } }
  /** Set aside for an assignment. `referrer` brought this player here. */
  | { type: 'TermsReserved'; data: { assignment: string; folder: string; player: string; terms: Terms; referrer: string | null } }
  | { type: 'TermsReturned'; data: { assignment: string } }

export interface Perks {
  credits: number
  points: number
  /** The referral discount was used. */
  referred: boolean
  /** Purchases and payments that were counted. */
  counted: string[]
  reserved: Record<string, { terms: Terms; referrer: string | null }>
}

const move = (p: Perks, { credit, referral, points }: Terms, by: 1 | -1): Perks => ({
  ...p,
  credits: p.credits + (credit ? by : 0),
  points: p.points + by * points,
  referred: referral ? by < 0 : p.referred,
})

/** What the next assignment gets: a package credit; else the friend's discount, once, and points. */
export function termsOf(p: Perks, referrer: string | null): Terms {
  if (p.credits > 0) return { ...fullPrice, credit: true }
  return { credit: false, referral: referrer !== null && !p.referred, points: Math.min(p.points, POINTS_MOST) }
}

export const perks = decider<Perks, PerksEvent>()({
  stream: 'perks',
  initial: { credits: 0, points: 0, referred: false, counted: [], reserved: {} },
  evolve: {
    CreditsAdded: (p, { purchase, folders }) => ({ ...p, credits: p.credits + folders, counted: [...p.counted, purchase] }),
    PointsEarned: (p, { payment, points }) => ({ ...p, points: p.points + points, counted: [...p.counted, payment] }),
    TermsReserved: (p, { assignment, terms, referrer }) => ({
      ...move(p, terms, -1),
      reserved: { ...p.reserved, [assignment]: { terms, referrer } },
    }),
    TermsReturned: (p, { assignment }) => {
      const { [assignment]: back, ...reserved } = p.reserved
      return { ...move(p, back!.terms, 1), reserved }
    },
  },
  decide: {
    credit: (p, c: { purchase: string; folders: number }) => (p.counted.includes(c.purchase) ? [] : { type: 'CreditsAdded', data: c }),
    earn: (p, c: { payment: string; friend: string; points: number }) =>
      p.counted.includes(c.payment) ? [] : { type: 'PointsEarned', data: c },
    /** Silent where there is nothing to set aside. */
    reserve: (p, c: { assignment: string; folder: string; player: string; referrer: string | null }) => {
      const terms = termsOf(p, c.referrer)
      const nothing = !terms.credit && !terms.referral && terms.points === 0
      return p.reserved[c.assignment] || nothing ? [] : { type: 'TermsReserved', data: { ...c, terms } }
    },
    /** The assignment came to nothing. */
    giveBack: (p, { assignment }: { assignment: string }) =>
      p.reserved[assignment] ? { type: 'TermsReturned', data: { assignment } } : [],
  },
})

/** How the points came and went, oldest first. What was spent and came back stays in the story. */
export function historyOf(events: readonly Recorded[]): Rewards['history'] {
  const spent = new Map<string, number>()
  return events.flatMap((recorded): Rewards['history'] => {
    const { at } = recorded
    const e = recorded as unknown as PerksEvent
    if (e.type === 'PointsEarned') return [{ at, type: 'earned', points: e.data.points }]
    if (e.type === 'TermsReserved') {
      spent.set(e.data.assignment, e.data.terms.points)
      return e.data.terms.points ? [{ at, type: 'spent', points: -e.data.terms.points }] : []
    }
    const back = e.type === 'TermsReturned' && spent.get(e.data.assignment)
    return back ? [{ at, type: 'returned', points: back }] : []
  })
}
