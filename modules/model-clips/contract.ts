import { z } from 'zod'
import { Skill } from '../accounts/contract.ts'
import { hasHiddenCharacters, hasVisibleCharacter } from '../deceptive-text.ts'
import { defineEndpoints } from '../endpoint.ts'
import { Video } from '../folders/contract.ts'
import { uuidSchema } from '../uuid-validation.ts'
import { MAX_MODEL_CLIP_TITLE_LENGTH } from './policy.ts'

/** The side from which the person in a clip bats, or the hand with which they throw. */
export const ModelClipHandedness = z.enum(['right', 'left'])
/** The camera's position, as seen from the person in the clip. */
export const ModelClipAngle = z.enum(['side', 'front', 'behind', 'other'])

const facts = {
  title: z
    .string()
    .trim()
    .min(1, 'Give the clip a name')
    .max(MAX_MODEL_CLIP_TITLE_LENGTH, `A name has at most ${MAX_MODEL_CLIP_TITLE_LENGTH} characters`)
    .refine(title => !hasHiddenCharacters(title) && hasVisibleCharacter(title), 'Use visible letters and numbers'),
  skill: Skill,
  side: ModelClipHandedness,
  angle: ModelClipAngle,
}

/** An instructor's description of a model clip. Players read the title. */
export const ModelClipDetails = z.strictObject(facts)
export type ModelClipDetails = z.infer<typeof ModelClipDetails>

/** The description of a new clip, for which the instructor has to confirm the right to show it. */
export const NewModelClip = z.strictObject({
  ...facts,
  rightsConfirmed: z.literal(true, 'Confirm that you may show this clip to your players'),
})
export type NewModelClip = z.infer<typeof NewModelClip>

/** A clip from an instructor's own library, to be compared with players' clips. `video.name` is its title. */
export const ModelClip = z.object({
  ...facts,
  title: z.string(),
  video: Video,
  /** When the instructor confirmed the right to show it. */
  rightsConfirmed: z.iso.datetime().nullable(),
  /** How many delivered reviews show it. */
  reviews: z.int(),
})
export type ModelClip = z.infer<typeof ModelClip>

const owner = ['instructor'] as const
const byClip = z.strictObject({ clip: uuidSchema })

export const modelClipsContract = defineEndpoints({
  'GET /api/model-clips': {
    summary: "The instructor's library of model clips, the newest first",
    access: owner,
    /**
     * `library`: the id of the library, by which comparisons refer to it. `retained`: deleted clips that delivered reviews still show; the
     * instructor can delete them from those reviews as well.
     */
    reply: z.object({ library: uuidSchema, clips: z.array(ModelClip), retained: z.array(ModelClip) }),
  },
  'PUT /api/model-clips/{clip}': {
    summary: 'Rename a model clip, or correct what it shows',
    access: owner,
    params: byClip,
    body: ModelClipDetails,
    status: 204,
  },
  'DELETE /api/model-clips/{clip}': {
    summary: 'Delete a model clip; reviews that were delivered with it keep showing it, unless `everywhere`',
    access: owner,
    params: byClip,
    query: z.strictObject({ everywhere: z.literal('true').optional() }),
    status: 204,
  },
})
