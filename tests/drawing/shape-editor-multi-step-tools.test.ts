import { expect, test } from 'vitest'
import type { Shape } from '../../modules/reviews/contract.ts'
import { MAX_SHAPE_HOLD_FRAMES } from '../../modules/reviews/policy.ts'
import { setUpShapeEditorTestbed } from './shape-editor-testbed.ts'

// Tests of the tools that need several presses or frames: path, stopwatch, length and follow.

const { stage, drag, points, press } = setUpShapeEditorTestbed()

test('each press adds a point to the path and moves the video to the next frame', () => {
  stage.shapeEditor.choose('path')
  for (const x of [1000, 1500, 2500]) press(x, x)
  expect(stage.frame).toBe(45)
  expect(stage.shapes).toHaveLength(1)
  expect(stage.shapes[0]).toMatchObject({ tool: 'path', from: 42, frames: [42, 43, 44], hold: 2 + 30 })
  expect(points()).toEqual([1000, 1500, 2500].map(x => ({ x, y: x })))
  // At a frame that has a point, a press moves that point; at a frame before the first point, it adds a new first point.
  stage.frame = 43
  press(1600, 1500)
  stage.frame = 40
  press(500, 500)
  expect(stage.shapes[0]).toMatchObject({ from: 40, frames: [40, 42, 43, 44] })
  expect(points()[2]).toEqual({ x: 1600, y: 1500 })
  stage.history.undo()
  expect(stage.shapes[0]!.frames).toEqual([42, 43, 44])
  stage.shapeEditor.choose('path')
  press(3000, 3000)
  expect(stage.shapes).toHaveLength(2)
})

test('a stopwatch stores the real time between two presses, unless it is unknown', () => {
  stage.shapeEditor.choose('stopwatch')
  press(1000, 1000)
  expect(stage.shapes[0]).toMatchObject({ tool: 'stopwatch', frames: [42, 42], milliseconds: 0 })
  stage.frame = 145
  press(2000, 2000)
  expect(stage.shapes[0]).toMatchObject({ frames: [42, 145], from: 42, milliseconds: 412, hold: 103 + 30 })
  stage.realTime = null
  press(1000, 1000)
  stage.frame = 140
  press(1000, 1000)
  expect(stage.shapes).toHaveLength(2)
  expect(stage.shapes[1]).toMatchObject({ frames: [140, 145], from: 140 })
  expect(stage.shapes[1]!.milliseconds).toBeUndefined()
})

test.each(['path', 'stopwatch'] as const)('a %s across a long clip stays on the picture for at most the maximum', tool => {
  stage.shapeEditor.choose(tool)
  press(1000, 1000)
  stage.frame = 42 + MAX_SHAPE_HOLD_FRAMES
  press(2000, 2000)
  expect(stage.shapes[0]).toMatchObject({ frames: [42, 42 + MAX_SHAPE_HOLD_FRAMES], hold: MAX_SHAPE_HOLD_FRAMES })
})

test('a length is drawn with two lines: the known length, then the measured one', () => {
  stage.shapeEditor.choose('length')
  stage.shapeEditor.$inches.set(17)
  drag([1000, 9000], [2000, 9000])
  expect([stage.shapes.length, stage.shapeEditor.isAwaitingSecondLine()]).toEqual([0, true])
  drag([1000, 1000], [1000, 4000])
  expect(stage.shapes[0]).toMatchObject({ tool: 'length', inches: 17 })
  expect(points()).toEqual([
    { x: 1000, y: 9000 },
    { x: 2000, y: 9000 },
    { x: 1000, y: 1000 },
    { x: 1000, y: 4000 },
  ])
  // The next drag draws the known length of another measurement.
  drag([1000, 9000], [2000, 9000])
  expect(stage.shapes).toHaveLength(1)
})

test('the follow tool adds a keyframe when it moves a drawing at another frame', () => {
  stage.shapeEditor.choose('line')
  drag([1000, 1000], [4000, 1000])
  const originalPoints = stage.shapes[0]!.p
  stage.shapeEditor.choose('follow')
  expect(stage.shapeEditor.$selected.get()).toBe(stage.shapes[0]!.id)
  stage.frame = 90
  drag([2000, 1000], [2000, 3000])
  expect(stage.shapes[0]).toMatchObject({ p: originalPoints, from: 42, hold: 78, keyframes: [{ frame: 90, p: [1000, 3000, 3000, 0] }] })
  // At a frame between two keyframes, only one end of the line is dragged.
  stage.frame = 66
  drag([4000, 2000], [5000, 2500])
  expect(stage.shapes[0]!.keyframes).toEqual([
    { frame: 66, p: [1000, 2000, 4000, 500] },
    { frame: 90, p: [1000, 3000, 3000, 0] },
  ])
  stage.history.undo()
  expect(stage.shapes[0]!.keyframes).toHaveLength(1)
  stage.history.undo()
  expect(stage.shapes[0]!.keyframes).toBeUndefined()
  expect(stage.shapes[0]!.hold).toBe(30)
})

test('the follow tool stays on after a press outside the drawing, and ignores paths', () => {
  stage.shapeEditor.choose('line')
  drag([1000, 1000], [4000, 1000])
  stage.shapeEditor.choose('path')
  drag([8000, 8000])
  stage.shapeEditor.choose('follow')
  expect(stage.shapeEditor.followed()?.tool).toBe('line')
  drag([8000, 8000], [9000, 9000])
  drag([5000, 5000])
  expect(stage.shapeEditor.followed()?.tool).toBe('line')
  expect(stage.shapes.find(s => s.tool === 'path')!.keyframes).toBeUndefined()
  stage.shapeEditor.choose('pen')
  expect(stage.shapeEditor.followed()).toBeUndefined()
})

test('a drawing at the point limit gets no more keyframes', () => {
  stage.shapeEditor.choose('pen')
  stage.shapes = [{ ...shapeOfPen(400), from: 42 }]
  stage.shapeEditor.choose('follow')
  stage.frame = 50
  drag([1000, 1000], [1000, 2000])
  expect(stage.shapes[0]!.keyframes).toBeUndefined()
  stage.shapes = [{ ...shapeOfPen(300), from: 42 }]
  drag([1000, 1000], [1000, 2000])
  expect(stage.shapes[0]!.keyframes).toHaveLength(1)
})
function shapeOfPen(count: number): Shape {
  const base = { id: '018f0000-0000-7000-8000-000000000001', tool: 'pen', color: 0, width: 45, hold: 30, fade: 0, from: 0 } as const
  return { ...base, p: [1000, 1000, ...Array.from({ length: count - 1 }, () => [10, 0]).flat()] }
}
