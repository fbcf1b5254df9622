import type { Shape } from '../../modules/reviews/contract.ts'
import { INKS } from '../../modules/reviews/policy.ts'
import { packPoints } from '../drawing/points.ts'

/** A drawing as one would describe it: what it is, in what color, and where, across and down the picture from 0 to 10,000. */
export interface DemoDrawing {
  tool: Shape['tool']
  ink: (typeof INKS)[number]
  at: [x: number, y: number][]
  text?: string
}

/** The same as a review keeps it: on a frame, where it stays for a few. */
export const shapeOf = (id: string, { tool, ink, at, text }: DemoDrawing, from: number): Shape => ({
  id,
  tool,
  color: INKS.indexOf(ink),
  width: tool === 'text' ? 50 : 70,
  p: packPoints(at.map(([x, y]) => ({ x, y }))),
  ...(text && { text }),
  from,
  hold: 5,
  fade: 4,
})
