import { z } from 'zod'
import { withoutHiddenCharacters } from '../deceptive-text.ts'
import { defineEndpoints } from '../endpoint.ts'
import { MAX_VIDEO_BYTES, VIDEO_TYPES } from '../folders/policy.ts'
import { BrowserMediaFindings } from '../media/contract.ts'
import { NewModelClip } from '../model-clips/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'

const time = z.iso.datetime()
/** Players add videos to their folders, instructors to their library of model clips. */
const uploader = ['player', 'instructor'] as const

/** Starts an upload of a file with this name, type and size. The signed URLs accept exactly this type and size. */
const UploadRequest = z.strictObject({
  /** The id of the new video. */
  id: uuidSchema,
  /** The player's folder; for an instructor, their own id, which names their library of model clips. */
  folder: uuidSchema,
  /** The video that the new one replaces. A refused video can be replaced even while the folder is assigned. */
  replaces: uuidSchema.optional(),
  /** The file name, without hidden characters that would make it look like another name. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .transform(name => withoutHiddenCharacters(name).trim() || 'video'),
  type: z.enum(VIDEO_TYPES, 'Choose an MP4, MOV or WEBM video'),
  bytes: z
    .int()
    .min(1, 'This file is empty')
    .max(MAX_VIDEO_BYTES, `A video can be up to ${MAX_VIDEO_BYTES / 1024 / 1024} MB`),
  /** Name, size and modification time of the file, to find its unfinished upload again after a reload. */
  fingerprint: z.string().max(300),
})
export const UploadInProgress = z.object({
  id: uuidSchema,
  folder: uuidSchema,
  replaces: uuidSchema.nullable(),
  name: z.string(),
  type: z.enum(VIDEO_TYPES),
  bytes: z.int(),
  fingerprint: z.string(),
  /** 1: one PUT of the whole file. More: a multipart upload, whose parts are `partBytes` bytes long, except the last. */
  parts: z.int(),
  partBytes: z.int(),
  /** Numbers (from 1) and ETags of the parts that have arrived. */
  arrived: z.array(z.object({ number: z.int(), etag: z.string(), bytes: z.int() })),
  started: time,
})
export type UploadInProgress = z.infer<typeof UploadInProgress>
const byUpload = z.strictObject({ upload: uuidSchema })

export const uploadsContract = defineEndpoints({
  'POST /api/uploads': {
    summary: 'Start an upload, or resume it (same id)',
    access: uploader,
    refusals: [404],
    body: UploadRequest,
    reply: UploadInProgress,
    status: 201,
  },
  'GET /api/uploads': {
    summary: 'Unfinished uploads of a folder',
    access: uploader,
    refusals: [404],
    query: z.strictObject({ folder: uuidSchema }),
    reply: z.object({ uploads: z.array(UploadInProgress) }),
  },
  'GET /api/uploads/{upload}': {
    summary: 'An unfinished upload and the parts that have arrived',
    access: uploader,
    params: byUpload,
    reply: UploadInProgress,
  },
  'POST /api/uploads/{upload}/sign': {
    summary: 'Signed URLs to PUT these parts to (1 is the whole file of a single upload); each signature fixes the length',
    access: uploader,
    params: byUpload,
    body: z.strictObject({ numbers: z.array(z.int().min(1).max(1000)).min(1).max(20) }),
    reply: z.object({ parts: z.array(z.object({ number: z.int(), url: z.string(), bytes: z.int() })), expires: time }),
  },
  'POST /api/uploads/{upload}/poster': {
    summary: 'A signed URL to PUT the poster to (a JPEG made by the browser)',
    access: uploader,
    params: byUpload,
    body: z.strictObject({ bytes: z.int().min(1).max(300_000) }),
    reply: z.object({ url: z.string() }),
  },
  'POST /api/uploads/{upload}/complete': {
    summary: 'Complete an upload: check its bytes and add the video to its folder, or to the library of model clips',
    access: uploader,
    params: byUpload,
    body: z.strictObject({
      milliseconds: z.int().min(0),
      width: z.int().min(0).max(16384),
      height: z.int().min(0).max(16384),
      poster: z.boolean(),
      /** What the browser read from the file. Pages use it to show exact frames until the server has read the file itself. */
      inside: BrowserMediaFindings.optional(),
      /** Required for a model clip; ignored for a player's video. */
      modelClip: NewModelClip.optional(),
    }),
    reply: z.object({ video: uuidSchema }),
  },
  'DELETE /api/uploads/{upload}': { summary: 'Cancel an upload', access: uploader, params: byUpload, status: 204 },
})
