import type { Shape } from '../../modules/reviews/contract.ts'

/** A change to one drawing: added (`before` is null), changed, or deleted (`after` is null). */
export interface ShapeChange {
  before: Shape | null
  after: Shape | null
}

/** Applies a change to a list of shapes without reordering it. Changing a shape that another tab has deleted does not restore it. */
export function applyChangeToShapes(shapes: readonly Shape[], { before, after }: ShapeChange): Shape[] {
  if (!before) return shapes.some(s => s.id === after!.id) ? [...shapes] : [...shapes, after!]
  return shapes.flatMap(s => (s.id !== before.id ? s : (after ?? [])))
}

/**
 * Creates a history for undo and redo. `put` applies a change to the document; `C` may add fields that say which document. Keeps the last
 * `limit` steps.
 */
export function createUndoHistory<C extends ShapeChange>(put: (change: C) => void, limit = 200) {
  let past: C[][] = []
  let future: C[][] = []
  /** Changes of the step that `asOneStep` is collecting. */
  let step: C[] | undefined
  return {
    do(change: C) {
      if (step) step.push(change)
      else past = [...past, [change]].slice(-limit)
      future = []
      put(change)
    },
    /** All changes made by `act` are undone and redone in one step. */
    asOneStep(act: () => void) {
      const all: C[] = []
      step = all
      try {
        act()
      } finally {
        step = undefined
        if (all.length) past = [...past, all].slice(-limit)
      }
    },
    /** Returns the undone changes, the last one first, or undefined if there is nothing to undo. */
    undo(): C[] | undefined {
      const changes = past.pop()
      if (!changes) return
      future.push(changes)
      const back = changes.toReversed()
      for (const change of back) put({ ...change, before: change.after, after: change.before })
      return back
    },
    redo(): C[] | undefined {
      const changes = future.pop()
      if (!changes) return
      past.push(changes)
      for (const change of changes) put(change)
      return changes
    },
  }
}
