import { atom, type ReadableAtom } from 'nanostores'
import type { KeyboardEvent } from 'react'
import { COORDINATE_UNITS } from '../../modules/reviews/policy.ts'
import type { Pencil } from './pencil.ts'
import type { Point } from './points.ts'
import { WAYS } from './view.ts'

/** What an instructor draws with, beside the picture. */
export interface Drawing {
  pencil: Pencil
  /** Keys that draw: on the picture's own element, while it has the focus. */
  onKeyDown: (e: KeyboardEvent) => void
  /** The point that the keys move; null while a pointer draws. */
  $cursor: ReadableAtom<Point | null>
}

/** One press of an arrow key, in units of the picture; with Shift, finer. */
const STEP = 100
const FINE = 20
/** How far beside a thing the keys' point still means it, in units of the height. */
const REACH = 150

/** A pencil that keys can hold, too: arrows move its point, Enter puts it down and lifts it. */
export function createDrawing(pencil: Pencil, acts: { remove: () => void; leave: () => void }): Drawing {
  const $cursor = atom<Point | null>(null)
  const here = () => $cursor.get() ?? { x: COORDINATE_UNITS / 2, y: COORDINATE_UNITS / 2 }
  const within = (n: number) => Math.max(0, Math.min(COORDINATE_UNITS, n))

  function press(key: string, shift: boolean): boolean {
    const arrow = WAYS[key]
    if (arrow) {
      const step = shift ? FINE : STEP
      const next = { x: within(here().x + arrow.x * step), y: within(here().y + arrow.y * step) }
      $cursor.set(next)
      if (pencil.busy()) pencil.move([next])
    } else if (key === 'Enter') {
      $cursor.set(here())
      if (pencil.busy() && !pencil.bending()) pencil.up()
      else pencil.down(here(), REACH)
    } else if (key === 'Delete' || key === 'Backspace') acts.remove()
    else if (key === 'Escape') acts.leave()
    else return false
    return true
  }

  pencil.$instrument.listen(instrument => instrument || $cursor.set(null))
  return {
    pencil,
    $cursor,
    onKeyDown(e) {
      if (e.ctrlKey || e.metaKey || e.altKey || !press(e.key, e.shiftKey)) return
      e.preventDefault()
      e.stopPropagation()
    },
  }
}
