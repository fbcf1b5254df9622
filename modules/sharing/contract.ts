import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { Session } from '../folders/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_REVIEW_LINK_NAME_LENGTH } from './policy.ts'

const time = z.iso.datetime()

/** A private link to a delivered review, for the family's list. Its secret is returned only once, when it is created. */
export const ListedReviewLink = z.object({
  id: uuidSchema,
  /** The family's note on who the link is for; may be empty. */
  name: z.string(),
  created: time,
  expires: time,
  /** How often the link was opened, and when it was last opened; null if never. */
  opens: z.int(),
  opened: time.nullable(),
})
export type ListedReviewLink = z.infer<typeof ListedReviewLink>

const NewReviewLink = z.strictObject({
  id: uuidSchema,
  name: z.string().trim().max(MAX_REVIEW_LINK_NAME_LENGTH, `At most ${MAX_REVIEW_LINK_NAME_LENGTH} characters`),
})
const links = z.object({ links: z.array(ListedReviewLink) })
const secret = z.object({ token: z.string() })

const byFolder = z.strictObject({ folder: uuidSchema })
const inSession = z.strictObject({ session: uuidSchema })
const byToken = z.strictObject({ token: z.string().max(100) })
const byChild = z.strictObject({ child: uuidSchema, assignment: uuidSchema })

export const sharingContract = defineEndpoints({
  'GET /api/folders/{folder}/links': {
    summary: 'Private links to the review of a session, the newest first',
    access: ['player'],
    params: byFolder,
    query: inSession,
    reply: links,
  },
  'POST /api/folders/{folder}/links': {
    summary:
      'Create a private link to a delivered review (for a minor, their guardian creates it). The reply is the only one with its secret',
    access: ['player'],
    params: byFolder,
    query: inSession,
    body: NewReviewLink,
    reply: secret,
    status: 201,
  },
  'DELETE /api/folders/{folder}/links/{link}': {
    summary: 'Revoke a private link, which then stops working',
    access: ['player'],
    params: z.strictObject({ folder: uuidSchema, link: uuidSchema }),
    status: 204,
  },
  'GET /api/family/children/{child}/reviews/{assignment}/links': {
    summary: "Private links to a review of the guardian's child, the newest first",
    access: 'guardian',
    params: byChild,
    reply: links,
  },
  'POST /api/family/children/{child}/reviews/{assignment}/links': {
    summary: "Create a private link to a delivered review of the guardian's child. The reply is the only one with its secret",
    access: 'guardian',
    params: byChild,
    body: NewReviewLink,
    reply: secret,
    status: 201,
  },
  'DELETE /api/family/children/{child}/reviews/{assignment}/links/{link}': {
    summary: "Revoke a private link to a review of the guardian's child",
    access: 'guardian',
    params: byChild.extend({ link: uuidSchema }),
    status: 204,
  },
  'GET /api/shared/{token}': {
    summary:
      'The review behind a private link: first names alone, and neither originals nor the bill. Counts as opened, unless it renews addresses',
    access: 'anyone',
    params: byToken,
    /** `renewal`: a page that is already open requests new signed URLs before the old ones expire, so this is not another visit. */
    query: z.strictObject({ renewal: z.literal('true').optional() }),
    reply: z.object({
      /** The player's first name. */
      player: z.string(),
      session: Session,
    }),
  },
})
