import { beforeEach } from 'vitest'
import type { Shape } from '../../modules/reviews/contract.ts'
import { decodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import { createShapeEditor } from '../../src/drawing/shape-editor.ts'
import { applyChangeToShapes, createUndoHistory } from '../../src/drawing/undo-history.ts'

/** Gives each test a new shape editor on a square stage at frame 42, without drawings. */
export function setUpShapeEditorTestbed() {
  const stage = {} as {
    shapeEditor: ReturnType<typeof createShapeEditor>
    history: ReturnType<typeof createUndoHistory>
    shapes: Shape[]
    frame: number
    /** The points at which the text tool opened a text field. */
    textPlaces: unknown[]
    /** How often the video was paused to draw. */
    beginCount: number
    /** Returns the milliseconds between two frames; null if the capture rate is unknown. */
    realTime: ((from: number, to: number) => number) | null
  }
  beforeEach(() => {
    const history = createUndoHistory(change => {
      stage.shapes = applyChangeToShapes(stage.shapes, change)
    })
    const put = (before: Shape | null, after: Shape | null) => history.do({ before, after })
    const shapeEditor = createShapeEditor({
      aspect: () => 1,
      frame: () => stage.frame,
      stay: () => ({ hold: 30, fade: 8 }),
      shapes: () => stage.shapes,
      labelSize: () => ({ width: 1000, height: 300 }),
      make: shape => put(null, shape),
      change(before, after) {
        put(before, after)
        return after
      },
      allShapes: () => stage.shapes,
      realTime: (from, to) => stage.realTime?.(from, to) ?? null,
      advance: () => {
        stage.frame++
      },
      begin: () => {
        stage.beginCount++
      },
      write: at => stage.textPlaces.push(at),
    })
    const realTime = (from: number, to: number) => (to - from) * 4
    Object.assign(stage, { shapeEditor, history, shapes: [], frame: 42, textPlaces: [], beginCount: 0, realTime })
  })
  const drag = (...points: [number, number][]) => {
    const [first, ...rest] = points.map(([x, y]) => ({ x, y }))
    stage.shapeEditor.down(first!, 60)
    for (const point of rest) stage.shapeEditor.move([point])
    stage.shapeEditor.up()
  }
  const press = (x: number, y: number) => {
    stage.shapeEditor.down({ x, y }, 60)
    stage.shapeEditor.up()
  }
  const points = (i = 0) => decodePoints(stage.shapes[i]!.p)
  return { stage, drag, press, points }
}
