import { beforeEach, expect, test } from 'vitest'
import type { Shape } from '../../modules/reviews/contract.ts'
import { createDrawingToolbarCommands } from '../../src/drawing/drawing-toolbar-commands.ts'
import { createShapeEditor } from '../../src/drawing/shape-editor.ts'
import { applyChangeToShapes, createUndoHistory } from '../../src/drawing/undo-history.ts'

let shapes: Shape[]
let frame: number
let limit: number
let refusals: number
let actions: ReturnType<typeof createDrawingToolbarCommands>
let shapeEditor: ReturnType<typeof createShapeEditor>

beforeEach(() => {
  shapes = []
  frame = 7
  limit = Number.POSITIVE_INFINITY
  refusals = 0
  const history = createUndoHistory(change => {
    shapes = applyChangeToShapes(shapes, change)
  })
  const add = (shape: Shape) => {
    if (shapes.length >= limit) refusals++
    else history.do({ before: null, after: shape })
    return !refusals
  }
  const change = (before: Shape | null, after: Shape | null) => history.do({ before, after })
  const shown = () => shapes.filter(s => s.from === frame)
  actions = createDrawingToolbarCommands({
    shapeEditor: () => shapeEditor,
    shown,
    add,
    change,
    asOneStep: history.asOneStep,
    frame: () => frame,
    showFrame: to => {
      frame = to
    },
    remove: shape => change(shape, null),
    undo: () => void history.undo(),
    redo: () => void history.redo(),
    length: () => [90, 3000, 600],
  })
  shapeEditor = createShapeEditor({
    aspect: () => 1,
    frame: () => frame,
    stay: actions.newShapeDuration,
    shapes: shown,
    labelSize: () => ({ width: 1000, height: 300 }),
    make: add,
    change(before, after) {
      change(before, after)
      return after
    },
    allShapes: () => shapes,
    realTime: () => null,
    advance: () => {},
    begin: () => {},
    write: () => {},
  })
})
const line = (y: number) => {
  shapeEditor.choose('line')
  shapeEditor.down({ x: 1000, y }, 60)
  shapeEditor.move([{ x: 4000, y }])
  shapeEditor.up()
}

test('undo and redo treat a paste as one step', () => {
  for (const y of [1000, 2000, 3000]) line(y)
  actions.acts.copy()
  frame = 40
  actions.acts.paste()
  expect(shapes.map(s => s.from)).toEqual([7, 7, 7, 40, 40, 40])
  actions.acts.undo()
  expect(shapes.map(s => s.from)).toEqual([7, 7, 7])
  actions.acts.redo()
  expect(shapes.map(s => s.from)).toEqual([7, 7, 7, 40, 40, 40])
  actions.acts.undo()
  actions.acts.undo()
  expect(shapes).toHaveLength(2)
})

test('a paste stops at the first shape that is refused, and keeps those before it', () => {
  for (const y of [1000, 2000, 3000]) line(y)
  actions.acts.copy()
  frame = 40
  limit = 4
  actions.acts.paste()
  expect(shapes.map(s => s.from)).toEqual([7, 7, 7, 40])
  expect(refusals).toBe(1)
})

test('Escape cancels the stroke, then the selection, then stops drawing', () => {
  line(1000)
  shapeEditor.choose('select')
  shapeEditor.down({ x: 2000, y: 1000 }, 60)
  actions.acts.leave()
  expect(shapeEditor.busy()).toBe(false)
  expect(shapeEditor.$selected.get()).toBe(shapes[0]!.id)
  actions.acts.leave()
  expect(shapeEditor.$selected.get()).toBeUndefined()
  expect(shapeEditor.$instrument.get()).toBe('select')
  actions.acts.leave()
  expect(shapeEditor.$instrument.get()).toBeNull()
  expect(shapes).toHaveLength(1)
})

test('the keyframes of a drawing can be stepped through and removed', () => {
  line(1000)
  shapeEditor.choose('follow')
  for (frame of [20, 30]) {
    shapeEditor.down({ x: 2000, y: frame === 20 ? 1000 : 2000 }, 60)
    shapeEditor.move([{ x: 2000, y: frame === 20 ? 2000 : 3000 }])
    shapeEditor.up()
  }
  expect(shapes[0]!.keyframes!.map(k => k.frame)).toEqual([20, 30])
  actions.acts.toKeyframe(-1)
  expect(frame).toBe(20)
  actions.acts.removeKeyframe()
  expect(shapes[0]!.keyframes!.map(k => k.frame)).toEqual([30])
  actions.acts.toKeyframe(-1)
  expect(frame).toBe(7)
  actions.acts.toKeyframe(1)
  actions.acts.toKeyframe(1)
  expect(frame).toBe(30)
  actions.acts.undo()
  expect(shapes[0]!.keyframes).toHaveLength(2)
})
