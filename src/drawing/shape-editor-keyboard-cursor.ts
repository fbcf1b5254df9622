import { atom, type ReadableAtom } from 'nanostores'
import type { KeyboardEvent } from 'react'
import { PICTURE_SIDE_UNITS } from '../../modules/reviews/policy.ts'
import type { Point } from './point-encoding-and-simplification.ts'
import type { ShapeEditor } from './shape-editor.ts'
import { ARROW_DIRECTIONS } from './viewport.ts'

/** A shape editor and its keyboard support, for a picture that can be drawn on. */
export interface ShapeEditorWithKeyboard {
  shapeEditor: ShapeEditor
  /** Handles the drawing keys while the picture's element has the focus. */
  onKeyDown: (e: KeyboardEvent) => void
  /** The point that the arrow keys move, in picture units; null until a key is used, and after drawing has ended. */
  $cursor: ReadableAtom<Point | null>
}

/** How far an arrow key moves the cursor, in picture units. Shift uses the smaller step. */
const CURSOR_STEP_UNITS = 100
const FINE_CURSOR_STEP_UNITS = 20
/** The distance from a shape, in ten-thousandths of the picture's height, within which the keyboard cursor selects it. */
const KEYBOARD_REACH_UNITS = 150

/** Adds keyboard support to a shape editor: arrow keys move a cursor, Enter starts and ends a line there, Delete and Escape call `acts`. */
export function addKeyboardToShapeEditor(
  shapeEditor: ShapeEditor,
  acts: { remove: () => void; leave: () => void },
): ShapeEditorWithKeyboard {
  const $cursor = atom<Point | null>(null)
  const cursorPoint = () => $cursor.get() ?? { x: PICTURE_SIDE_UNITS / 2, y: PICTURE_SIDE_UNITS / 2 }
  const clampCoordinate = (n: number) => Math.max(0, Math.min(PICTURE_SIDE_UNITS, n))

  function press(key: string, shift: boolean): boolean {
    const arrow = ARROW_DIRECTIONS[key]
    if (arrow) {
      const step = shift ? FINE_CURSOR_STEP_UNITS : CURSOR_STEP_UNITS
      const next = { x: clampCoordinate(cursorPoint().x + arrow.x * step), y: clampCoordinate(cursorPoint().y + arrow.y * step) }
      $cursor.set(next)
      if (shapeEditor.busy()) shapeEditor.move([next])
    } else if (key === 'Enter') {
      $cursor.set(cursorPoint())
      if (shapeEditor.busy() && !shapeEditor.isAwaitingSecondLine()) shapeEditor.up()
      else shapeEditor.down(cursorPoint(), KEYBOARD_REACH_UNITS)
    } else if (key === 'Delete' || key === 'Backspace') acts.remove()
    else if (key === 'Escape') acts.leave()
    else return false
    return true
  }

  shapeEditor.$instrument.listen(instrument => instrument || $cursor.set(null))
  return {
    shapeEditor,
    $cursor,
    onKeyDown(e) {
      if (e.ctrlKey || e.metaKey || e.altKey || !press(e.key, e.shiftKey)) return
      e.preventDefault()
      e.stopPropagation()
    },
  }
}
