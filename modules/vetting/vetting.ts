import type { CheckKind, VettingStatus } from '../instructors/contract.ts'
import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { NewCheck } from './contract.ts'
import { isCheckExpired } from './policy.ts'

/** Stream `vetting-<instructor>`. Each event's metadata names who did it. Days are `YYYY-MM-DD`. */
export type VettingEvent =
  | { type: 'EmailConfirmed'; data: object }
  | { type: 'CheckRecorded'; data: NewCheck }
  | { type: 'CheckWithdrawn'; data: { check: CheckKind; reason: string } }
  | { type: 'InstructorApproved'; data: object }
  | { type: 'InstructorDeclined'; data: { reason: string } }
  | { type: 'InstructorSuspended'; data: { reason: string } }
  | { type: 'InstructorReinstated'; data: { status: 'pending' | 'approved' } }
  /** `until`: ISO 8601; null if the instructor is no longer featured. */
  | { type: 'InstructorFeatured'; data: { until: string | null } }

type Check = Omit<NewCheck, 'check'>

export interface Vetting {
  status: VettingStatus
  /** The status before a suspension, which a reinstatement restores. */
  statusBefore: 'pending' | 'approved'
  /** Why an administrator has declined or suspended the instructor. */
  reason: string | null
  emailConfirmed: boolean
  checks: Partial<Record<CheckKind, Check>>
  featuredUntil: string | null
}

/** Checks that are tied to the instructor's name, so that they end when the instructor changes it. */
const CHECKS_OF_NAMED_PERSON: readonly CheckKind[] = ['identity', 'background']
/** An expired check stays, because it keeps the instructor from minors until it is repeated. */
export const checksEndedByNameChange = ({ checks }: Pick<Vetting, 'checks'>, today: string) =>
  CHECKS_OF_NAMED_PERSON.filter(check => checks[check] && !isCheckExpired(checks[check], today))

/**
 * Who can reach an instructor: `open` to everybody, `invited` only to players whom the instructor has invited, `closed` to nobody.
 * For minors, an instructor with an expired check counts as pending.
 */
export type InstructorReachability = 'open' | 'invited' | 'closed'
export function instructorReachabilityOf(
  { status, checks }: Pick<Vetting, 'status' | 'checks'>,
  today: string,
  minor: boolean,
): InstructorReachability {
  if (status === 'suspended' || status === 'declined') return 'closed'
  if (status === 'pending') return 'invited'
  return minor && Object.values(checks).some(check => isCheckExpired(check, today)) ? 'invited' : 'open'
}

const sameCheck = (a: Check | undefined, b: Check) =>
  a !== undefined && a.checked === b.checked && a.reference === b.reference && a.expires === b.expires

/** How administrators check an instructor before players can find them. Without any event an instructor is pending. */
export const vettingDecider = decider<Vetting, VettingEvent>()({
  stream: 'vetting',
  initial: { status: 'pending', statusBefore: 'pending', reason: null, emailConfirmed: false, checks: {}, featuredUntil: null },

  evolve: {
    EmailConfirmed: v => ({ ...v, emailConfirmed: true }),
    CheckRecorded: (v, { check, ...recorded }) => ({ ...v, checks: { ...v.checks, [check]: recorded } }),
    CheckWithdrawn: (v, { check }) => {
      const { [check]: _, ...checks } = v.checks
      return { ...v, checks }
    },
    InstructorApproved: v => ({ ...v, status: 'approved', reason: null }),
    InstructorDeclined: (v, { reason }) => ({ ...v, status: 'declined', reason }),
    InstructorSuspended: (v, { reason }) => ({
      ...v,
      status: 'suspended',
      statusBefore: v.status === 'approved' ? 'approved' : 'pending',
      reason,
    }),
    InstructorReinstated: (v, { status }) => ({ ...v, status, reason: null }),
    InstructorFeatured: (v, { until }) => ({ ...v, featuredUntil: until }),
  },

  decide: {
    confirmEmail: v => (v.emailConfirmed ? [] : { type: 'EmailConfirmed', data: {} }),

    approve: v => {
      if (v.status === 'approved') return []
      if (v.status === 'suspended') throw new CommandRefused('This instructor is suspended. Reinstate them first.', 'suspended')
      if (!v.emailConfirmed) {
        throw new CommandRefused(
          'This instructor has not confirmed their email address yet. Send the email again, and approve once it is confirmed.',
          'email-unconfirmed',
        )
      }
      return { type: 'InstructorApproved', data: {} }
    },

    decline: (v, { reason }: { reason: string }) => {
      if (v.status === 'declined') return []
      if (v.status !== 'pending')
        throw new CommandRefused('Only a pending instructor can be declined. Suspend this one instead.', 'not-pending')
      return { type: 'InstructorDeclined', data: { reason } }
    },

    suspend: (v, { reason }: { reason: string }) => {
      if (v.status === 'suspended') return []
      if (v.status === 'declined') throw new CommandRefused('This instructor was declined, so there is nothing to suspend.', 'declined')
      return { type: 'InstructorSuspended', data: { reason } }
    },

    reinstate: v => (v.status === 'suspended' ? { type: 'InstructorReinstated', data: { status: v.statusBefore } } : []),

    /** `isFeaturedByReferral`: whether the instructor is featured for registering with a referral code, which is not an event. */
    feature: (v, { until, isFeaturedByReferral = false }: { until: string | null; isFeaturedByReferral?: boolean }) => {
      const isFeatured = v.featuredUntil !== null || isFeaturedByReferral
      if (until === null ? !isFeatured : v.featuredUntil === until) return []
      if (until !== null && v.status !== 'approved') {
        throw new CommandRefused('Only an approved instructor can be featured. Approve them first.', 'not-approved')
      }
      return { type: 'InstructorFeatured', data: { until } }
    },

    recordCheck: (v, { today, ...data }: NewCheck & { today: string }) => {
      const { check, ...recorded } = data
      if (sameCheck(v.checks[check], recorded)) return []
      if (data.checked > today)
        throw new CommandRefused('The day of the check cannot be in the future. Enter the day it was done.', 'check-day', 'checked')
      if (data.expires !== null && data.expires <= data.checked) {
        throw new CommandRefused('The expiration date must be after the day of the check. Enter a later day.', 'check-expiry', 'expires')
      }
      return { type: 'CheckRecorded', data }
    },

    withdrawCheck: (v, { check, reason }: { check: CheckKind; reason: string }) =>
      v.checks[check] ? { type: 'CheckWithdrawn', data: { check, reason } } : [],
  },
})
