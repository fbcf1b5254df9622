import { beforeEach, expect, test } from 'vitest'
import { Shape } from '../../modules/reviews/contract.ts'
import { createPencil } from '../../src/drawing/pencil.ts'
import { unpackPoints } from '../../src/drawing/points.ts'
import { createToolSettings } from '../../src/drawing/tool-settings.ts'
import { applyChange, createUndoHistory, type ShapeChange } from '../../src/drawing/undo-history.ts'

let shapes: Shape[]
let frame: number
let asked: unknown[]
let begun: number
/** Null: nobody knows how fast the video was filmed. */
let realTime: ((from: number, to: number) => number) | null
let history: ReturnType<typeof createUndoHistory>
let pencil: ReturnType<typeof createPencil>

beforeEach(() => {
  shapes = []
  frame = 42
  asked = []
  begun = 0
  realTime = (from, to) => (to - from) * 4
  history = createUndoHistory(change => {
    shapes = applyChange(shapes, change)
  })
  const put = (before: Shape | null, after: Shape | null) => history.do({ before, after })
  pencil = createPencil({
    aspect: () => 1,
    frame: () => frame,
    stay: () => ({ hold: 30, fade: 8 }),
    shapes: () => shapes,
    label: () => ({ width: 1000, height: 300 }),
    make: shape => put(null, shape),
    change(before, after) {
      put(before, after)
      return after
    },
    allShapes: () => shapes,
    realTime: (from, to) => realTime?.(from, to) ?? null,
    advance: () => {
      frame++
    },
    begin: () => {
      begun++
    },
    write: at => asked.push(at),
  })
})
const drag = (...points: [number, number][]) => {
  const [first, ...rest] = points.map(([x, y]) => ({ x, y }))
  pencil.down(first!, 60)
  for (const point of rest) pencil.move([point])
  pencil.up()
}
const points = (i = 0) => unpackPoints(shapes[i]!.p)

test('a drag makes a shape of two points at the current frame with the set duration', () => {
  pencil.choose('arrow')
  pencil.$color.set(2)
  drag([1000, 1000], [1500, 1200], [4000, 2000])
  expect(shapes).toEqual([expect.objectContaining({ tool: 'arrow', color: 2, from: 42, hold: 30, fade: 8 })])
  expect(points()).toEqual([
    { x: 1000, y: 1000 },
    { x: 4000, y: 2000 },
  ])
  expect(Shape.safeParse(shapes[0]).success).toBe(true)
  expect(pencil.$activeShape.get()).toBeNull()
})

test('a tap makes a dot with the pen and nothing with other tools', () => {
  pencil.choose('line')
  drag([1000, 1000], [1010, 1000])
  expect(shapes).toEqual([])
  pencil.choose('pen')
  drag([1000, 1000])
  expect(points()).toEqual([{ x: 1000, y: 1000 }])
})

test('a pen’s pressure is stored for every point', () => {
  pencil.choose('pen')
  pencil.down({ x: 0, y: 0, pressure: 0.2 }, 60)
  pencil.move([
    { x: 1000, y: 3000, pressure: 0.9 },
    { x: 4000, y: 0, pressure: 0.4 },
  ])
  pencil.up()
  expect(shapes[0]!.z).toEqual([20, 90, 40])
})

test('a line snaps to the level, the diagonal and the vertical within two degrees', () => {
  pencil.choose('line')
  drag([1000, 1000], [5000, 1100])
  drag([1000, 1000], [1080, 4000])
  drag([1000, 1000], [4000, 4060])
  drag([1000, 1000], [5000, 1300])
  expect(points(0)[1]!.y).toBe(1000)
  expect(points(1)[1]!.x).toBe(1000)
  expect(points(2)[1]!.x).toBe(points(2)[1]!.y)
  // Four degrees are meant.
  expect(points(3)[1]).toEqual({ x: 5000, y: 1300 })
})

test('a measuring line never snaps', () => {
  pencil.choose('tilt')
  drag([1000, 1000], [5000, 1100])
  expect(shapes[0]!.tool).toBe('tilt')
  expect(points()[1]).toEqual({ x: 5000, y: 1100 })
  expect(Shape.safeParse(shapes[0]).success).toBe(true)
})

test('a plumb line spans the picture, also by a tap, and follows the drag', () => {
  pencil.choose('plumb')
  drag([3000, 4000])
  drag([3000, 4000], [5000, 9000])
  expect(shapes.map(s => s.tool)).toEqual(['line', 'line'])
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
  expect(shapes.every(shape => Shape.safeParse(shape).success)).toBe(true)
})

test('an angle is one arm dragged and the end of the other pressed', () => {
  pencil.choose('angle')
  pencil.down({ x: 1000, y: 1000 }, 60)
  pencil.move([{ x: 1000, y: 3000 }])
  expect(pencil.$activeShape.get()).toMatchObject({ tool: 'line' })
  pencil.move([{ x: 1000, y: 5000 }])
  pencil.up()
  expect(shapes).toEqual([])
  pencil.hover({ x: 3000, y: 5000 })
  expect(unpackPoints(pencil.$activeShape.get()!.p)).toHaveLength(3)
  pencil.down({ x: 5000, y: 5000 }, 60)
  expect(points()).toEqual([
    { x: 1000, y: 1000 },
    { x: 1000, y: 5000 },
    { x: 5000, y: 5000 },
  ])
  expect(pencil.busy()).toBe(false)
})

test('Shift straightens a line and makes a circle round', () => {
  pencil.choose('line')
  pencil.down({ x: 1000, y: 1000 }, 60)
  pencil.move([{ x: 5000, y: 1300 }], true)
  pencil.up()
  expect(points()[1]!.y).toBe(1000)
  pencil.choose('circle')
  pencil.down({ x: 1000, y: 1000 }, 60)
  pencil.move([{ x: 3000, y: 1500 }], true)
  pencil.up()
  expect(points(1)[1]).toEqual({ x: 3000, y: 3000 })
})

test('drawing pauses the video, the laser does not', () => {
  pencil.choose('laser')
  drag([1, 1], [5000, 5000])
  expect(begun).toBe(0)
  pencil.choose('line')
  drag([1, 1], [5000, 5000])
  expect(begun).toBe(1)
})

test('a laser leaves no shape, and a second finger discards the unfinished one', () => {
  pencil.choose('laser')
  drag([1, 1], [5000, 5000])
  pencil.choose('pen')
  pencil.down({ x: 1, y: 1 }, 60)
  pencil.move([{ x: 900, y: 900 }])
  pencil.cancel()
  pencil.up()
  expect(shapes).toEqual([])
})

test('a selected shape is moved and reshaped, with undo and redo', () => {
  pencil.choose('line')
  drag([1000, 1000], [5000, 1000])
  pencil.choose('select')
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
  history.undo()
  history.undo()
  expect(points()[0]).toEqual({ x: 1000, y: 1000 })
  history.redo()
  expect(points()[0]).toEqual({ x: 1000, y: 2000 })
  history.undo()
  history.undo()
  expect(shapes).toEqual([])
  expect(history.undo()).toBeUndefined()
})

test('a press selects the upper one of overlapping shapes, and none beside them', () => {
  pencil.choose('line')
  drag([1000, 1000], [5000, 1000])
  drag([1000, 1020], [5000, 1020])
  pencil.choose('select')
  drag([3000, 1010])
  expect(pencil.$selected.get()).toBe(shapes[1]!.id)
  drag([3000, 5000])
  expect(pencil.$selected.get()).toBeUndefined()
})

test('the text tool asks for a text; a blank one makes no shape', () => {
  pencil.choose('text')
  pencil.down({ x: 700, y: 800 }, 60)
  expect(asked).toEqual([{ x: 700, y: 800 }])
  pencil.label({ x: 700, y: 800 }, '  ')
  pencil.label({ x: 700, y: 800 }, ' Hands back ')
  expect(shapes).toEqual([expect.objectContaining({ tool: 'text', text: 'Hands back' })])
})

test('changing a shape that another tab deleted does not bring it back', () => {
  const gone: ShapeChange = { before: { id: 'a' } as Shape, after: { id: 'a' } as Shape }
  expect(applyChange([], gone)).toEqual([])
  expect(applyChange([{ id: 'b' } as Shape], { before: null, after: { id: 'b' } as Shape })).toHaveLength(1)
})

test('two pictures share tool and selection; switching discards the unfinished shape', () => {
  const hand = createToolSettings()
  const on = (own: Shape[]) =>
    createPencil(
      {
        ...{ aspect: () => 1, frame: () => 7, stay: () => ({ hold: 1, fade: 0 }), label: () => ({ width: 0, height: 0 }) },
        ...{ shapes: () => own, make: shape => own.push(shape), change: (_, after) => after, begin: () => {}, write: () => {} },
        ...{ allShapes: () => own, realTime: () => null, advance: () => {} },
      },
      hand,
    )
  const [left, right]: Shape[][] = [[], []]
  const [one, other] = [on(left!), on(right!)]
  one.choose('angle')
  other.down({ x: 1000, y: 1000 }, 60)
  other.move([{ x: 3000, y: 1000 }])
  other.up()
  expect(other.bending()).toBe(true)
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

const press = (x: number, y: number) => {
  pencil.down({ x, y }, 60)
  pencil.up()
}

test('each press adds a point to a path and shows the next frame', () => {
  pencil.choose('path')
  for (const x of [1000, 1500, 2500]) press(x, x)
  expect(frame).toBe(45)
  expect(shapes).toHaveLength(1)
  expect(shapes[0]).toMatchObject({ tool: 'path', from: 42, frames: [42, 43, 44], hold: 2 + 30 })
  expect(points()).toEqual([1000, 1500, 2500].map(x => ({ x, y: x })))
  // A press at a frame that has its point moves it; one at an earlier frame comes before.
  frame = 43
  press(1600, 1500)
  frame = 40
  press(500, 500)
  expect(shapes[0]).toMatchObject({ from: 40, frames: [40, 42, 43, 44] })
  expect(points()[2]).toEqual({ x: 1600, y: 1500 })
  history.undo()
  expect(shapes[0]!.frames).toEqual([42, 43, 44])
  pencil.choose('path')
  press(3000, 3000)
  expect(shapes).toHaveLength(2)
})

test('a stopwatch shows the real time between two presses, or that it is unknown', () => {
  pencil.choose('stopwatch')
  press(1000, 1000)
  expect(shapes[0]).toMatchObject({ tool: 'stopwatch', frames: [42, 42], milliseconds: 0 })
  frame = 145
  press(2000, 2000)
  expect(shapes[0]).toMatchObject({ frames: [42, 145], from: 42, milliseconds: 412, hold: 103 + 30 })
  realTime = null
  press(1000, 1000)
  frame = 140
  press(1000, 1000)
  expect(shapes).toHaveLength(2)
  expect(shapes[1]).toMatchObject({ frames: [140, 145], from: 140 })
  expect(shapes[1]!.milliseconds).toBeUndefined()
})

test('a length is drawn along what is known, then along what is measured', () => {
  pencil.choose('length')
  pencil.$inches.set(17)
  drag([1000, 9000], [2000, 9000])
  expect([shapes.length, pencil.bending()]).toEqual([0, true])
  drag([1000, 1000], [1000, 4000])
  expect(shapes[0]).toMatchObject({ tool: 'length', inches: 17 })
  expect(points()).toEqual([
    { x: 1000, y: 9000 },
    { x: 2000, y: 9000 },
    { x: 1000, y: 1000 },
    { x: 1000, y: 4000 },
  ])
  // The next one begins with what is known again.
  drag([1000, 9000], [2000, 9000])
  expect(shapes).toHaveLength(1)
})

test('the follow tool adds a keyframe to a drawing at another frame', () => {
  pencil.choose('line')
  drag([1000, 1000], [4000, 1000])
  const here = shapes[0]!.p
  pencil.choose('follow')
  expect(pencil.$selected.get()).toBe(shapes[0]!.id)
  frame = 90
  drag([2000, 1000], [2000, 3000])
  expect(shapes[0]).toMatchObject({ p: here, from: 42, hold: 78, keyframes: [{ frame: 90, p: [1000, 3000, 3000, 0] }] })
  // One end alone, taken hold of where the line stands in between.
  frame = 66
  drag([4000, 2000], [5000, 2500])
  expect(shapes[0]!.keyframes).toEqual([
    { frame: 66, p: [1000, 2000, 4000, 500] },
    { frame: 90, p: [1000, 3000, 3000, 0] },
  ])
  history.undo()
  expect(shapes[0]!.keyframes).toHaveLength(1)
  history.undo()
  expect(shapes[0]!.keyframes).toBeUndefined()
  expect(shapes[0]!.hold).toBe(30)
})

test('a press beside a tracking drawing keeps it selected, and a path cannot track', () => {
  pencil.choose('line')
  drag([1000, 1000], [4000, 1000])
  pencil.choose('path')
  drag([8000, 8000])
  pencil.choose('follow')
  expect(pencil.followed()?.tool).toBe('line')
  drag([8000, 8000], [9000, 9000])
  drag([5000, 5000])
  expect(pencil.followed()?.tool).toBe('line')
  expect(shapes.find(s => s.tool === 'path')!.keyframes).toBeUndefined()
  pencil.choose('pen')
  expect(pencil.followed()).toBeUndefined()
})

test('a drawing at the point limit gets no more keyframes', () => {
  pencil.choose('pen')
  shapes = [{ ...shapeOfPen(400), from: 42 }]
  pencil.choose('follow')
  frame = 50
  drag([1000, 1000], [1000, 2000])
  expect(shapes[0]!.keyframes).toBeUndefined()
  shapes = [{ ...shapeOfPen(300), from: 42 }]
  drag([1000, 1000], [1000, 2000])
  expect(shapes[0]!.keyframes).toHaveLength(1)
})
function shapeOfPen(count: number): Shape {
  const base = { id: '018f0000-0000-7000-8000-000000000001', tool: 'pen', color: 0, width: 45, hold: 30, fade: 0, from: 0 } as const
  return { ...base, p: [1000, 1000, ...Array.from({ length: count - 1 }, () => [10, 0]).flat()] }
}
