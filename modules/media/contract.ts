import { z } from 'zod'
import { DecisionReason } from '../decision-reason.ts'
import { defineEndpoints } from '../endpoint.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { frameCount, MAX_FRAMES_PER_VIDEO } from './frames.ts'
import { MAX_VIDEO_MINUTES, MAX_VIDEO_SIDE_PIXELS } from './policy.ts'

/** What a video's container says about it; known once the file has been read. */
export const VideoProperties = z.object({
  container: z.enum(['mp4', 'mov', 'webm']),
  /** `avc`, `hevc`, `vp8`, `vp9`, `av1` or `prores`; `unknown` for every other codec. */
  codec: z.string(),
  /** The size of a frame as shown: rotated, with square pixels. */
  width: z.int(),
  height: z.int(),
  /** How many degrees clockwise a stored frame must be rotated to be shown. */
  rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  milliseconds: z.int(),
  frames: z.int(),
  /** Frames per second in the file, as numerator and denominator (30000, 1001); null if the rate varies. */
  rate: z.tuple([z.int(), z.int()]).nullable(),
  variable: z.boolean(),
  hdr: z.boolean(),
  sound: z.boolean(),
  /** Frames per second of real time, if known to differ from the file's rate, as in slow motion that was exported as an ordinary video. */
  captureRate: z.object({ rate: z.number().positive(), by: z.enum(['file', 'person']) }).nullable(),
  /** How many milliseconds at the start cannot be decoded, because the file was cut between keyframes; the video begins after them. */
  omittedMilliseconds: z.int().positive().optional(),
})
export type VideoProperties = z.infer<typeof VideoProperties>

/** The API rejects longer frame tables. The browser then repeats its request without one, and the worker reads it from the file. */
export const MAX_FRAME_TABLE_RUNS = 10_000
const ticks = z
  .int()
  .min(1)
  .max(2 ** 32)
/**
 * What the uploading browser read from a file. It is used until the server has read the file, and validated strictly, because it is
 * untrusted.
 */
export const BrowserMediaFindings = z
  .strictObject({
    media: z.strictObject({
      ...VideoProperties.shape,
      codec: z.string().regex(/^[\w.-]{1,20}$/),
      width: z.int().min(2).max(MAX_VIDEO_SIDE_PIXELS),
      height: z.int().min(2).max(MAX_VIDEO_SIDE_PIXELS),
      milliseconds: z
        .int()
        .min(1)
        .max(MAX_VIDEO_MINUTES * 60_000),
      rate: z.tuple([ticks, ticks]).nullable(),
      captureRate: z.strictObject({ rate: z.number().min(1).max(10_000), by: z.literal('file') }).nullable(),
    }),
    table: z.strictObject({
      version: z.literal(1),
      scale: ticks,
      first: z.int().min(0),
      hidden: ticks.optional(),
      runs: z
        .array(z.tuple([ticks, ticks]))
        .min(1)
        .max(MAX_FRAME_TABLE_RUNS),
    }),
  })
  .refine(
    ({ media, table }) => media.frames <= MAX_FRAMES_PER_VIDEO && media.frames === frameCount(table),
    'The frames are not those of the table',
  )
export type BrowserMediaFindings = z.infer<typeof BrowserMediaFindings>

/** Stills of a video in one image: rows of `columns` tiles; tile i shows frame floor((i + ½) × frames ÷ count). */
export const Filmstrip = z.object({ url: z.string(), count: z.int(), columns: z.int(), width: z.int(), height: z.int() })
export type Filmstrip = z.infer<typeof Filmstrip>

export const RenditionState = z.enum(['waiting', 'preparing', 'ready', 'refused'])
export type RenditionState = z.infer<typeof RenditionState>

/**
 * What people watch instead of the original: H.264, at most 720 pixels on its shorter side, no B-frames, a keyframe at least every 12
 * frames, and exactly the frames of the original. Its first frame is at 0: frame i is at time(i) − time(0) of the frame table.
 */
export const Rendition = z.object({
  state: RenditionState,
  /** 0…1 while it is being prepared. */
  progress: z.number().min(0).max(1),
  /** Tells the player why there is no rendition, and what to do. */
  reason: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Whether the video was refused: it will never have a rendition, so instructors cannot see it, and nobody pays for it. */
  unseen: z.boolean(),
  /** A signed URL; null until the rendition is ready. */
  url: z.string().nullable(),
  bytes: z.int().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** The URL of the frame table (`frames.ts`). It exists before the rendition does, and even for some refused videos. */
  table: z.string().nullable(),
  filmstrip: Filmstrip.nullable(),
})
export type Rendition = z.infer<typeof Rendition>

/**
 * The output of a media job: the rendition of a video, the AAC of a voice-over, or the video of a review. For the last two, `video` is the
 * id of the voice-over or of the assignment.
 */
export const MediaJobKind = z.enum(['rendition', 'voice', 'review'])
export type MediaJobKind = z.infer<typeof MediaJobKind>

const time = z.iso.datetime()
export const ListedMediaJob = z.object({
  kind: MediaJobKind,
  video: uuidSchema,
  folder: uuidSchema,
  state: RenditionState,
  progress: z.number(),
  tries: z.int(),
  bytes: z.int(),
  type: z.string(),
  code: z.string().nullable(),
  /** The error of the last attempt, for operators. */
  error: z.string().nullable(),
  /** The message from the administrator who refused the video to whoever uploaded it. */
  reason: z.string().nullable(),
  /** CPU seconds of all attempts together. */
  cpuSeconds: z.number(),
  media: VideoProperties.nullable(),
  asked: time,
  /** When the last try began. */
  begun: time.nullable(),
  ended: time.nullable(),
})
export type ListedMediaJob = z.infer<typeof ListedMediaJob>

/** An id alone may not identify a job: clients choose ids, so a voice-over may have the id of a video. Older pages send no kind. */
const jobQuery = z.strictObject({ kind: MediaJobKind.default('rendition') })

export const adminMediaJobContract = defineEndpoints({
  'GET /api/admin/media': {
    summary: 'The videos that are waiting, being prepared, or were refused, and the number of each',
    access: ['admin'],
    reply: z.object({ counts: z.record(z.string(), z.int()), works: z.array(ListedMediaJob) }),
  },
  'POST /api/admin/media/{video}/refuse': {
    summary: 'Refuse a video for good, with a reason that whoever uploaded it reads; voice-overs and videos of reviews cannot be refused',
    access: ['admin'],
    params: z.strictObject({ video: uuidSchema }),
    query: jobQuery,
    body: z.strictObject({ reason: DecisionReason }),
    status: 204,
  },
  'POST /api/admin/media/{video}/retry': {
    summary: 'Prepare a refused video again',
    access: ['admin'],
    params: z.strictObject({ video: uuidSchema }),
    query: jobQuery,
    status: 204,
  },
})
