import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { uuidSchema } from '../uuid-validation.ts'

/** The status of a review video, which is one MP4 of a whole review. */
export const ReviewVideoStatus = z.object({
  /** `none`: the video was never requested, or it has expired. */
  state: z.enum(['none', 'waiting', 'preparing', 'ready', 'failed']),
  /** From 0 to 1 while the video is being made. */
  progress: z.number().min(0).max(1),
  /** The signed download URL, which expires soon. Null until the video is ready. */
  url: z.string().nullable(),
  bytes: z.int().nullable(),
})
export type ReviewVideoStatus = z.infer<typeof ReviewVideoStatus>

const byFolder = z.strictObject({ folder: uuidSchema })
const inSession = z.strictObject({ session: uuidSchema })
const byToken = z.strictObject({ token: z.string().max(100) })
const byChild = z.strictObject({ child: uuidSchema, assignment: uuidSchema })

export const reviewVideosContract = defineEndpoints({
  'GET /api/folders/{folder}/review-video': {
    summary: 'The progress of the video of a whole review, and its download URL',
    access: ['player', 'instructor'],
    params: byFolder,
    query: inSession,
    reply: ReviewVideoStatus,
  },
  'POST /api/folders/{folder}/review-video': {
    summary: 'Request one video of a whole delivered review, unless there is one already',
    access: ['player', 'instructor'],
    params: byFolder,
    query: inSession,
    reply: ReviewVideoStatus,
    status: 202,
  },
  'GET /api/family/children/{child}/reviews/{assignment}/video': {
    summary: "The progress of the video of a review of the guardian's child, and its download URL",
    access: 'guardian',
    params: byChild,
    reply: ReviewVideoStatus,
  },
  'POST /api/family/children/{child}/reviews/{assignment}/video': {
    summary: "Request one video of a delivered review of the guardian's child, unless there is one already",
    access: 'guardian',
    params: byChild,
    reply: ReviewVideoStatus,
    status: 202,
  },
  'GET /api/shared/{token}/video': {
    summary: 'The video of the review behind a private link, if the family has requested one. Does not count as an opening',
    access: 'anyone',
    params: byToken,
    reply: ReviewVideoStatus,
  },
})
