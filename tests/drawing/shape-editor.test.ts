import { expect, test } from 'vitest'
import { Shape } from '../../modules/reviews/contract.ts'
import { createCurrentTool } from '../../src/drawing/current-tool.ts'
import { decodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import { createShapeEditor } from '../../src/drawing/shape-editor.ts'
import { applyChangeToShapes, type ShapeChange } from '../../src/drawing/undo-history.ts'
import { setUpShapeEditorTestbed } from './shape-editor-testbed.ts'

const { stage, drag, points, press } = setUpShapeEditorTestbed()

test('a drag makes a two-point shape at the current frame', () => {
  stage.shapeEditor.choose('arrow')
  stage.shapeEditor.$color.set(2)
  drag([1000, 1000], [1500, 1200], [4000, 2000])
  expect(stage.shapes).toEqual([expect.objectContaining({ tool: 'arrow', color: 2, from: 42, hold: 30, fade: 8 })])
  expect(points()).toEqual([
    { x: 1000, y: 1000 },
    { x: 4000, y: 2000 },
  ])
  expect(Shape.safeParse(stage.shapes[0]).success).toBe(true)
  expect(stage.shapeEditor.$activeShape.get()).toBeNull()
})

test('a tap makes a dot with the pen and no shape with a line tool', () => {
  stage.shapeEditor.choose('line')
  drag([1000, 1000], [1010, 1000])
  expect(stage.shapes).toEqual([])
  stage.shapeEditor.choose('pen')
  drag([1000, 1000])
  expect(points()).toEqual([{ x: 1000, y: 1000 }])
})

test('a pen’s pressure is stored for every point', () => {
  stage.shapeEditor.choose('pen')
  stage.shapeEditor.down({ x: 0, y: 0, pressure: 0.2 }, 60)
  stage.shapeEditor.move([
    { x: 1000, y: 3000, pressure: 0.9 },
    { x: 4000, y: 0, pressure: 0.4 },
  ])
  stage.shapeEditor.up()
  expect(stage.shapes[0]!.z).toEqual([20, 90, 40])
})

test('a line within two degrees of a multiple of 45° snaps to it', () => {
  stage.shapeEditor.choose('line')
  drag([1000, 1000], [5000, 1100])
  drag([1000, 1000], [1080, 4000])
  drag([1000, 1000], [4000, 4060])
  drag([1000, 1000], [5000, 1300])
  expect(points(0)[1]!.y).toBe(1000)
  expect(points(1)[1]!.x).toBe(1000)
  expect(points(2)[1]!.x).toBe(points(2)[1]!.y)
  // A line at four degrees does not snap.
  expect(points(3)[1]).toEqual({ x: 5000, y: 1300 })
})

test('a measuring line never snaps to an angle', () => {
  stage.shapeEditor.choose('angle')
  drag([1000, 1000], [5000, 1100])
  press(5000, 5000)
  expect(points().slice(0, 2)).toEqual([
    { x: 1000, y: 1000 },
    { x: 5000, y: 1100 },
  ])
  stage.history.undo()
  stage.shapeEditor.choose('tilt')
  drag([1000, 1000], [5000, 1100])
  expect(stage.shapes[0]!.tool).toBe('tilt')
  expect(points()[1]).toEqual({ x: 5000, y: 1100 })
  expect(Shape.safeParse(stage.shapes[0]).success).toBe(true)
})

test('a plumb line spans the picture after a tap, and follows a drag', () => {
  stage.shapeEditor.choose('plumb')
  drag([3000, 4000])
  drag([3000, 4000], [5000, 9000])
  expect(stage.shapes.map(s => s.tool)).toEqual(['line', 'line'])
  expect([points(0), points(1)]).toEqual([
    [
      { x: 3000, y: 0 },
      { x: 3000, y: 10_000 },
    ],
    [
      { x: 5000, y: 0 },
      { x: 5000, y: 10_000 },
    ],
  ])
  expect(stage.shapes.every(shape => Shape.safeParse(shape).success)).toBe(true)
})

test('an angle is drawn by dragging its first arm and pressing the end of the other', () => {
  stage.shapeEditor.choose('angle')
  stage.shapeEditor.down({ x: 1000, y: 1000 }, 60)
  stage.shapeEditor.move([{ x: 1000, y: 3000 }])
  expect(stage.shapeEditor.$activeShape.get()).toMatchObject({ tool: 'line' })
  stage.shapeEditor.move([{ x: 1000, y: 5000 }])
  stage.shapeEditor.up()
  expect(stage.shapes).toEqual([])
  stage.shapeEditor.hover({ x: 3000, y: 5000 })
  expect(decodePoints(stage.shapeEditor.$activeShape.get()!.p)).toHaveLength(3)
  stage.shapeEditor.down({ x: 5000, y: 5000 }, 60)
  expect(points()).toEqual([
    { x: 1000, y: 1000 },
    { x: 1000, y: 5000 },
    { x: 5000, y: 5000 },
  ])
  expect(stage.shapeEditor.busy()).toBe(false)
})

test('Shift straightens a line and makes a circle round', () => {
  stage.shapeEditor.choose('line')
  stage.shapeEditor.down({ x: 1000, y: 1000 }, 60)
  stage.shapeEditor.move([{ x: 5000, y: 1300 }], true)
  stage.shapeEditor.up()
  expect(points()[1]!.y).toBe(1000)
  stage.shapeEditor.choose('circle')
  stage.shapeEditor.down({ x: 1000, y: 1000 }, 60)
  stage.shapeEditor.move([{ x: 3000, y: 1500 }], true)
  stage.shapeEditor.up()
  expect(points(1)[1]).toEqual({ x: 3000, y: 3000 })
})

test('drawing pauses the video, but the laser does not', () => {
  stage.shapeEditor.choose('laser')
  drag([1, 1], [5000, 5000])
  expect(stage.beginCount).toBe(0)
  stage.shapeEditor.choose('line')
  drag([1, 1], [5000, 5000])
  expect(stage.beginCount).toBe(1)
})

test('a laser leaves no shape, and a second finger discards an unfinished shape', () => {
  stage.shapeEditor.choose('laser')
  drag([1, 1], [5000, 5000])
  stage.shapeEditor.choose('pen')
  stage.shapeEditor.down({ x: 1, y: 1 }, 60)
  stage.shapeEditor.move([{ x: 900, y: 900 }])
  stage.shapeEditor.cancel()
  stage.shapeEditor.up()
  expect(stage.shapes).toEqual([])
})

test('the select tool moves and reshapes a shape, with undo and redo', () => {
  stage.shapeEditor.choose('line')
  drag([1000, 1000], [5000, 1000])
  stage.shapeEditor.choose('select')
  drag([3000, 1000], [3000, 2000])
  expect(points()).toEqual([
    { x: 1000, y: 2000 },
    { x: 5000, y: 2000 },
  ])
  drag([5000, 2000], [6000, 4000])
  expect(points()).toEqual([
    { x: 1000, y: 2000 },
    { x: 6000, y: 4000 },
  ])
  stage.history.undo()
  stage.history.undo()
  expect(points()[0]).toEqual({ x: 1000, y: 1000 })
  stage.history.redo()
  expect(points()[0]).toEqual({ x: 1000, y: 2000 })
  stage.history.undo()
  stage.history.undo()
  expect(stage.shapes).toEqual([])
  expect(stage.history.undo()).toBeUndefined()
})

test('a press selects the topmost shape at its point, or none', () => {
  stage.shapeEditor.choose('line')
  drag([1000, 1000], [5000, 1000])
  drag([1000, 1020], [5000, 1020])
  stage.shapeEditor.choose('select')
  drag([3000, 1010])
  expect(stage.shapeEditor.$selected.get()).toBe(stage.shapes[1]!.id)
  drag([3000, 5000])
  expect(stage.shapeEditor.$selected.get()).toBeUndefined()
})

test('the text tool opens a text field; blank text makes no shape', () => {
  stage.shapeEditor.choose('text')
  stage.shapeEditor.down({ x: 700, y: 800 }, 60)
  expect(stage.textPlaces).toEqual([{ x: 700, y: 800 }])
  stage.shapeEditor.addText({ x: 700, y: 800 }, '  ')
  stage.shapeEditor.addText({ x: 700, y: 800 }, ' Hands back ')
  expect(stage.shapes).toEqual([expect.objectContaining({ tool: 'text', text: 'Hands back' })])
})

test('a change to a shape that another tab deleted does not restore it', () => {
  const changeOfDeleted: ShapeChange = { before: { id: 'a' } as Shape, after: { id: 'a' } as Shape }
  expect(applyChangeToShapes([], changeOfDeleted)).toEqual([])
  expect(applyChangeToShapes([{ id: 'b' } as Shape], { before: null, after: { id: 'b' } as Shape })).toHaveLength(1)
})

test('two pictures share tool and selection; a new tool discards an unfinished shape', () => {
  const currentTool = createCurrentTool()
  const editorFor = (shapes: Shape[]) =>
    createShapeEditor(
      {
        aspect: () => 1,
        frame: () => 7,
        stay: () => ({ hold: 1, fade: 0 }),
        labelSize: () => ({ width: 0, height: 0 }),
        shapes: () => shapes,
        make: shape => shapes.push(shape),
        change: (_, after) => after,
        begin: () => {},
        write: () => {},
        allShapes: () => shapes,
        realTime: () => null,
        advance: () => {},
      },
      currentTool,
    )
  const [left, right]: Shape[][] = [[], []]
  const [one, other] = [editorFor(left!), editorFor(right!)]
  one.choose('angle')
  other.down({ x: 1000, y: 1000 }, 60)
  other.move([{ x: 3000, y: 1000 }])
  other.up()
  expect(other.isAwaitingSecondLine()).toBe(true)
  one.choose('line')
  expect([other.busy(), other.$activeShape.get()]).toEqual([false, null])
  other.down({ x: 1000, y: 2000 }, 60)
  other.move([{ x: 4000, y: 2000 }])
  other.up()
  expect([left!.length, right!.length]).toEqual([0, 1])
  one.choose('select')
  other.down({ x: 2000, y: 2000 }, 60)
  other.up()
  expect(one.$selected.get()).toBe(right![0]!.id)
  one.down({ x: 2000, y: 2000 }, 60)
  one.up()
  expect(other.$selected.get()).toBeUndefined()
})
