import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { uuidSchema } from '../uuid-validation.ts'

const time = z.iso.datetime()

/** One event of the log as administrators see it. */
export const AdminEventLogEntry = z.object({
  position: z.string(),
  stream: z.string(),
  revision: z.string(),
  id: uuidSchema,
  type: z.string(),
  at: time,
  /** The name of the command that wrote the event, such as `folder.assign`, and the command's id. */
  command: z.string(),
  commandId: z.string(),
  actor: z.string(),
  /** Name and role of the actor; null if the actor is not a person. */
  who: z.object({ name: z.string(), role: z.string() }).nullable(),
  /** The person the event is about: the owner of the account, folder, card or money. */
  about: z.object({ id: uuidSchema, name: z.string() }).nullable(),
  cause: z.string().nullable(),
  folder: uuidSchema.nullable(),
  data: z.unknown(),
})
export type AdminEventLogEntry = z.infer<typeof AdminEventLogEntry>

/**
 * The end of the log's hash chain. Anyone who keeps a copy of it can later prove whether an earlier event was changed. `at`: when this last
 * event was added to the chain.
 */
const ChainHead = z.object({ position: z.string(), hash: z.string(), at: time })

/** A reader of the log (a projection, a process or the writer of the hash chain), and how far it has read. */
const Follower = z.object({
  name: z.string(),
  position: z.string(),
  /** The position that a rebuild has reached, or null. */
  rebuilding: z.string().nullable(),
  /**
   * Where the log ended when the server found that it ends before this reader's checkpoint, as after a restore from a backup. The reader
   * is then stopped until `npm run rebuild`. Null otherwise.
   */
  logEnd: z.string().nullable(),
  /** The number of parked streams, and the oldest 100 of them, each with the event that failed. */
  parked: z.object({
    count: z.int(),
    streams: z.array(
      z.object({ stream: z.string(), position: z.string(), event: z.string(), type: z.string(), error: z.string(), at: time }),
    ),
  }),
})

const filter = {
  type: z.string().max(60).optional(),
  stream: z.string().max(80).optional(),
  /** A person's id or email address, or `system`. */
  actor: z.string().trim().max(254).optional(),
  /** Events that this person caused, and events about them and their data. */
  person: uuidSchema.optional(),
  folder: uuidSchema.optional(),
  /** The time range: `from` is inclusive, `to` is exclusive. */
  from: time.optional(),
  to: time.optional(),
}

export const auditContract = defineEndpoints({
  'GET /api/admin/events': {
    summary: 'The event log, newest first, filtered; `before` requests the next page',
    access: ['admin'],
    query: z.strictObject({
      ...filter,
      before: z.string().regex(/^\d+$/).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.object({
      events: z.array(AdminEventLogEntry),
      next: z.string().nullable(),
      types: z.array(z.string()),
      chain: ChainHead.nullable(),
    }),
  },
  'GET /api/admin/events/export': {
    summary:
      'The filtered log as JSON Lines, each with its place in the hash chain; the last line closes the file (`npm run verify-audit`)',
    access: ['admin'],
    query: z.strictObject(filter),
    media: ['application/jsonl'],
  },
  'GET /api/admin/state': {
    summary: 'The progress of projections and processes, the streams they have parked, and errands that have failed for good',
    access: ['admin'],
    reply: z.object({
      followers: z.array(Follower),
      errands: z.array(z.object({ id: z.string(), kind: z.string(), attempts: z.int(), error: z.string().nullable(), at: time })),
    }),
  },
  'GET /api/admin/system': {
    summary: 'Figures about the servers: log lag, outbox, media queue, failing emails',
    access: ['admin'],
    reply: z.object({
      /** How far the slowest reader is behind the log. */
      logLagSeconds: z.number(),
      /** How many errands are due or are being retried, and how long the oldest of them has waited. */
      outbox: z.object({ waiting: z.int(), oldestSeconds: z.number() }),
      media: z.object({ waiting: z.int(), oldestSeconds: z.number() }),
      /**
       * `failing`: letters that have not been sent and whose last attempt failed; `error`: the error of the most recently requested one.
       * `returned`: letters of the last seven days that bounced, were reported as spam, or were suppressed.
       */
      letters: z.object({ failing: z.int(), error: z.string().nullable(), returned: z.int() }),
    }),
  },
  'POST /api/admin/followers/{follower}/retry': {
    summary: 'Retry the parked streams of a projection or process; `done` is false while the retry is running',
    access: ['admin'],
    params: z.strictObject({ follower: z.string().regex(/^[a-z_-]{1,60}$/) }),
    reply: z.object({ done: z.boolean(), parked: z.int() }),
  },
  'POST /api/admin/errands/{errand}/retry': {
    summary: 'Retry an errand that has failed for good; `waiting` while it is running or will be retried automatically',
    access: ['admin'],
    params: z.strictObject({ errand: z.string().max(80) }),
    reply: z.object({ state: z.enum(['done', 'failed', 'waiting']) }),
  },
})
