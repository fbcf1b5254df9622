import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { FolderStatus } from '../folders/contract.ts'
import { cursorParameter } from '../page-cursor.ts'
import { DebtWaiver, Payment, Purchase } from '../payments/contract.ts'
import { SupportRequest, SupportRequestStatus } from '../support/contract.ts'
import { uuid } from '../uuid.ts'
import { InstructorVetting } from '../vetting/contract.ts'
import { MAX_SEARCH_LENGTH, MAX_SEARCH_MATCHES_PER_KIND, MIN_SEARCH_LENGTH } from './policy.ts'

const time = z.iso.datetime()
/** A guardian has a session, and no account or role. */
const PersonKind = z.enum(['player', 'instructor', 'admin', 'guardian'])

/** The sort key of a person in search results. */
const PersonSortKey = z.tuple([z.string(), uuid])
export type PersonSortKey = z.infer<typeof PersonSortKey>

/** A page of people in alphabetical order; `next` is the `after` of the following page, null on the last one. */
const FoundPeople = z.object({
  people: z.array(z.object({ id: uuid, name: z.string(), email: z.string(), kind: PersonKind })),
  next: z.string().nullable(),
})
export type FoundPerson = z.infer<typeof FoundPeople>['people'][number]

const SearchResults = FoundPeople.extend({
  folders: z.array(z.object({ id: uuid, name: z.string(), player: z.string(), status: FolderStatus })),
  payments: z.array(Payment.pick({ id: true, folderName: true, playerName: true, total: true, status: true, overdue: true, opened: true })),
  requests: z.array(z.object({ id: uuid, content: z.string(), by: z.string().nullable(), status: SupportRequestStatus, asked: time })),
})
export type SearchResults = z.infer<typeof SearchResults>

/** What a guardian answered, or null while there is no answer. */
const Consent = z.enum(['given', 'refused', 'withdrawn']).nullable()
const Relative = z.object({ id: uuid, name: z.string(), email: z.string(), consent: Consent, since: time, until: time.nullable() })

/**
 * The delivery status of a letter. A letter that was obsolete when its turn came counts as sent. The last four states come from the reader's mail
 * server.
 */
const LetterDelivery = z.enum(['waiting', 'sent', 'failed', 'delivered', 'bounced', 'complained', 'suppressed'])

/** A person on the administrators' page. Dates are ISO 8601. */
const AdminPerson = z.object({
  id: uuid,
  kind: PersonKind,
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  born: z.iso.date().nullable(),
  picture: z.string().nullable(),
  registered: time,
  /** When the account will be deleted, if its owner has requested that; otherwise null. */
  deletionDue: time.nullable(),
  /** A player's current and former guardians; empty for everybody else. */
  guardians: z.array(Relative),
  /** A guardian's children; empty for everybody else. */
  children: z.array(Relative),
  /** Cents that an instructor owes the platform. */
  debt: z.int().nullable(),
  /** Parts of the debt that an administrator waived, newest first. */
  waivers: z.array(DebtWaiver),
  /** The data with which administrators decide about an instructor; null for everybody else. */
  instructor: InstructorVetting.nullable(),
  /** A player's folders, or the folders assigned to an instructor. `with` is the other person. */
  folders: z.array(z.object({ id: uuid, name: z.string(), status: FolderStatus, with: z.string().nullable(), updated: time })),
  payments: z.array(Payment),
  purchases: z.array(Purchase),
  /** A player's points and unused package sessions; null for everybody else. */
  rewards: z.object({ points: z.int(), sessions: z.int() }).nullable(),
  letters: z.array(
    z.object({ id: z.string(), kind: z.string(), asked: time, fate: LetterDelivery, at: time.nullable(), error: z.string().nullable() }),
  ),
  requests: z.array(SupportRequest),
  signIns: z.array(z.object({ id: uuid, device: z.string(), started: time, lastUsed: time })),
})
export type AdminPerson = z.infer<typeof AdminPerson>

const tooShort = `Write at least ${MIN_SEARCH_LENGTH} characters`
const searchText = z.string(tooShort).trim().min(MIN_SEARCH_LENGTH, tooShort).max(MAX_SEARCH_LENGTH)

export const administrationContract = defineEndpoints({
  'GET /api/admin/search': {
    summary: `People by name, email and id; folders, payments and support requests by their words, ids and people: the first ${MAX_SEARCH_MATCHES_PER_KIND} of each`,
    access: ['admin'],
    query: z.strictObject({ text: searchText }),
    reply: SearchResults,
  },
  'GET /api/admin/search/people': {
    summary: 'A page of the people whom a search finds, in alphabetical order; `after` requests the next page',
    access: ['admin'],
    query: z.strictObject({ text: searchText, after: cursorParameter(PersonSortKey).optional() }),
    reply: FoundPeople,
  },
  'GET /api/admin/people/{person}': {
    summary:
      'A player, instructor, administrator or guardian, with everything that is theirs; their history is in `GET /api/admin/events?person=`',
    access: ['admin'],
    params: z.strictObject({ person: uuid }),
    reply: AdminPerson,
  },
})
