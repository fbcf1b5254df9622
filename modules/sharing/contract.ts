import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { Session } from '../folders/contract.ts'
import { uuid } from '../uuid.ts'
import { MAX_LINK_NAME_LENGTH } from './policy.ts'

const time = z.iso.datetime()

/** A private link to a delivered review, as its family sees it. Its secret is told once, when it is made. */
export const ReviewLink = z.object({
  id: uuid,
  /** Whom it is for, in the family's words; may be empty. */
  name: z.string(),
  created: time,
  expires: time,
  /** How often it was opened, and when last. */
  opens: z.int(),
  opened: time.nullable(),
})
export type ReviewLink = z.infer<typeof ReviewLink>

const NewReviewLink = z.strictObject({
  id: uuid,
  name: z.string().trim().max(MAX_LINK_NAME_LENGTH, `At most ${MAX_LINK_NAME_LENGTH} characters`),
})
const links = z.object({ links: z.array(ReviewLink) })
const secret = z.object({ token: z.string() })

const byFolder = z.strictObject({ folder: uuid })
const inSession = z.strictObject({ session: uuid })
const byChild = z.strictObject({ child: uuid, assignment: uuid })

export const sharingContract = endpoints({
  'GET /api/folders/{folder}/links': {
    summary: 'Private links to the review of a session, the newest first',
    access: ['player'],
    params: byFolder,
    query: inSession,
    reply: links,
  },
  'POST /api/folders/{folder}/links': {
    summary: 'Make a private link to a delivered review; for a minor the guardian does. Its secret is told once',
    access: ['player'],
    params: byFolder,
    query: inSession,
    body: NewReviewLink,
    reply: secret,
    status: 201,
  },
  'DELETE /api/folders/{folder}/links/{link}': {
    summary: 'Revoke a private link: it works no longer',
    access: ['player'],
    params: z.strictObject({ folder: uuid, link: uuid }),
    status: 204,
  },
  'GET /api/family/children/{child}/reviews/{assignment}/links': {
    summary: "Private links to a review of the guardian's child, the newest first",
    access: 'guardian',
    params: byChild,
    reply: links,
  },
  'POST /api/family/children/{child}/reviews/{assignment}/links': {
    summary: "Make a private link to a delivered review of the guardian's child. Its secret is told once",
    access: 'guardian',
    params: byChild,
    body: NewReviewLink,
    reply: secret,
    status: 201,
  },
  'DELETE /api/family/children/{child}/reviews/{assignment}/links/{link}': {
    summary: "Revoke a private link to a review of the guardian's child",
    access: 'guardian',
    params: byChild.extend({ link: uuid }),
    status: 204,
  },
  'GET /api/shared/{token}': {
    summary: 'The review behind a private link: first names alone, and neither originals nor the bill. Counts as opened',
    access: 'anyone',
    params: z.strictObject({ token: z.string().max(100) }),
    reply: z.object({
      /** The player's first name. */
      player: z.string(),
      session: Session,
    }),
  },
})
