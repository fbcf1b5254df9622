import { z } from 'zod'
import { hasHiddenCharacters, hasWebAddress } from '../deceptive-text.ts'
import { DecisionReason } from '../decision-reason.ts'
import { defineEndpoints } from '../endpoint.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_RATING_TEXT_LENGTH, MAX_STARS, MIN_STARS } from './policy.ts'

const time = z.iso.datetime()
const Stars = z.int('Choose 1 to 5 stars').min(MIN_STARS, 'Choose 1 to 5 stars').max(MAX_STARS, 'Choose 1 to 5 stars')
/** A comment on a session, or the instructor's answer to it; both are public. */
const publicWords = z
  .string()
  .trim()
  .overwrite(value => value.replace(/\s+/g, ' '))
  .max(MAX_RATING_TEXT_LENGTH, `At most ${MAX_RATING_TEXT_LENGTH} characters`)
  .refine(value => !hasWebAddress(value), 'Leave out web addresses, and put a space after each period')
  .refine(value => !hasHiddenCharacters(value), 'Use visible letters and numbers')

/** The average and the number of an instructor's visible ratings; null if there are too few to show. */
export const RatingSummary = z.object({ average: z.number(), count: z.int() }).nullable()
export type RatingSummary = z.infer<typeof RatingSummary>

/** A rating as shown to the public. */
export const PublicRating = z.object({
  stars: Stars,
  comment: z.string().nullable(),
  /** First name of a player who was of age when they rated; null for a minor, a guardian, or a player who has left. */
  name: z.string().nullable(),
  rater: z.enum(['player', 'guardian']),
  rated: time,
  answer: z.string().nullable(),
})
export type PublicRating = z.infer<typeof PublicRating>

/** A rating for people who can see its session. */
export const SessionRating = z.object({
  stars: Stars,
  comment: z.string().nullable(),
  rater: z.enum(['player', 'guardian']),
  rated: time,
  /** It can be changed before this time. */
  until: time,
  answer: z.string().nullable(),
  /** Why an administrator hid it; null if it is not hidden. */
  hidden: z.string().nullable(),
})
export type SessionRating = z.infer<typeof SessionRating>

/** A rating in the list of an instructor's ratings that administrators see. */
export const AdminRating = SessionRating.extend({
  session: uuidSchema,
  folder: uuidSchema,
  player: z.object({ id: uuidSchema, name: z.string() }),
})
export type AdminRating = z.infer<typeof AdminRating>

const inFolder = z.strictObject({ folder: uuidSchema })
const ofSession = z.strictObject({ session: uuidSchema })
const Verdict = z.strictObject({ stars: Stars, comment: publicWords.optional() })
const admin = ['admin'] as const

export const ratingsContract = defineEndpoints({
  'PUT /api/folders/{folder}/rating': {
    summary: 'Rate a paid session, or change the rating while that is possible',
    access: ['player'],
    params: inFolder,
    query: ofSession,
    body: Verdict,
    status: 204,
  },
  'PUT /api/family/folders/{folder}/rating': {
    summary: "Rate a child's paid session, or change the child's or the guardian's rating while that is possible",
    access: 'guardian',
    params: inFolder,
    query: ofSession,
    body: Verdict,
    status: 204,
  },
  'POST /api/folders/{folder}/rating/answer': {
    summary: 'Answer the rating of a session, once until it is changed',
    access: ['instructor'],
    params: inFolder,
    query: ofSession,
    body: z.strictObject({
      answer: publicWords.min(1, 'Write your answer'),
      /** The rating that the instructor read. If it has been changed since, the answer is refused. */
      to: z.strictObject({ stars: Stars, comment: z.string().nullable() }).optional(),
    }),
    status: 204,
  },
  'GET /api/admin/instructors/{instructor}/ratings': {
    summary: 'Ratings of an instructor, including hidden ones, newest first',
    access: admin,
    params: z.strictObject({ instructor: uuidSchema }),
    reply: z.object({ ratings: z.array(AdminRating) }),
  },
  'POST /api/admin/ratings/{assignment}/hide': {
    summary: 'Hide a rating from the public; its player and its instructor read the reason',
    access: admin,
    params: z.strictObject({ assignment: uuidSchema }),
    body: z.strictObject({ reason: DecisionReason }),
    status: 204,
  },
  'POST /api/admin/ratings/{assignment}/restore': {
    summary: 'Show a hidden rating again',
    access: admin,
    params: z.strictObject({ assignment: uuidSchema }),
    status: 204,
  },
})
