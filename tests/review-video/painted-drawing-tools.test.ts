import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { DrawingTool, type Shape } from '../../modules/reviews/contract.ts'
import { shapeAtFrame } from '../../src/drawing/shape-at-frame.ts'
import { fullViewport } from '../../src/drawing/viewport.ts'
import { createFramePainter } from '../../src/review-video/frame-painter.ts'

const base = { id: '018f0000-0000-7000-8000-000000000001', color: 1, width: 45, from: 0, hold: 60, fade: 0 }
/** Fields for the tools that two points alone do not describe. */
const TOOL_FIELDS: Partial<Record<DrawingTool, Partial<Shape>>> = {
  angle: { p: [2000, 2000, 3000, 3000, 2000, -2000] },
  text: { p: [2000, 2000], text: 'Hands' },
  path: { frames: [0, 30] },
  stopwatch: { p: [2000, 2000], frames: [0, 30], milliseconds: 500 },
  length: { p: [2000, 8000, 4000, 0, -4000, -6000, 0, 5000], inches: 33 },
}
const shapeOf = (tool: DrawingTool): Shape => ({ ...base, tool, p: [2000, 2000, 5000, 4000], ...TOOL_FIELDS[tool] })

/** Paints these drawings on a black picture. Returns its pixels. */
function picture(...shapes: Shape[]): Buffer {
  const painter = createFramePainter({ width: 320, height: 180 })
  const view = { kind: 'clip', video: 'a', frame: 0, view: fullViewport, note: undefined } as const
  painter.clip({ ...view, shapes: shapes.map(of => ({ shape: of, opacity: 1 })) }, createCanvas(320, 180), 0)
  return Buffer.from(painter.pixels())
}

/** Counts the pixels of a black picture that a drawing changes. */
function changedPixels(shape: Shape): number {
  const [without, drawn] = [picture(), picture(shape)]
  let changed = 0
  for (let i = 0; i < drawn.length; i += 4) if (drawn[i] !== without[i]) changed++
  return changed
}

test.each(DrawingTool.options)('a drawing by the %s tool is visible in a review video', tool => {
  expect(changedPixels(shapeOf(tool))).toBeGreaterThan(20)
})

test('the trail of a path grows with the frames of the review video', () => {
  const path = shapeOf('path')
  const [first, half, whole] = [0, 15, 30].map(frame => changedPixels(shapeAtFrame(path, frame)))
  expect(half).toBeGreaterThan(first!)
  expect(whole).toBeGreaterThan(half!)
})

test.each(['line', 'angle', 'circle'] as const)('a %s with keyframes moves with the frames of the review video', tool => {
  const shape = shapeOf(tool)
  const tracking: Shape = { ...shape, keyframes: [{ frame: 30, p: [shape.p[0]! - 1500, ...shape.p.slice(1)] }] }
  const [start, between, end] = [0, 15, 30].map(frame => picture(shapeAtFrame(tracking, frame)))
  expect(start!.equals(between!)).toBe(false)
  expect(between!.equals(end!)).toBe(false)
  expect(start!.equals(picture(shape))).toBe(true)
})
