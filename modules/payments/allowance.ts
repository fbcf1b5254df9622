import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'

/** Stream `allowance-<player>`: what a minor may spend of the guardian's money without asking. Cents. */
export type AllowanceEvent =
  /** `monthly`: null if every session needs the guardian's approval. */
  | { type: 'SpendingLimitSet'; data: { guardian: string; monthly: number | null } }
  /**
   * A session is being assigned in this month (`2026-05`). Until it has a bill, its maximum price counts toward the limit. `attempt` is the
   * id of the attempt to assign it, `guardian` the one who pays; old events have neither.
   */
  | { type: 'SpendingCounted'; data: Counted & { month: string; cents: number; attempt?: string; guardian?: string } }
  /** The assignment was tried again, so the session still counts toward the limit if an earlier attempt fails. */
  | { type: 'SpendingKept'; data: Counted & { attempt: string } }
  /** The bill was lower, the session ended without feedback, or the assignment failed. */
  | { type: 'SpendingCorrected'; data: { assignment: string; cents: number } }

interface Counted {
  assignment: string
  folder: string
  player: string
}

export interface Allowance {
  /** The guardian who set the limit; it does not apply to another guardian. */
  guardian: string | null
  monthly: number | null
  /** The counted sessions by assignment, with their month, their cost, the last attempt to assign them, and the guardian who pays. */
  spent: Record<string, { month: string; cents: number; attempt: string | undefined; guardian: string | undefined }>
}

/** The month, such as `2026-05`, in which `at` falls in this time zone. */
export function monthOf(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: '2-digit', timeZone }).formatToParts(at)
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}`
}

/** The limit that this guardian set, in cents per month; null if they set none and so have to be asked each time. */
export const monthlyLimitOf = (a: Allowance, guardian: string) => (a.guardian === guardian ? a.monthly : null)

/**
 * The cost of this month's sessions for this guardian in cents; sessions without a bill count at their maximum. What a former guardian pays
 * is not counted.
 */
export const centsSpentInMonth = (a: Allowance, month: string, guardian: string) =>
  Object.values(a.spent)
    .filter(s => s.month === month && (s.guardian ?? guardian) === guardian)
    .reduce((all, s) => all + s.cents, 0)

interface Counting extends Counted {
  attempt: string
  month: string
  cents: number
  guardian: string
  /** Whether the guardian approved this session, so that it is counted even if it exceeds the limit. */
  approved: boolean
}

/** How much a minor may spend without asking the guardian. */
export const allowanceDecider = decider<Allowance, AllowanceEvent>()({
  stream: 'allowance',
  initial: { guardian: null, monthly: null, spent: {} },
  evolve: {
    SpendingLimitSet: (a, { guardian, monthly }) => ({ ...a, guardian, monthly }),
    SpendingCounted: (a, { assignment, month, cents, attempt, guardian }) => ({
      ...a,
      spent: { ...a.spent, [assignment]: { month, cents, attempt, guardian } },
    }),
    SpendingKept: (a, { assignment, attempt }) => ({ ...a, spent: { ...a.spent, [assignment]: { ...a.spent[assignment]!, attempt } } }),
    SpendingCorrected: (a, { assignment, cents }) => ({ ...a, spent: { ...a.spent, [assignment]: { ...a.spent[assignment]!, cents } } }),
  },
  decide: {
    limit: (a, c: { guardian: string; monthly: number | null }) =>
      monthlyLimitOf(a, c.guardian) === c.monthly ? [] : { type: 'SpendingLimitSet', data: c },
    /** @throws CommandRefused `approval-needed` if the guardian has to be asked */
    count: (a, { approved, ...c }: Counting) => {
      if (a.spent[c.assignment]?.cents) {
        const { assignment, folder, player, attempt } = c
        return { type: 'SpendingKept', data: { assignment, folder, player, attempt } }
      }
      if (!approved && c.cents > (monthlyLimitOf(a, c.guardian) ?? 0) - centsSpentInMonth(a, c.month, c.guardian)) {
        throw new CommandRefused('Your parent or guardian has to approve this session first.', 'approval-needed')
      }
      return { type: 'SpendingCounted', data: c }
    },
    /** `attempt`: the attempt that failed. Nothing is corrected if the assignment has been tried again since. */
    correct: (a, { assignment, cents, attempt }: { assignment: string; cents: number; attempt?: string | undefined }) => {
      const counted = a.spent[assignment]
      if (attempt !== undefined && counted?.attempt !== attempt) return []
      return counted && counted.cents !== cents ? { type: 'SpendingCorrected', data: { assignment, cents } } : []
    },
  },
})
