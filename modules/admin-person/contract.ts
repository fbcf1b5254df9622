import { z } from 'zod'
import { PersonKind } from '../admin-search/contract.ts'
import { DecisionReason } from '../decision-reason.ts'
import { defineEndpoints } from '../endpoint.ts'
import { FolderStatus } from '../folders/contract.ts'
import { Payment, Purchase, WaivedDebt } from '../payments/contract.ts'
import { SupportRequest } from '../support/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { InstructorVetting } from '../vetting/contract.ts'

const time = z.iso.datetime()
/** What a guardian answered, or null while there is no answer. */
const Consent = z.enum(['given', 'refused', 'withdrawn']).nullable()
const Relative = z.object({ id: uuidSchema, name: z.string(), email: z.string(), consent: Consent, since: time, until: time.nullable() })

/**
 * The delivery status of a letter. The mail provider reports the last four states by webhook; `suppressed` means that the provider did not
 * send the letter.
 */
const LetterDelivery = z.enum(['waiting', 'sent', 'failed', 'delivered', 'bounced', 'complained', 'suppressed'])

/** What an administrator's page about one person shows. Dates are ISO 8601. */
const AdminPerson = z.object({
  id: uuidSchema,
  kind: PersonKind,
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  born: z.iso.date().nullable(),
  picture: z.string().nullable(),
  registered: time,
  /** When the account will be deleted, if that is scheduled; otherwise null. */
  deletionDue: time.nullable(),
  /** What the scheduled deletion waits for, in sentences; null if nothing holds it up. */
  deletionWaitsFor: z.string().nullable(),
  /** Why an administrator closed the account; null if it is not closed. */
  closingReason: z.string().nullable(),
  /** A player's current and former guardians; empty for everybody else. */
  guardians: z.array(Relative),
  /** A guardian's children; empty for everybody else. */
  children: z.array(Relative),
  /** Cents that an instructor owes the platform; null for everybody else. */
  debt: z.int().nullable(),
  /** Parts of the debt that an administrator waived, newest first. */
  waivers: z.array(WaivedDebt),
  /** The data that administrators need to vet an instructor; null for everybody else. */
  instructor: InstructorVetting.nullable(),
  /** A player's folders, or the folders assigned to an instructor. `with`: the instructor, or on an instructor's page the player. */
  folders: z.array(z.object({ id: uuidSchema, name: z.string(), status: FolderStatus, with: z.string().nullable(), updated: time })),
  payments: z.array(Payment),
  purchases: z.array(Purchase),
  /** A player's points and unused package sessions; null for everybody else. */
  rewards: z.object({ points: z.int(), sessions: z.int() }).nullable(),
  letters: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      asked: time,
      fate: LetterDelivery,
      /** Whether the letter was obsolete when its turn came and was not sent, although its `fate` is `sent`, as pages of older releases expect. */
      obsolete: z.boolean(),
      at: time.nullable(),
      error: z.string().nullable(),
    }),
  ),
  requests: z.array(SupportRequest),
  signIns: z.array(z.object({ id: uuidSchema, device: z.string(), started: time, lastUsed: time })),
})
export type AdminPerson = z.infer<typeof AdminPerson>

export const adminPersonContract = defineEndpoints({
  'GET /api/admin/people/{person}': {
    summary:
      'A player, instructor, administrator or guardian, with everything that is theirs; their history is in `GET /api/admin/events?person=`',
    access: ['admin'],
    params: z.strictObject({ person: uuidSchema }),
    reply: AdminPerson,
  },
  'POST /api/admin/people/{person}/close': {
    summary:
      'Close the account of a player or an instructor: it is logged out everywhere, open folders go back, and it is deleted in 14 days (409 if it is already being deleted)',
    access: ['admin'],
    params: z.strictObject({ person: uuidSchema }),
    body: z.strictObject({ reason: DecisionReason }),
    refusals: [409],
    status: 204,
  },
  'POST /api/admin/people/{person}/reopen': {
    summary: 'Open an account that was closed (409 if it is already being deleted)',
    access: ['admin'],
    params: z.strictObject({ person: uuidSchema }),
    refusals: [409],
    status: 204,
  },
})
