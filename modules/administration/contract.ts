import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { FolderStatus } from '../folders/contract.ts'
import { id } from '../id.ts'
import { Payment } from '../payments/contract.ts'
import { RequestStatus } from '../support/contract.ts'
import { MAX_MATCHES_PER_KIND, MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from './policy.ts'

const time = z.iso.datetime()
/** A guardian is a person with a session of their own, and no role. */
const PersonKind = z.enum(['player', 'instructor', 'admin', 'guardian'])

const SearchResults = z.object({
  people: z.array(z.object({ id, name: z.string(), email: z.string(), kind: PersonKind })),
  folders: z.array(z.object({ id, name: z.string(), player: z.string(), status: FolderStatus })),
  payments: z.array(Payment.pick({ id: true, folderName: true, playerName: true, total: true, status: true, overdue: true, opened: true })),
  requests: z.array(z.object({ id, content: z.string(), by: z.string().nullable(), status: RequestStatus, asked: time })),
})
export type SearchResults = z.infer<typeof SearchResults>

const short = `Write at least ${MIN_SEARCH_LENGTH} characters`

export const administration = endpoints({
  'GET /api/admin/search': {
    summary: `People by name, email and id; folders, payments and support requests by their words, ids and people: at most ${MAX_MATCHES_PER_KIND} of each`,
    access: ['admin'],
    query: z.strictObject({ text: z.string(short).trim().min(MIN_SEARCH_LENGTH, short).max(MAX_SEARCH_LENGTH) }),
    reply: SearchResults,
  },
})
