import { z } from 'zod'
import { id } from '../id.ts'
import { HOLD_FRAMES, INKS, LABEL_LENGTH, POINTS_PER_SHAPE, SHAPES_PER_REVIEW, UNIT } from './policy.ts'

const frame = z.int().min(0)

/** What one draws with. */
export const Tool = z.enum(['pen', 'line', 'arrow', 'circle', 'rectangle', 'angle', 'text'])
export type Tool = z.infer<typeof Tool>

/** How many points each has: pen any; circle and rectangle two corners; angle one arm, the corner, the other arm. */
const POINTS: Record<Tool, { least: number; most: number }> = {
  pen: { least: 1, most: POINTS_PER_SHAPE },
  line: { least: 2, most: 2 },
  arrow: { least: 2, most: 2 },
  circle: { least: 2, most: 2 },
  rectangle: { least: 2, most: 2 },
  angle: { least: 3, most: 3 },
  text: { least: 1, most: 1 },
}

/** Every point lies on the picture: `p` has the first as it is, the others as differences to the one before. */
function onPicture(p: readonly number[]) {
  const at = [0, 0]
  return p.every((d, i) => {
    at[i % 2]! += d
    return at[i % 2]! >= 0 && at[i % 2]! <= UNIT
  })
}

/**
 * A drawing on the picture as shown, in vectors. Its own frame is `from`; it stays for `hold` frames and fades in `fade` more.
 * `width` in ten-thousandths of the picture's height; `z` is a pen's pressure at each point, 0 to 100.
 */
export const Shape = z
  .strictObject({
    id,
    tool: Tool,
    color: z
      .int()
      .min(0)
      .max(INKS.length - 1),
    width: z.int().min(1).max(200),
    p: z
      .array(z.int().min(-UNIT).max(UNIT))
      .min(2)
      .max(2 * POINTS_PER_SHAPE, `A stroke has at most ${POINTS_PER_SHAPE} points`),
    z: z.array(z.int().min(0).max(100)).max(POINTS_PER_SHAPE).optional(),
    text: z.string().trim().min(1).max(LABEL_LENGTH, `At most ${LABEL_LENGTH} letters on the picture`).optional(),
    from: frame,
    hold: z.int().min(1).max(HOLD_FRAMES),
    fade: z.int().min(0).max(HOLD_FRAMES),
  })
  .refine(s => s.p.length % 2 === 0 && s.p.length / 2 >= POINTS[s.tool].least && s.p.length / 2 <= POINTS[s.tool].most, {
    path: ['p'],
    message: 'This drawing has too few or too many points',
  })
  .refine(s => onPicture(s.p), { path: ['p'], message: 'This drawing reaches past the edge of the picture' })
  .refine(s => !s.z || s.z.length === s.p.length / 2, { path: ['z'], message: 'This stroke needs a pressure for each of its points' })
  .refine(s => (s.text !== undefined) === (s.tool === 'text'), { path: ['text'], message: 'A text on the picture needs words' })
export type Shape = z.infer<typeof Shape>

/** Drawings of one note, voice or comparison. */
export const Shapes = z.array(Shape).max(SHAPES_PER_REVIEW, `At most ${SHAPES_PER_REVIEW} drawings`)
