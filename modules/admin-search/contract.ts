import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { FolderStatus } from '../folders/contract.ts'
import { cursorParameter } from '../pagination.ts'
import { Payment, Purchase } from '../payments/contract.ts'
import { SupportRequestStatus } from '../support/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_SEARCH_LENGTH, MAX_SEARCH_MATCHES_PER_KIND, MIN_SEARCH_LENGTH } from './policy.ts'

const time = z.iso.datetime()
/** A guardian can sign in, but has no account and no role. */
export const PersonKind = z.enum(['player', 'instructor', 'admin', 'guardian'])

/** The sort key of a person in search results. */
const FoundPersonCursor = z.tuple([z.string(), uuidSchema])
export type FoundPersonCursor = z.infer<typeof FoundPersonCursor>

/** A page of people in alphabetical order; `next`: the `after` parameter of the next page; null on the last page. */
const FoundPeople = z.object({
  people: z.array(z.object({ id: uuidSchema, name: z.string(), email: z.string(), kind: PersonKind })),
  next: z.string().nullable(),
})
export type FoundPerson = z.infer<typeof FoundPeople>['people'][number]

const SearchResults = FoundPeople.extend({
  folders: z.array(z.object({ id: uuidSchema, name: z.string(), player: z.string(), status: FolderStatus })),
  payments: z.array(
    Payment.pick({
      id: true,
      folderName: true,
      playerName: true,
      total: true,
      status: true,
      isDisputeLost: true,
      overdue: true,
      opened: true,
    }),
  ),
  packages: z.array(
    Purchase.pick({ id: true, label: true, playerName: true, cents: true, status: true, isDisputeLost: true, bought: true }),
  ),
  requests: z.array(
    z.object({ id: uuidSchema, content: z.string(), by: z.string().nullable(), status: SupportRequestStatus, asked: time }),
  ),
})
export type SearchResults = z.infer<typeof SearchResults>

const tooShort = `Write at least ${MIN_SEARCH_LENGTH} characters`
const searchText = z.string(tooShort).trim().min(MIN_SEARCH_LENGTH, tooShort).max(MAX_SEARCH_LENGTH)

export const adminSearchContract = defineEndpoints({
  'GET /api/admin/search': {
    summary: `People by name, email and id; folders, payments, packages and support requests by their words, ids and people: the first ${MAX_SEARCH_MATCHES_PER_KIND} of each`,
    access: ['admin'],
    query: z.strictObject({ text: searchText }),
    reply: SearchResults,
  },
  'GET /api/admin/search/people': {
    summary: 'A page of the people whom a search finds, in alphabetical order; `after` requests the next page',
    access: ['admin'],
    query: z.strictObject({ text: searchText, after: cursorParameter(FoundPersonCursor).optional() }),
    reply: FoundPeople,
  },
})
