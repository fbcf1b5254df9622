import { z } from 'zod'
import { Skill } from '../accounts/contract.ts'
import { DecisionReason } from '../decision-reason.ts'
import { defineEndpoints } from '../endpoint.ts'
import { CheckKind, PublicCheck, VettingStatus } from '../instructors/contract.ts'
import { cursorParameter, pageLimitParameter } from '../pagination.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_CHECK_REFERENCE_LENGTH } from './policy.ts'

/** A calendar day, `YYYY-MM-DD`. */
const day = (message: string) => z.iso.date(message)

/** A check as administrators see it. */
const RecordedCheck = PublicCheck.extend({
  reference: z.string(),
  expires: z.iso.date().nullable(),
  /** Name of the administrator; null if the account is gone. */
  by: z.string().nullable(),
  recorded: z.iso.datetime(),
  /** The validity today: `expiring` within `CHECK_EXPIRY_NOTICE_DAYS` before the check's last day, `expired` after it. */
  validity: z.enum(['valid', 'expiring', 'expired']),
})
export type RecordedCheck = z.infer<typeof RecordedCheck>

/** Everything that administrators need for a decision. Amounts are in cents, times in ISO 8601. */
export const InstructorVetting = z.object({
  id: uuidSchema,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  emailConfirmed: z.boolean(),
  phone: z.string().nullable(),
  born: z.iso.date().nullable(),
  registered: z.iso.datetime(),
  profilePicture: z.string().nullable(),
  profileSlug: z.string().nullable(),
  type: z.array(z.enum(['baseball', 'softball'])),
  skills: z.array(Skill),
  about: z.string(),
  experience: z.string(),
  status: VettingStatus,
  reason: z.string().nullable(),
  /** When an administrator last decided the status; null before the first decision. */
  decided: z.iso.datetime().nullable(),
  /** Featured in lists until this time; null if not featured. */
  featuredUntil: z.iso.datetime().nullable(),
  checks: z.array(RecordedCheck),
  /** How many players are connected with the instructor. */
  players: z.int(),
  sessions: z.object({ open: z.int(), delivered: z.int() }),
  /** Median hours from assignment to feedback; null until there is enough feedback to tell. */
  responseHours: z.number().nullable(),
  /** Shares and tips of paid sessions, except those that were refunded in full or lost in a dispute. */
  earned: z.int(),
  refunds: z.object({ count: z.int(), cents: z.int() }),
  /** How many support requests the instructor has sent. */
  requests: z.int(),
  /** How many issues, on any subject, players who had a session with the instructor have reported to support. */
  complaints: z.int(),
})
export type InstructorVetting = z.infer<typeof InstructorVetting>

const reasoned = z.strictObject({ reason: DecisionReason })

export const NewCheck = z.strictObject({
  check: CheckKind,
  checked: day('Enter the day of the check'),
  reference: z
    .string('Say where it can be looked up')
    .trim()
    .min(3, 'Say where it can be looked up')
    .max(MAX_CHECK_REFERENCE_LENGTH, `At most ${MAX_CHECK_REFERENCE_LENGTH} characters`),
  expires: day('Enter a day, or leave it empty').nullable(),
})
export type NewCheck = z.output<typeof NewCheck>

const admin = ['admin'] as const
const byInstructor = z.strictObject({ instructor: uuidSchema })
const command = { access: admin, params: byInstructor, status: 204 } as const

export const vettingContract = defineEndpoints({
  'GET /api/admin/instructors': {
    summary:
      'Instructors with a status, with everything that administrators need to decide: expiring checks first, then the longest waiting',
    access: admin,
    query: z.strictObject({
      status: VettingStatus,
      search: z.string().trim().max(100).optional(),
      after: cursorParameter(z.tuple([z.boolean(), z.iso.datetime(), uuidSchema])).optional(),
      limit: pageLimitParameter({ default: 20, max: 100 }),
    }),
    /** `next`: the `after` of the next page; null on the last page. */
    reply: z.object({ instructors: z.array(InstructorVetting), next: z.string().nullable(), counts: z.record(VettingStatus, z.int()) }),
  },
  'GET /api/admin/instructors/{instructor}': {
    summary: 'One instructor, with everything that administrators need to decide',
    access: admin,
    params: byInstructor,
    reply: InstructorVetting,
  },
  'POST /api/admin/instructors/{instructor}/approve': { ...command, summary: 'Approve an instructor, so that players can find them' },
  'POST /api/admin/instructors/{instructor}/decline': {
    ...command,
    summary: 'Decline a pending instructor, who gets the reason by email',
    body: reasoned,
  },
  'POST /api/admin/instructors/{instructor}/suspend': {
    ...command,
    summary: 'Suspend an instructor: players can no longer reach them, and open sessions are returned to their players unbilled',
    body: reasoned,
  },
  'POST /api/admin/instructors/{instructor}/reinstate': { ...command, summary: 'End a suspension, which restores the former status' },
  'POST /api/admin/instructors/{instructor}/feature': {
    ...command,
    summary: 'List an approved instructor first for a number of days; 0 ends it',
    body: z.strictObject({ days: z.int().min(0).max(365) }),
  },
  'POST /api/admin/instructors/{instructor}/checks': {
    ...command,
    summary: 'Record a check, which replaces the former one of the same kind',
    body: NewCheck,
  },
  'POST /api/admin/instructors/{instructor}/checks/{check}/withdraw': {
    ...command,
    summary: 'Withdraw a check, which is no longer shown',
    params: z.strictObject({ instructor: uuidSchema, check: CheckKind }),
    body: reasoned,
  },
  'POST /api/admin/instructors/{instructor}/email-confirmation': {
    ...command,
    summary: "Send the email for confirming the instructor's address again",
  },
  'POST /api/profile/email-confirmation': {
    summary: 'Send the caller the email for confirming their address; links in earlier emails stop working',
    access: ['instructor'],
    status: 204,
  },
  'POST /api/email-confirmation/{token}': {
    summary: 'Confirm an email address with the emailed link, which works once',
    access: 'anyone',
    params: z.strictObject({ token: z.string().min(1).max(100) }),
    refusals: [410],
    status: 204,
  },
})
