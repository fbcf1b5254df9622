import { atom } from 'nanostores'
import { v7 } from 'uuid'
import type { Shape } from '../../modules/reviews/contract.ts'
import { updateCanvasFirst } from '../ui/deferred-store.ts'
import type { Pencil } from './pencil.ts'
import { withId } from './shapes.ts'
import { framesOf, type Stay } from './stay.ts'

/** Where drawings are kept. */
export interface Sketchbook {
  pencil: () => Pencil
  /** Those that show now, the last on top. */
  shown: () => readonly Shape[]
  add: (shape: Shape) => void
  change: (before: Shape, after: Shape) => void
  remove: (shape: Shape) => void
  undo: () => void
  redo: () => void
  /** What `act` does is one step to take back. */
  together: (act: () => void) => void
  /** The frame shown, where what is pasted begins. */
  frame: () => number
  /** Frames of the video, its milliseconds, and how many frames a drawing may stay. */
  length: () => readonly [number, number, number]
}

/** What the bar of tools does. */
export interface Acts {
  undo: () => void
  redo: () => void
  copy: () => void
  paste: () => void
  remove: () => void
  recolor: (color: number) => void
  rewide: (width: number) => void
  restay: (stay: Stay) => void
  /** One step out: of what is under way, of what is chosen, of drawing at all. */
  leave: () => void
  done: () => void
}

/** What one does to drawings beside drawing them. `$stay` is how long the next one stays, `$copied` what can be pasted. */
export function createActs({ pencil, shown, frame, length, ...book }: Sketchbook) {
  const $stay = atom<Stay>('one')
  const $copied = atom<readonly Shape[]>([])
  const selected = () => withId(pencil().$selected.get(), shown)
  const edit = (look: Partial<Shape>) => {
    const shape = selected()
    if (shape) book.change(shape, { ...shape, ...look })
  }
  const acts: Acts = {
    undo: book.undo,
    redo: book.redo,
    copy() {
      const shape = selected()
      const taken = shape ? [shape] : shown()
      if (taken.length) $copied.set(taken)
    },
    paste() {
      book.together(() => {
        for (const shape of $copied.get()) book.add({ ...shape, id: v7(), from: frame() })
      })
    },
    remove() {
      const shape = selected()
      updateCanvasFirst(() => {
        if (shape) book.remove(shape)
        pencil().$selected.set(undefined)
      })
    },
    recolor: color => edit({ color }),
    rewide: width => edit({ width }),
    restay(to) {
      $stay.set(to)
      edit(framesOf(to, ...length()))
    },
    leave() {
      if (pencil().busy()) pencil().cancel()
      else if (pencil().$selected.get()) pencil().$selected.set(undefined)
      else acts.done()
    },
    done: () => pencil().choose(null),
  }
  return { acts, $stay, $copied, staying: () => framesOf($stay.get(), ...length()) }
}
