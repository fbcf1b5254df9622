import { z } from 'zod'
import { defineEndpoints } from '../endpoint.ts'
import { uuidSchema } from '../uuid-validation.ts'
import {
  INK_NAMES,
  MAX_ACTIONS_PER_VOICE,
  MAX_COMPARISON_TITLE_LENGTH,
  MAX_COMPARISONS_PER_REVIEW,
  MAX_DRAWING_LABEL_LENGTH,
  MAX_GOAL_LENGTH,
  MAX_GOALS_PER_REVIEW,
  MAX_MATERIAL_LINK_LENGTH,
  MAX_ONION_SKIN_DISTANCE,
  MAX_POINTS_PER_SHAPE,
  MAX_SHAPE_HOLD_FRAMES,
  MAX_SHAPES_PER_REVIEW,
  MAX_VOICE_BYTES,
  MAX_VOICE_MS,
  MAX_VOICES_PER_REVIEW,
  PICTURE_SIDE_UNITS,
  TECHNIQUE_POSITIONS_BY_SKILL,
  TOOLS_WITHOUT_KEYFRAMES,
  VOICE_TYPES,
} from './policy.ts'

const frame = z.int().min(0)

export const DrawingTool = z.enum([
  'pen',
  'line',
  'arrow',
  'circle',
  'rectangle',
  'angle',
  'tilt',
  'text',
  'path',
  'stopwatch',
  'length',
  'grid',
  'zone',
  'plate',
])
export type DrawingTool = z.infer<typeof DrawingTool>

/**
 * How many points a drawing of each tool has. Circle, rectangle, grid, zone (the strike zone) and plate: two opposite corners. Angle: the
 * end of one arm, the vertex, the end of the other arm. Tilt: both ends of a line whose angle to the vertical or the horizontal is shown.
 * Text and stopwatch: where the text is. Path: one point for each of its frames. Length: both ends of something of known length, then both
 * ends of what is measured against it.
 */
const POINTS: Record<DrawingTool, { least: number; most: number }> = {
  pen: { least: 1, most: MAX_POINTS_PER_SHAPE },
  line: { least: 2, most: 2 },
  arrow: { least: 2, most: 2 },
  circle: { least: 2, most: 2 },
  rectangle: { least: 2, most: 2 },
  angle: { least: 3, most: 3 },
  tilt: { least: 2, most: 2 },
  text: { least: 1, most: 1 },
  path: { least: 1, most: MAX_POINTS_PER_SHAPE },
  stopwatch: { least: 1, most: 1 },
  length: { least: 4, most: 4 },
  grid: { least: 2, most: 2 },
  zone: { least: 2, most: 2 },
  plate: { least: 2, most: 2 },
}

/** Whether every point is on the picture. `p` holds the first point itself, then the difference from each point to the next. */
function onPicture(p: readonly number[]) {
  const at = [0, 0]
  return p.every((d, i) => {
    at[i % 2]! += d
    return at[i % 2]! >= 0 && at[i % 2]! <= PICTURE_SIDE_UNITS
  })
}

/** Whether the drawing has the frames that its tool needs, in order: a path one for each point, a stopwatch two, all others none. */
function hasItsFrames({ tool, p, from, frames }: { tool: DrawingTool; p: number[]; from: number; frames?: number[] | undefined }) {
  if (tool !== 'path' && tool !== 'stopwatch') return frames === undefined
  const count = tool === 'path' ? p.length / 2 : 2
  const rises = tool === 'path' ? (a: number, b: number) => a < b : (a: number, b: number) => a <= b
  return frames?.length === count && frames[0] === from && frames.every((f, i) => i === 0 || rises(frames[i - 1]!, f))
}

/** Where a drawing is at a later frame. `p`: its points at that frame, encoded as `onPicture` describes. */
const Keyframe = z.strictObject({
  frame,
  p: z
    .array(z.int().min(-PICTURE_SIDE_UNITS).max(PICTURE_SIDE_UNITS))
    .min(2)
    .max(MAX_POINTS_PER_SHAPE)
    .refine(onPicture, 'This drawing reaches past the edge of the picture'),
})
export type Keyframe = z.infer<typeof Keyframe>

/** Whether the keyframes, if the tool allows any, come after `from`, in order, each with as many points as the drawing has. */
function hasItsKeyframes({
  tool,
  p,
  from,
  keyframes = [],
}: {
  tool: DrawingTool
  p: number[]
  from: number
  keyframes?: Keyframe[] | undefined
}) {
  return (
    (keyframes.length === 0 || !TOOLS_WITHOUT_KEYFRAMES.includes(tool)) &&
    keyframes.every((k, i) => k.frame > (keyframes[i - 1]?.frame ?? from) && k.p.length === p.length)
  )
}

/**
 * A vector drawing on the picture as shown. It begins at the frame `from`, stays for `hold` frames and fades out during `fade` more.
 * `width` is in ten-thousandths of the picture's height; `z` is a pen's pressure at each point, 0 to 100.
 */
export const Shape = z
  .strictObject({
    id: uuidSchema,
    tool: DrawingTool,
    color: z
      .int()
      .min(0)
      .max(INK_NAMES.length - 1),
    width: z.int().min(1).max(200),
    p: z
      .array(z.int().min(-PICTURE_SIDE_UNITS).max(PICTURE_SIDE_UNITS))
      .min(2)
      .max(2 * MAX_POINTS_PER_SHAPE, `A stroke has at most ${MAX_POINTS_PER_SHAPE} points`),
    z: z.array(z.int().min(0).max(100)).max(MAX_POINTS_PER_SHAPE).optional(),
    text: z.string().trim().min(1).max(MAX_DRAWING_LABEL_LENGTH, `At most ${MAX_DRAWING_LABEL_LENGTH} letters on the picture`).optional(),
    /** Frames of a path's points; the first and the last frame of a stopwatch. They ascend and begin with `from`. */
    frames: z.array(frame).min(1).max(MAX_POINTS_PER_SHAPE).optional(),
    /** The places of a drawing after `from`; between two keyframes it moves in a straight line. */
    keyframes: z.array(Keyframe).min(1).max(MAX_POINTS_PER_SHAPE).optional(),
    /** Milliseconds of real time between the two frames of a stopwatch, rounded to a tenth; absent if the capture rate is unknown. */
    milliseconds: z.number().min(0).max(86_400_000).optional(),
    /** For the tool `length`: the known length, against which the other length is measured. */
    inches: z.number().min(1).max(1200).optional(),
    from: frame,
    hold: z.int().min(1).max(MAX_SHAPE_HOLD_FRAMES),
    fade: z.int().min(0).max(MAX_SHAPE_HOLD_FRAMES),
  })
  .refine(s => s.p.length % 2 === 0 && s.p.length / 2 >= POINTS[s.tool].least && s.p.length / 2 <= POINTS[s.tool].most, {
    path: ['p'],
    message: 'This drawing has too few or too many points',
  })
  .refine(s => onPicture(s.p), { path: ['p'], message: 'This drawing reaches past the edge of the picture' })
  .refine(s => !s.z || s.z.length === s.p.length / 2, { path: ['z'], message: 'This stroke needs a pressure for each of its points' })
  .refine(s => (s.text !== undefined) === (s.tool === 'text'), { path: ['text'], message: 'Enter the text for the picture' })
  .refine(s => hasItsFrames(s), { path: ['frames'], message: 'This drawing needs a frame for each of its points, in order' })
  .refine(s => hasItsKeyframes(s), { path: ['keyframes'], message: 'This drawing needs all its points at each of its frames, in order' })
  .refine(s => (s.p.length / 2) * ((s.keyframes?.length ?? 0) + 1) <= MAX_POINTS_PER_SHAPE, {
    path: ['keyframes'],
    message: `A drawing has at most ${MAX_POINTS_PER_SHAPE} points at all its frames together`,
  })
  .refine(s => s.milliseconds === undefined || s.tool === 'stopwatch', { path: ['milliseconds'], message: 'Only a stopwatch has a time' })
  .refine(s => (s.inches !== undefined) === (s.tool === 'length'), { path: ['inches'], message: 'Enter the known length' })
export type Shape = z.infer<typeof Shape>

/** The drawings of one note, of one voice-over, or of one side of a comparison. */
export const Shapes = z.array(Shape).max(MAX_SHAPES_PER_REVIEW, `At most ${MAX_SHAPES_PER_REVIEW} drawings`)

const ms = z.int().min(0).max(MAX_VOICE_MS)
/**
 * What the instructor did at one moment of the recording, as a tuple `[ms, kind, …]`. `at`: which frame was visible while the video
 * played. `zoom`: the scale in thousandths, and the center in coordinates from 0 to `PICTURE_SIDE_UNITS`. `stroke`: a drawing of this
 * voice-over, and the ms from each of its points to the next.
 */
export const VoiceAction = z.union([
  z.tuple([ms, z.enum(['play', 'pause', 'seek', 'at']), frame]),
  z.tuple([ms, z.literal('rate'), z.number().min(0.05).max(4)]),
  z.tuple([ms, z.literal('clip'), uuidSchema, frame]),
  z.tuple([
    ms,
    z.literal('zoom'),
    z.int().min(1000).max(8000),
    z.int().min(0).max(PICTURE_SIDE_UNITS),
    z.int().min(0).max(PICTURE_SIDE_UNITS),
  ]),
  z.tuple([ms, z.literal('stroke'), uuidSchema], ms),
  z.tuple([ms, z.literal('erase'), uuidSchema]),
])
export type VoiceAction = z.infer<typeof VoiceAction>

/** A voice-over of a video; its sound is in the object store. It belongs to a note, or to the whole review. */
export const Voice = z.strictObject({
  id: uuidSchema,
  /** The clip and the frame that were shown when the recording began. */
  video: uuidSchema,
  frame,
  milliseconds: z.int().min(1).max(MAX_VOICE_MS, 'A voice-over lasts at most five minutes'),
  bytes: z.int().min(1).max(MAX_VOICE_BYTES),
  type: z.enum(VOICE_TYPES),
  actions: z.array(VoiceAction).max(MAX_ACTIONS_PER_VOICE),
  shapes: Shapes.optional(),
})
export type Voice = z.infer<typeof Voice>

/**
 * A voice-over with a signed URL that expires soon. For everyone but the instructor and administrators, `url` is null until the recording
 * has been converted. For the author of a draft, it is null until the recording has been uploaded.
 */
export const VoiceWithSignedUrl = z.object({ id: uuidSchema, url: z.string().nullable(), type: z.enum(VOICE_TYPES) })
export type VoiceWithSignedUrl = z.infer<typeof VoiceWithSignedUrl>

export const voiceUploadContract = defineEndpoints({
  'POST /api/folders/{folder}/voices': {
    summary: 'A signed URL to which a voice-over of an open review is PUT; the signature fixes its type and length',
    access: ['instructor'],
    params: z.strictObject({ folder: uuidSchema }),
    query: z.strictObject({ session: uuidSchema.optional() }),
    body: Voice.pick({ id: true, bytes: true, type: true }),
    reply: z.object({ url: z.string(), expires: z.iso.datetime() }),
  },
})

/** A technique position on a frame: set manually, or proposed from the sound of the ball until somebody confirms it. */
export const TechniquePosition = z
  .strictObject({
    video: uuidSchema,
    skill: z.enum(['hitting', 'pitching', 'fielding', 'catching']),
    name: z.string(),
    frame,
    by: z.enum(['hand', 'sound']),
  })
  .refine(c => (TECHNIQUE_POSITIONS_BY_SKILL[c.skill] as readonly string[]).includes(c.name), {
    path: ['name'],
    message: 'There is no such position',
  })
export type TechniquePosition = z.infer<typeof TechniquePosition>

/**
 * One clip of a comparison. `origin`: its frame that is synchronized with the other clip's; it is shown at `offset` ms on a common clock.
 * The clip plays `scale` times as fast as that clock. Drawings are placed on this clip's picture and frames, whatever the layout.
 */
export const ComparedSide = z.strictObject({
  folder: uuidSchema,
  video: uuidSchema,
  origin: frame,
  offset: z.int().min(-600_000).max(600_000),
  scale: z.number().min(0.05).max(20),
  /** Whether the clip is mirrored, so that a lefty can be compared with a righty. `shapes` are in coordinates of the mirrored picture. */
  mirrored: z.literal(true).optional(),
  shapes: Shapes.optional(),
})
export type ComparedSide = z.infer<typeof ComparedSide>
/**
 * How the layout `ghost` shows the second clip over the first. `opacity` is in percent. `tinted`: whether it is tinted; if not, it keeps
 * its own colors. `around`: further frames of the second clip that are shown more faintly, as offsets from the current frame.
 */
export const OnionSkin = z.strictObject({
  opacity: z.int().min(10).max(90),
  tinted: z.literal(true).optional(),
  around: z
    .array(
      z
        .int()
        .min(-MAX_ONION_SKIN_DISTANCE)
        .max(MAX_ONION_SKIN_DISTANCE)
        .refine(n => n !== 0),
    )
    .max(2 * MAX_ONION_SKIN_DISTANCE)
    .optional(),
})
export type OnionSkin = z.infer<typeof OnionSkin>
/** Two clips shown in sync, side by side or one over the other. */
export const Comparison = z.strictObject({
  id: uuidSchema,
  title: z.string().trim().max(MAX_COMPARISON_TITLE_LENGTH, `At most ${MAX_COMPARISON_TITLE_LENGTH} characters`),
  sides: z.tuple([ComparedSide, ComparedSide]),
  mode: z.enum(['side', 'slider', 'ghost']),
  onionSkin: OnionSkin.optional(),
  /** Whether the second clip is stretched to take as long as the first, both before and after the origin. */
  stretch: z.boolean(),
})
export type Comparison = z.infer<typeof Comparison>

/** One thing to work on until the next session. `from`: the id of the goal in an earlier review that this one continues. */
export const Goal = z.strictObject({
  id: uuidSchema,
  text: z.string().trim().min(1, 'Write the goal').max(MAX_GOAL_LENGTH, `A goal has at most ${MAX_GOAL_LENGTH} characters`),
  from: uuidSchema.optional(),
  state: z.enum(['given', 'tried', 'fixed']),
})
export type Goal = z.infer<typeof Goal>

/** A link to more material: a full https URL without a user name or password. */
export const ExternalSiteUrl = z
  .url({
    protocol: /^https$/,
    hostname: z.regexes.domain,
    normalize: true,
    error: 'Use a full address that begins with https://',
  })
  .max(MAX_MATERIAL_LINK_LENGTH, `An address has at most ${MAX_MATERIAL_LINK_LENGTH} characters`)
  .refine(link => !/^https:\/\/[^/?#]*@/.test(link), 'An address with a name or password in it is not shown to players')

/** The optional parts of a review besides notes, summary and grades. Older reviews have none. */
export const optionalReviewFields = {
  voices: z.array(Voice).max(MAX_VOICES_PER_REVIEW, `At most ${MAX_VOICES_PER_REVIEW} voice-overs`).optional(),
  checkpoints: z.array(TechniquePosition).max(60).optional(),
  comparisons: z.array(Comparison).max(MAX_COMPARISONS_PER_REVIEW, `At most ${MAX_COMPARISONS_PER_REVIEW} comparisons`).optional(),
  goals: z.array(Goal).max(MAX_GOALS_PER_REVIEW, `At most ${MAX_GOALS_PER_REVIEW} goals`).optional(),
}
