import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Shape } from '../../modules/reviews/contract.ts'
import { DrawingCanvasPainter } from '../../src/drawing/drawing-canvases.ts'
import { createShapeEditor } from '../../src/drawing/shape-editor.ts'
import { addKeyboardToShapeEditor } from '../../src/drawing/shape-editor-keyboard-cursor.ts'

const NOTHING = { stroke: 0, clearRect: 0, drawImage: 0 }

/** A fake canvas with only what the drawing code uses. `takeCounts` returns the number of each operation since its last call. */
function countingCanvas() {
  const counts = { ...NOTHING }
  const canvas = { width: 0, height: 0, style: { transform: '' } }
  const ctx = new Proxy({} as Record<string, unknown>, {
    get: (properties, name: string) => {
      if (name === 'canvas') return canvas
      if (name in properties) return properties[name]
      if (name === 'getTransform') return () => ({ a: 1 })
      return () => {
        if (name in counts) counts[name as keyof typeof counts]++
      }
    },
  })
  const element = Object.assign(canvas, { getContext: () => ctx }) as unknown as HTMLCanvasElement
  const takeCounts = () => {
    const { ...now } = counts
    counts.stroke = counts.clearRect = counts.drawImage = 0
    return now
  }
  return { element, takeCounts, style: canvas.style }
}

let frames: (() => void)[]
/** The canvases that the code under test created for its cache. */
let copies: ReturnType<typeof countingCanvas>[]
/** How many lines were added to paths. */
let lines = 0
beforeEach(() => {
  frames = []
  copies = []
  lines = 0
  vi.useFakeTimers()
  vi.stubGlobal('document', {
    createElement: () => {
      const copy = countingCanvas()
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
const runAnimationFrames = () => {
  for (const frame of frames.splice(0)) frame()
}

const stroke = (i: number): Shape => ({
  ...{ id: `s${i}`, tool: 'pen', color: 0, width: 45, from: 0, hold: 600, fade: 15 },
  p: [1000 + i * 100, 1000, 500, 500, 500, -200],
})

/** Two drawing canvases of 1000 × 1000 pixels with `count` finished strokes. */
function drawingCanvases(count: number) {
  // As in the studio, the canvases exist before the drawings.
  let shapes: Shape[] = []
  const $frame = atom(0)
  const shapeEditor = createShapeEditor({
    ...{ aspect: () => 1, frame: $frame.get, stay: () => ({ hold: 30, fade: 8 }) },
    ...{ shapes: () => shapes, labelSize: () => ({ width: 0, height: 0 }) },
    make: shape => {
      shapes = [...shapes, shape]
    },
    change: (_, after) => after,
    ...{ allShapes: () => shapes, realTime: () => null, advance: () => {} },
    begin: () => {},
    write: () => {},
  })
  const drawing = addKeyboardToShapeEditor(shapeEditor, { remove: () => {}, leave: () => {} })
  const view = { scale: 1, x: 0.5, y: 0.5 }
  const canvases = new DrawingCanvasPainter(() => ({ aspect: 1, shapes, drawing, frame: $frame.get(), view }))
  const [lower, upper] = [countingCanvas(), countingCanvas()]
  canvases.attach(lower.element, upper.element)
  canvases.resize(1000, 1000)
  runAnimationFrames()
  shapes = Array.from({ length: count }, (_, i) => stroke(i))
  canvases.repaint()
  runAnimationFrames()
  const first = lower.takeCounts()
  upper.takeCounts()
  shapeEditor.choose('pen')
  return {
    ...{ shapeEditor, lower, upper, first, $frame },
    show: () => {
      canvases.repaint()
      runAnimationFrames()
    },
    zoom: (scale: number) => {
      view.scale = scale
      canvases.repaint()
      runAnimationFrames()
    },
    add: (i: number) => {
      shapes = [...shapes, stroke(i)]
    },
    remove: (at: number) => {
      shapes = shapes.filter((_, i) => i !== at)
    },
    setDrawing: (isDrawing: boolean) => canvases.setDrawing(isDrawing),
    resize: (width: number, height: number) => {
      canvases.resize(width, height)
      runAnimationFrames()
    },
  }
}
/** Each shape is painted with two strokes: a dark edge, and its color. */
const STROKES_PER_SHAPE = 2

test('drawing a stroke repaints no finished shape, and then adds the stroke on top', () => {
  const { shapeEditor, lower, upper, first, show } = drawingCanvases(20)
  expect(first.stroke).toBe(20 * STROKES_PER_SHAPE)
  shapeEditor.down({ x: 2000, y: 2000 }, 0)
  for (let i = 1; i < 30; i++) {
    shapeEditor.move([{ x: 2000 + i * 100, y: 2000 + (i % 5) * 90 }])
    show()
  }
  expect(lower.takeCounts()).toEqual(NOTHING)
  expect(upper.takeCounts().stroke).toBe(29 * STROKES_PER_SHAPE)
  shapeEditor.up()
  show()
  expect(lower.takeCounts()).toEqual({ ...NOTHING, stroke: STROKES_PER_SHAPE })
})

test('deleting a shape repaints the others from cached paths', () => {
  const { lower, remove, show } = drawingCanvases(20)
  lines = 0
  remove(3)
  show()
  expect(lower.takeCounts()).toEqual({ ...NOTHING, stroke: 19 * STROKES_PER_SHAPE, clearRect: 1 })
  expect(lines).toBe(0)
})

test('new frames of the video repaint neither canvas if no shape changes', () => {
  const { lower, upper, $frame, show } = drawingCanvases(3)
  for (let i = 1; i <= 5; i++) {
    $frame.set(i)
    show()
  }
  expect([lower.takeCounts(), upper.takeCounts()]).toEqual(Array(2).fill(NOTHING))
})

test('undoing the newest of many shapes repaints only a few of them', () => {
  const { lower, remove, show, shapeEditor } = drawingCanvases(100)
  for (const last of [99, 98, 97]) {
    remove(last)
    show()
    expect(lower.takeCounts().stroke).toBeLessThanOrEqual(12 * STROKES_PER_SHAPE)
  }
  for (let i = 0; i < 40; i++) {
    shapeEditor.down({ x: 2000, y: 2000 }, 0)
    shapeEditor.move([{ x: 2500, y: 2000 + i * 10 }])
    show()
    shapeEditor.up()
    show()
  }
  lower.takeCounts()
  // Most of the new shapes are in the cache by now.
  remove(136)
  show()
  expect(lower.takeCounts().stroke).toBeLessThanOrEqual(24 * STROKES_PER_SHAPE)
})

test('a zoom transforms the canvas of many shapes, and repaints it in steps later', () => {
  const { lower, zoom } = drawingCanvases(100)
  copies = []
  for (const scale of [1.2, 1.5, 2]) {
    zoom(scale)
    vi.advanceTimersByTime(100)
    expect(lower.takeCounts()).toEqual(NOTHING)
  }
  expect(lower.style.transform).toContain('scale(2)')
  vi.advanceTimersByTime(100)
  while (lower.style.transform) {
    runAnimationFrames()
    expect(copies).toHaveLength(1)
    expect(copies[0]!.takeCounts().stroke).toBeLessThanOrEqual(24 * STROKES_PER_SHAPE)
  }
  expect(lower.takeCounts()).toEqual({ stroke: 12 * STROKES_PER_SHAPE, clearRect: 1, drawImage: 1 })
  // No animation frame is waiting, and the cache has this view.
  expect(frames).toEqual([])
  zoom(2)
  expect(lower.takeCounts()).toEqual(NOTHING)
})

test('zooming back or changing a shape ends the temporary transformation', () => {
  const { lower, zoom, remove, show } = drawingCanvases(100)
  zoom(2)
  zoom(1)
  expect([lower.style.transform, lower.takeCounts()]).toEqual(['', NOTHING])
  zoom(2)
  remove(3)
  show()
  expect(lower.style.transform).toBe('')
  // 87 of the remaining 99 shapes are copied from the cache, and the other twelve are painted.
  expect(lower.takeCounts()).toEqual({ stroke: 12 * STROKES_PER_SHAPE, clearRect: 1, drawImage: 1 })
  vi.advanceTimersByTime(1000)
  expect(frames).toEqual([])
})

test('a stage is not painted while hidden, nor when it reappears in the same size', () => {
  const { lower, zoom, resize } = drawingCanvases(100)
  resize(0, 0)
  expect(lower.takeCounts()).toEqual(NOTHING)
  resize(1000, 1000)
  expect(lower.takeCounts()).toEqual(NOTHING)
  zoom(2)
  resize(0, 0)
  vi.advanceTimersByTime(1000)
  runAnimationFrames()
  lower.takeCounts()
  resize(1000, 500)
  expect([lower.style.transform, lower.element.height]).toEqual(['', 500])
  expect(lower.takeCounts()).toEqual({ stroke: 12 * STROKES_PER_SHAPE, clearRect: 0, drawImage: 1 })
})

test('a new size stretches a picture of many shapes, and repaints it in steps later', () => {
  const { lower, resize, zoom } = drawingCanvases(100)
  copies = []
  resize(1000, 500)
  expect(copies).toEqual([])
  expect(lower.takeCounts()).toEqual({ stroke: 12 * STROKES_PER_SHAPE, clearRect: 0, drawImage: 1 })
  vi.advanceTimersByTime(150)
  while (frames.length) {
    runAnimationFrames()
    expect(copies).toHaveLength(1)
    expect(copies[0]!.takeCounts().stroke).toBeLessThanOrEqual(24 * STROKES_PER_SHAPE)
  }
  expect(lower.takeCounts()).toEqual({ stroke: 12 * STROKES_PER_SHAPE, clearRect: 1, drawImage: 1 })
  zoom(1)
  expect([lower.takeCounts(), frames]).toEqual([NOTHING, []])
})

test('a stretched picture is repainted when a shape changes or a zoom is undone', () => {
  const { lower, resize, remove, zoom, show } = drawingCanvases(100)
  resize(1000, 500)
  lower.takeCounts()
  remove(99)
  show()
  expect(lower.takeCounts()).toEqual({ stroke: 12 * STROKES_PER_SHAPE, clearRect: 1, drawImage: 1 })
  vi.advanceTimersByTime(1000)
  expect(frames).toEqual([])
  copies = []
  resize(1000, 700)
  zoom(2)
  expect(copies).toHaveLength(0)
  zoom(1)
  expect(copies).toHaveLength(1)
})

test('a canvas gets a size only when there is something to paint', () => {
  const { lower, upper, setDrawing, show, add } = drawingCanvases(0)
  const sizes = () => [lower, upper].map(canvas => canvas.element.width)
  expect(sizes()).toEqual([0, 0])
  setDrawing(true)
  show()
  expect(sizes()).toEqual([0, 1000])
  add(1)
  show()
  expect(sizes()).toEqual([1000, 1000])
})

test('the upper canvas is visible only while a drawing tool is selected', () => {
  const { upper, shapeEditor, show, setDrawing } = drawingCanvases(3)
  setDrawing(true)
  const isVisible = () => {
    show()
    return !(upper.element as unknown as { hidden: boolean }).hidden
  }
  expect(isVisible()).toBe(true)
  shapeEditor.down({ x: 2000, y: 2000 }, 0)
  shapeEditor.move([{ x: 2500, y: 2500 }])
  expect(isVisible()).toBe(true)
  shapeEditor.up()
  expect(isVisible()).toBe(true)
  setDrawing(false)
  expect(isVisible()).toBe(false)
})
