import { beforeEach, expect, test } from 'vitest'
import type { Shape } from '../../modules/reviews/contract.ts'
import { createDrawingActions } from '../../src/drawing/drawing-actions.ts'
import { createShapeEditor } from '../../src/drawing/shape-editor.ts'
import { applyChange, createUndoHistory } from '../../src/drawing/undo-history.ts'

let shapes: Shape[]
let frame: number
let book: ReturnType<typeof createDrawingActions>
let pencil: ReturnType<typeof createShapeEditor>

beforeEach(() => {
  shapes = []
  frame = 7
  const history = createUndoHistory(change => {
    shapes = applyChange(shapes, change)
  })
  const add = (shape: Shape) => history.do({ before: null, after: shape })
  const change = (before: Shape | null, after: Shape | null) => history.do({ before, after })
  const shown = () => shapes.filter(s => s.from === frame)
  book = createDrawingActions({
    ...{ pencil: () => pencil, shown, add, change, asOneStep: history.asOneStep, frame: () => frame },
    showFrame: to => {
      frame = to
    },
    remove: shape => change(shape, null),
    undo: () => void history.undo(),
    redo: () => void history.redo(),
    length: () => [90, 3000, 600],
  })
  pencil = createShapeEditor({
    aspect: () => 1,
    frame: () => frame,
    stay: book.newShapeDuration,
    shapes: shown,
    label: () => ({ width: 1000, height: 300 }),
    make: add,
    change(before, after) {
      change(before, after)
      return after
    },
    ...{ allShapes: () => shapes, realTime: () => null, advance: () => {} },
    begin: () => {},
    write: () => {},
  })
})
const line = (y: number) => {
  pencil.choose('line')
  pencil.down({ x: 1000, y }, 60)
  pencil.move([{ x: 4000, y }])
  pencil.up()
}

test('a paste is undone and redone in one step', () => {
  for (const y of [1000, 2000, 3000]) line(y)
  book.acts.copy()
  frame = 40
  book.acts.paste()
  expect(shapes.map(s => s.from)).toEqual([7, 7, 7, 40, 40, 40])
  book.acts.undo()
  expect(shapes.map(s => s.from)).toEqual([7, 7, 7])
  book.acts.redo()
  expect(shapes.map(s => s.from)).toEqual([7, 7, 7, 40, 40, 40])
  book.acts.undo()
  book.acts.undo()
  expect(shapes).toHaveLength(2)
})

test('Escape cancels the stroke, then the selection, then puts the pencil away', () => {
  line(1000)
  pencil.choose('select')
  pencil.down({ x: 2000, y: 1000 }, 60)
  book.acts.leave()
  expect(pencil.busy()).toBe(false)
  expect(pencil.$selected.get()).toBe(shapes[0]!.id)
  book.acts.leave()
  expect(pencil.$selected.get()).toBeUndefined()
  expect(pencil.$instrument.get()).toBe('select')
  book.acts.leave()
  expect(pencil.$instrument.get()).toBeNull()
  expect(shapes).toHaveLength(1)
})

test('keyframes of a tracking drawing can be stepped through and removed', () => {
  line(1000)
  pencil.choose('follow')
  for (frame of [20, 30]) {
    pencil.down({ x: 2000, y: frame === 20 ? 1000 : 2000 }, 60)
    pencil.move([{ x: 2000, y: frame === 20 ? 2000 : 3000 }])
    pencil.up()
  }
  expect(shapes[0]!.keyframes!.map(k => k.frame)).toEqual([20, 30])
  book.acts.toKeyframe(-1)
  expect(frame).toBe(20)
  book.acts.removeKeyframe()
  expect(shapes[0]!.keyframes!.map(k => k.frame)).toEqual([30])
  book.acts.toKeyframe(-1)
  expect(frame).toBe(7)
  book.acts.toKeyframe(1)
  book.acts.toKeyframe(1)
  expect(frame).toBe(30)
  book.acts.undo()
  expect(shapes[0]!.keyframes).toHaveLength(2)
})
