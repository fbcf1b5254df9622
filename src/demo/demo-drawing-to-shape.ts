import type { Shape } from '../../modules/reviews/contract.ts'
import { INK_NAMES } from '../../modules/reviews/policy.ts'
import { encodePoints } from '../drawing/point-encoding-and-simplification.ts'

/** A drawing in short form: its tool, color and points. Coordinates run from 0 to 10,000 across and down the picture. */
export interface DemoDrawing {
  tool: Shape['tool']
  ink: (typeof INK_NAMES)[number]
  at: [x: number, y: number][]
  text?: string
}

/** Converts a drawing to the shape that a review stores. It appears at frame `from` and stays for a few frames. */
export const demoShapeOf = (id: string, { tool, ink, at, text }: DemoDrawing, from: number): Shape => ({
  id,
  tool,
  color: INK_NAMES.indexOf(ink),
  width: tool === 'text' ? 50 : 70,
  p: encodePoints(at.map(([x, y]) => ({ x, y }))),
  ...(text && { text }),
  from,
  hold: 5,
  fade: 4,
})
