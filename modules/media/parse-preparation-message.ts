import { z } from 'zod'
import { MAX_FRAMES_PER_VIDEO } from './frames.ts'
import { REFUSAL_MESSAGES, type RefusalCode } from './preparation-process/media-refusal.ts'
import type { PreparationMessage } from './preparation-process/protocol.ts'

/** The maximum length of a message. Even a frame table whose frames all differ in length is far shorter. */
export const MAX_PREPARATION_MESSAGE_BYTES = 4_000_000

const count = z.int().min(0)
const file = z.object({ bytes: z.number() })
const table = z.object({
  version: z.literal(1),
  scale: z.int().min(1),
  first: z.int(),
  hidden: z.number().optional(),
  runs: z
    .array(z.tuple([count, count]))
    .min(1)
    .max(MAX_FRAMES_PER_VIDEO),
})
const preparedFilesMessage = z.union([
  z.object({
    rendition: file.extend({ width: count, height: count }),
    poster: file,
    filmstrip: file.extend({ count, columns: count, width: count, height: count }),
  }),
  z.object({ voice: file }),
  z.object({ review: file }),
])
const preparationMessage = z.discriminatedUnion('is', [
  z.object({ is: z.literal('probing') }),
  // `media` is accepted as is here. The media job handler validates it against the API contract, and refuses the file if it does not match.
  z.object({ is: z.literal('probed'), media: z.looseObject({}), table }),
  z.object({ is: z.literal('progress'), part: z.number().min(0).max(1) }),
  z.object({ is: z.literal('made'), made: preparedFilesMessage }),
  z.object({
    is: z.literal('refused'),
    code: z.enum(Object.keys(REFUSAL_MESSAGES) as [RefusalCode]),
    why: z.string().max(1000).optional(),
  }),
])

/** Parses a message of the preparation process. Returns null if it is invalid: a hostile file may have taken over the process. */
export function parsePreparationMessage(line: string): PreparationMessage | null {
  try {
    return preparationMessage.parse(JSON.parse(line)) as PreparationMessage
  } catch {
    return null
  }
}
