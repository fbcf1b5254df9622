import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { cursorParameter, pageLimitParameter, timeAndId } from '../pagination.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_SUPPORT_TEXT_LENGTH } from './policy.ts'

const time = z.iso.datetime()
const short = 'Request content must be at least 10 characters'
const most = `At most ${MAX_SUPPORT_TEXT_LENGTH} characters`

const Priority = z.enum(['low', 'medium', 'high', 'critical'], 'Please select a priority')
export const SupportRequestStatus = z.enum(['open', 'in-progress', 'answered', 'closed'])
export type SupportRequestStatus = z.infer<typeof SupportRequestStatus>
/** `waiting`: open or in progress; `done`: answered or closed. */
export const SupportRequestListName = z.enum(['open', 'waiting', 'done'])
export type SupportRequestListName = z.infer<typeof SupportRequestListName>

const missing = 'Please select a request type'
export const NewSupportRequest = z.strictObject({
  /** Our own form sends `feature`, `issue` or `question`; any other text is accepted, too. */
  requestType: z.string(missing).trim().min(1, missing).max(60, 'At most 60 characters'),
  content: z.string(short).trim().min(10, short).max(MAX_SUPPORT_TEXT_LENGTH, most),
  /** If absent, the server stores the user agent of the request. */
  deviceInfo: z.string().max(500).nullish(),
  priority: Priority.default('medium'),
  suggestedSolution: z.string().trim().max(MAX_SUPPORT_TEXT_LENGTH, most).nullish(),
})
export type NewSupportRequest = z.output<typeof NewSupportRequest>

export const SupportRequest = z.object({
  id: uuidSchema,
  requestType: z.string(),
  content: z.string(),
  deviceInfo: z.string().nullable(),
  priority: Priority,
  suggestedSolution: z.string().nullable(),
  status: SupportRequestStatus,
  answer: z.string().nullable(),
  answered: time.nullable(),
  /** All answers, oldest first; `answer` and `answered` are those of the last one. */
  answers: z.array(z.object({ text: z.string(), at: time })),
  asked: time,
})
export type SupportRequest = z.infer<typeof SupportRequest>

const byRequest = z.strictObject({ request: uuidSchema })
const admin = ['admin'] as const

export const supportContract = defineEndpoints({
  'POST /api/support/request': {
    summary: 'Send a support request',
    access: 'signed-in',
    body: NewSupportRequest,
    reply: SupportRequest,
    status: 201,
  },
  'GET /api/support/my-requests': {
    summary: 'The support requests of this account, newest first; the header `link` names the next page',
    access: 'signed-in',
    query: z.strictObject({ before: cursorParameter(timeAndId).optional(), limit: pageLimitParameter({ default: 50, max: 100 }) }),
    reply: z.array(SupportRequest),
  },
  'GET /api/admin/support': {
    summary: 'All support requests: open ones first, by priority, then by age',
    access: admin,
    /**
     * With `list`, the reply is one page of that list: open or waiting requests, most urgent first, or done ones, newest first. Without it,
     * the reply has at most 500 requests.
     */
    query: z.strictObject({
      status: SupportRequestStatus.optional(),
      list: SupportRequestListName.optional(),
      request: uuidSchema.optional(),
      after: cursorParameter(z.tuple([z.boolean(), z.int32(), time, uuidSchema])).optional(),
      limit: pageLimitParameter({ default: 25, max: 100 }),
    }),
    reply: z.object({
      /** The number of requests on all pages, and the `after` of the next page; null on the last page. */
      total: z.int(),
      next: z.string().nullable(),
      requests: z.array(
        SupportRequest.extend({
          /** Whether the server, not the person in `by`, wrote the request. The person can read the answer anyway. */
          bySystem: z.boolean(),
          by: z.object({ id: uuidSchema, name: z.string(), email: z.string(), role: z.enum(['player', 'instructor', 'admin']) }).nullable(),
        }),
      ),
    }),
  },
  'POST /api/admin/support/{request}/answer': {
    summary: 'Answer a request; the person gets an email',
    access: admin,
    params: byRequest,
    body: z.strictObject({ answer: z.string('Write an answer').trim().min(1, 'Write an answer').max(MAX_SUPPORT_TEXT_LENGTH, most) }),
    status: 204,
  },
  'POST /api/admin/support/{request}/status': {
    summary: 'Set the status of a request',
    access: admin,
    params: byRequest,
    body: z.strictObject({ status: SupportRequestStatus }),
    status: 204,
  },
})
