import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { uuidSchema } from '../uuid-validation.ts'

const time = z.iso.datetime()

/** The status of the deletion of an account: the caller's own, or a child's if the caller is a guardian. */
export const AccountDeletion = z.object({
  /** When it will be deleted; null if no deletion is scheduled. */
  due: time.nullable(),
  /** Why it cannot be deleted now, as a sentence; null if it can. */
  obstacle: z.string().nullable(),
  /** Whether a minor's guardian requested the deletion, so that only the guardian can keep the account. */
  byGuardian: z.boolean(),
  /** How many unused sessions of paid packages would be lost. */
  unusedSessions: z.int(),
  /** How many open sessions of an instructor would be returned to their players. */
  openSessions: z.int(),
})
export type AccountDeletion = z.infer<typeof AccountDeletion>

/** A video that was never sent to an instructor, and when it will be deleted. */
export const ExpiringVideo = z.object({ folder: uuidSchema, folderName: z.string(), video: uuidSchema, name: z.string(), expires: time })
export type ExpiringVideo = z.infer<typeof ExpiringVideo>

/** What the server will delete from an account automatically, and when. */
export const AutomaticDeletionSchedule = z.object({
  /** The soonest first. */
  videos: z.array(ExpiringVideo),
  /** How many support requests there are, and when the oldest of them will be deleted; null if there are none. */
  requests: z.object({ count: z.int(), next: time }).nullable(),
  /** When the account of a minor is deleted because the guardian refused consent; null for everybody else. */
  account: time.nullable(),
})
export type AutomaticDeletionSchedule = z.infer<typeof AutomaticDeletionSchedule>

/** The latest export of a person's data. */
export const DataExportStatus = z.object({
  id: uuidSchema,
  requested: time,
  /** Null while it is being made. */
  made: z.object({ bytes: z.int(), until: time }).nullable(),
})
export type DataExportStatus = z.infer<typeof DataExportStatus>

export const accountDeletionContract = defineEndpoints({
  'GET /api/account/retention': {
    summary: 'What the server will delete from this account automatically, and when: unassigned videos, support requests, or all of it',
    access: 'signed-in',
    reply: AutomaticDeletionSchedule,
  },
  'GET /api/account/deletion': {
    summary: 'Whether and when this account will be deleted, and what prevents it',
    access: 'signed-in',
    reply: AccountDeletion,
  },
  'POST /api/account/deletion': {
    summary: 'Schedule the deletion of this account in 14 days, with its current password',
    access: 'signed-in',
    body: z.strictObject({ password: z.string().min(1, 'Enter your password').max(200, 'Password must be at most 200 characters') }),
    status: 204,
  },
  'POST /api/account/deletion/cancel': {
    summary: 'Cancel the deletion of this account',
    access: 'signed-in',
    status: 204,
  },
})

const byChild = z.strictObject({ child: uuidSchema })

/** Deletion of a child's account by the guardian, who proves their identity with a fresh link from a letter. */
export const childDeletionContract = defineEndpoints({
  'GET /api/family/children/{child}/deletion': {
    summary: "Whether and when a child's account will be deleted, and what prevents it",
    access: 'guardian',
    params: byChild,
    /** `isClosed`: an administrator closed the account, so the guardian cannot keep it. */
    reply: AccountDeletion.omit({ openSessions: true }).extend({ isClosed: z.boolean() }),
  },
  'POST /api/family/children/{child}/deletion/link': {
    summary: "Send the guardian an email with the one-time link for deleting a child's account",
    access: 'guardian',
    params: byChild,
    status: 204,
  },
  'POST /api/family/children/{child}/deletion': {
    summary: "Schedule the deletion of a child's account in 14 days, with the token of the link (410 if it was used or has expired)",
    access: 'guardian',
    params: byChild,
    body: z.strictObject({ token: z.string().regex(/^[\w-]{43}$/, 'This link is incomplete') }),
    refusals: [410],
    status: 204,
  },
  'POST /api/family/children/{child}/deletion/cancel': {
    summary: "Cancel the deletion of a child's account",
    access: 'guardian',
    params: byChild,
    status: 204,
  },
})

/** Everything we store about a person, as one file for them alone. */
export const dataExportContract = defineEndpoints({
  'GET /api/account/export': {
    summary: 'The file with everything we store about this account, if it is being created or can be downloaded; null otherwise',
    access: 'signed-in',
    reply: z.object({ export: DataExportStatus.nullable() }),
  },
  'POST /api/account/export': {
    summary: 'Request a file with everything we store about this account; an email says when it is ready',
    access: 'signed-in',
    status: 204,
  },
  'GET /api/account/exports/{export}': {
    summary: "Download the file with this account's data: redirects to it in the object store, for 7 days after it was made",
    access: 'signed-in',
    params: z.strictObject({ export: uuidSchema }),
    status: 303,
  },
})

/** Everything we store about a child, as one file for the guardian alone. */
export const childExportContract = defineEndpoints({
  'GET /api/family/children/{child}/export': {
    summary:
      'The file with everything we store about a child that this guardian requested, if it is being created or can be downloaded; null otherwise',
    access: 'guardian',
    params: z.strictObject({ child: uuidSchema }),
    reply: z.object({ export: DataExportStatus.nullable() }),
  },
  'POST /api/family/children/{child}/export': {
    summary: 'Request a file with everything we store about a child; an email to the guardian says when it is ready',
    access: 'guardian',
    params: z.strictObject({ child: uuidSchema }),
    status: 204,
  },
  'GET /api/family/children/{child}/exports/{export}': {
    summary: 'Download the file that this guardian requested: redirects to it in the object store, for 7 days after it was made',
    access: 'guardian',
    params: z.strictObject({ child: uuidSchema, export: uuidSchema }),
    status: 303,
  },
})
