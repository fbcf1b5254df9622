import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Shape } from '../../modules/reviews/contract.ts'
import { DrawingCanvases } from '../../src/drawing/drawing-canvases.ts'
import { createDrawingInput } from '../../src/drawing/drawing-input.ts'
import { createShapeEditor } from '../../src/drawing/shape-editor.ts'

const NOTHING = { stroke: 0, clearRect: 0, drawImage: 0 }

/** The part of a canvas that the drawing code uses; it counts operations. */
function paper() {
  const counted = { ...NOTHING }
  const canvas = { width: 0, height: 0, style: { transform: '' } }
  const ctx = new Proxy({} as Record<string, unknown>, {
    get: (its, name: string) => {
      if (name === 'canvas') return canvas
      if (name in its) return its[name]
      return () => {
        if (name in counted) counted[name as keyof typeof counted]++
      }
    },
  })
  const element = Object.assign(canvas, { getContext: () => ctx }) as unknown as HTMLCanvasElement
  const since = () => {
    const { ...now } = counted
    counted.stroke = counted.clearRect = counted.drawImage = 0
    return now
  }
  return { element, since, style: canvas.style }
}

let frames: (() => void)[]
/** Hidden canvases. */
let copies: ReturnType<typeof paper>[]
/** Lines that were put together for a stroke. */
let lines = 0
beforeEach(() => {
  frames = []
  copies = []
  lines = 0
  vi.useFakeTimers()
  vi.stubGlobal('document', {
    createElement: () => {
      const copy = paper()
      copies.push(copy)
      return copy.element
    },
  })
  vi.stubGlobal('cancelAnimationFrame', () => {})
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => frames.push(then))
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '#fff' }))
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo() {}
      lineTo() {
        lines++
      }
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const painted = () => {
  for (const frame of frames.splice(0)) frame()
}

const stroke = (i: number): Shape => ({
  ...{ id: `s${i}`, tool: 'pen', color: 0, width: 45, from: 0, hold: 600, fade: 15 },
  p: [1000 + i * 100, 1000, 500, 500, 500, -200],
})

function easel(count: number) {
  // As in the studio, the picture exists before the drawings.
  let shapes: Shape[] = []
  const $frame = atom(0)
  const shapeEditor = createShapeEditor({
    ...{ aspect: () => 1, frame: $frame.get, stay: () => ({ hold: 30, fade: 8 }) },
    ...{ shapes: () => shapes, label: () => ({ width: 0, height: 0 }) },
    make: shape => {
      shapes = [...shapes, shape]
    },
    change: (_, after) => after,
    ...{ allShapes: () => shapes, realTime: () => null, advance: () => {} },
    begin: () => {},
    write: () => {},
  })
  const drawing = createDrawingInput(shapeEditor, { remove: () => {}, leave: () => {} })
  const view = { scale: 1, x: 0.5, y: 0.5 }
  const board = new DrawingCanvases(() => ({ aspect: 1, shapes, drawing, frame: $frame.get(), view }))
  const [lower, upper] = [paper(), paper()]
  board.attach(lower.element, upper.element)
  board.resize(1000, 1000)
  painted()
  shapes = Array.from({ length: count }, (_, i) => stroke(i))
  board.repaint()
  painted()
  const first = lower.since()
  upper.since()
  shapeEditor.choose('pen')
  return {
    ...{ shapeEditor, lower, upper, first, $frame },
    show: () => {
      board.repaint()
      painted()
    },
    /** Everything larger, so many times. */
    zoom: (scale: number) => {
      view.scale = scale
      board.repaint()
      painted()
    },
    add: (i: number) => {
      shapes = [...shapes, stroke(i)]
    },
    remove: (at: number) => {
      shapes = shapes.filter((_, i) => i !== at)
    },
    hold: (held: boolean) => board.setDrawing(held),
    resize: (width: number, height: number) => {
      board.resize(width, height)
      painted()
    },
  }
}
/** An edge and its colour. */
const EACH = 2

test('a growing stroke repaints no finished one; a finished one is painted on top', () => {
  const { shapeEditor, lower, upper, first, show } = easel(20)
  expect(first.stroke).toBe(20 * EACH)
  shapeEditor.down({ x: 2000, y: 2000 }, 0)
  for (let i = 1; i < 30; i++) {
    shapeEditor.move([{ x: 2000 + i * 100, y: 2000 + (i % 5) * 90 }])
    show()
  }
  expect(lower.since()).toEqual(NOTHING)
  expect(upper.since().stroke).toBe(29 * EACH)
  shapeEditor.up()
  show()
  expect(lower.since()).toEqual({ ...NOTHING, stroke: EACH })
})

test('deleting a shape repaints the others from cached paths', () => {
  const { lower, remove, show } = easel(20)
  lines = 0
  remove(3)
  show()
  expect(lower.since()).toEqual({ ...NOTHING, stroke: 19 * EACH, clearRect: 1 })
  expect(lines).toBe(0)
})

test('without an unfinished shape, passing frames touch neither canvas', () => {
  const { lower, upper, $frame, show } = easel(3)
  for (let i = 1; i <= 5; i++) {
    $frame.set(i)
    show()
  }
  expect([lower.since(), upper.since()]).toEqual(Array(2).fill(NOTHING))
})

test('undo and redo of the newest of many shapes do not repaint the others', () => {
  const { lower, remove, show, shapeEditor } = easel(100)
  for (const last of [99, 98, 97]) {
    remove(last)
    show()
    expect(lower.since().stroke).toBeLessThanOrEqual(12 * EACH)
  }
  for (let i = 0; i < 40; i++) {
    shapeEditor.down({ x: 2000, y: 2000 }, 0)
    shapeEditor.move([{ x: 2500, y: 2000 + i * 10 }])
    show()
    shapeEditor.up()
    show()
  }
  lower.since()
  // What was made since is on the copy by now, too.
  remove(136)
  show()
  expect(lower.since().stroke).toBeLessThanOrEqual(24 * EACH)
})

test('many shapes are transformed while the view changes and repainted in steps after', () => {
  const { lower, zoom } = easel(100)
  copies = []
  for (const scale of [1.2, 1.5, 2]) {
    zoom(scale)
    vi.advanceTimersByTime(100)
    expect(lower.since()).toEqual(NOTHING)
  }
  expect(lower.style.transform).toContain('scale(2)')
  vi.advanceTimersByTime(100)
  while (lower.style.transform) {
    painted()
    expect(copies).toHaveLength(1)
    expect(copies[0]!.since().stroke).toBeLessThanOrEqual(24 * EACH)
  }
  expect(lower.since()).toEqual({ stroke: 12 * EACH, clearRect: 1, drawImage: 1 })
  // Nothing waits anymore, and the copy is of this view.
  expect(frames).toEqual([])
  zoom(2)
  expect(lower.since()).toEqual(NOTHING)
})

test('a view that returns, or a changed shape, resets the transformed canvas', () => {
  const { lower, zoom, remove, show } = easel(100)
  zoom(2)
  zoom(1)
  expect([lower.style.transform, lower.since()]).toEqual(['', NOTHING])
  zoom(2)
  remove(3)
  show()
  expect(lower.style.transform).toBe('')
  // 87 of them on a copy.
  expect(lower.since()).toEqual({ stroke: 12 * EACH, clearRect: 1, drawImage: 1 })
  vi.advanceTimersByTime(1000)
  expect(frames).toEqual([])
})

test('a hidden stage is not painted, nor when it returns in the same size', () => {
  const { lower, zoom, resize } = easel(100)
  resize(0, 0)
  expect(lower.since()).toEqual(NOTHING)
  resize(1000, 1000)
  expect(lower.since()).toEqual(NOTHING)
  zoom(2)
  resize(0, 0)
  vi.advanceTimersByTime(1000)
  painted()
  lower.since()
  resize(1000, 500)
  expect([lower.style.transform, lower.element.height]).toEqual(['', 500])
  expect(lower.since()).toEqual({ stroke: 12 * EACH, clearRect: 1, drawImage: 1 })
})

test('a canvas has no size before there is something to paint', () => {
  const { lower, upper, hold, show, add } = easel(0)
  const sizes = () => [lower, upper].map(its => its.element.width)
  expect(sizes()).toEqual([0, 0])
  hold(true)
  show()
  expect(sizes()).toEqual([0, 1000])
  add(1)
  show()
  expect(sizes()).toEqual([1000, 1000])
})

test('the upper canvas is shown only while a drawing tool is chosen', () => {
  const { upper, shapeEditor, show, hold } = easel(3)
  hold(true)
  const seen = () => {
    show()
    return !(upper.element as unknown as { hidden: boolean }).hidden
  }
  expect(seen()).toBe(true)
  shapeEditor.down({ x: 2000, y: 2000 }, 0)
  shapeEditor.move([{ x: 2500, y: 2500 }])
  expect(seen()).toBe(true)
  shapeEditor.up()
  expect(seen()).toBe(true)
  hold(false)
  expect(seen()).toBe(false)
})
