import type { CheckKind } from '../modules/instructors/contract.ts'
import { projection } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import type { AccountEvent } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import type { VettingEvent } from '../modules/vetting/vetting.ts'

/** A check as it is stored: `by` is the id of the administrator. */
export interface StoredCheck {
  kind: CheckKind
  checked: string
  reference: string
  expires: string | null
  by: string
  recorded: string
}
const without = (checks: unknown, kind: CheckKind) => (checks as StoredCheck[]).filter(check => check.kind !== kind)

/** The existing row, or an initial one for an instructor about whom nothing has been recorded. */
const rowBefore = <R>(row: R | null, e: { stream: string }) => row ?? untouched(idOfStream(e.stream))
const untouched = (instructor: string) => ({
  instructor,
  status: 'pending',
  reason: null,
  decided: null,
  email_confirmed: false,
  featured: null,
  checks: [] as unknown,
  leaving: false,
  closed: false,
})

type DeletionEvent = Extract<AccountEvent, { type: 'DeletionScheduled' | 'DeletionCanceled' | 'PersonForgotten' }>

/**
 * The vetting of each instructor: one row per instructor about whom something has been recorded. An instructor without a row is pending. If
 * a player's account is scheduled for deletion, it also gets a row, which nothing reads.
 */
export const vettings = projection<VettingEvent | DeletionEvent>()({
  name: 'vettings',
  version: 3,
  row: {
    instructor: 'uuid',
    status: 'text',
    reason: 'text?',
    /** When an administrator last decided the status; null before the first decision. */
    decided: 'timestamptz?',
    email_confirmed: 'bool',
    /** The instructor is listed first until this time; null if not featured. */
    featured: 'timestamptz?',
    checks: 'jsonb',
    /** Whether the account is scheduled for deletion, so that players can no longer reach the instructor. */
    leaving: 'bool',
    /** Whether an administrator closed the account, so that the instructor cannot answer questions. */
    closed: 'bool',
  },
  index: ['status'],
  key: e => idOfStream(e.stream),
  on: {
    EmailConfirmed: (row, e) => ({ ...rowBefore(row, e), email_confirmed: true }),
    CheckRecorded: (row, e) => {
      const before = rowBefore(row, e)
      const { check: kind, ...recorded } = e.data
      return { ...before, checks: [...without(before.checks, kind), { kind, ...recorded, by: e.meta.actor, recorded: e.at }] }
    },
    CheckWithdrawn: (row, e) => row && { ...row, checks: without(row.checks, e.data.check) },
    InstructorApproved: (row, e) => ({ ...rowBefore(row, e), status: 'approved', reason: null, decided: e.at }),
    InstructorDeclined: (row, e) => ({ ...rowBefore(row, e), status: 'declined', reason: e.data.reason, decided: e.at }),
    InstructorSuspended: (row, e) => ({ ...rowBefore(row, e), status: 'suspended', reason: e.data.reason, decided: e.at }),
    InstructorReinstated: (row, e) => row && { ...row, status: e.data.status, reason: null, decided: e.at },
    DeletionScheduled: (row, e) => {
      const before = rowBefore(row, e)
      // A closed account that a backup brings back stays closed.
      const closed = e.data.cause === 'closed' || (e.data.cause === 'backup-restored' && before.closed)
      return { ...before, leaving: true, closed }
    },
    DeletionCanceled: (row, e) => {
      const before = rowBefore(row, e)
      // As in the account's decider, only an administrator can reopen a closed account.
      return before.closed && !e.data.isReopened ? before : { ...before, leaving: false, closed: false }
    },
    PersonForgotten: () => null,
    InstructorFeatured: (row, e) => ({ ...rowBefore(row, e), featured: e.data.until }),
  },
})
