import type { Shape } from '../../../modules/reviews/contract.ts'

/** What became of one drawing: made (nothing before), changed, or deleted (nothing after). */
export interface Change {
  before: Shape | null
  after: Shape | null
}

/** Drawings of one thing after a change; the order in which they were made stays. A drawing that another tab deleted stays deleted. */
export function applied(shapes: readonly Shape[], { before, after }: Change): Shape[] {
  if (!before) return shapes.some(s => s.id === after!.id) ? [...shapes] : [...shapes, after!]
  return shapes.flatMap(s => (s.id !== before.id ? s : (after ?? [])))
}

/** What was drawn, to take back and to do again. A change says by fields of its own what it belongs to; `put` makes it true. */
export function createHistory<C extends Change>(put: (change: C) => void, limit = 200) {
  let past: C[] = []
  let future: C[] = []
  return {
    do(change: C) {
      past = [...past, change].slice(-limit)
      future = []
      put(change)
    },
    /** Answers what was taken back. */
    undo(): C | undefined {
      const change = past.pop()
      if (!change) return
      future.push(change)
      put({ ...change, before: change.after, after: change.before })
      return change
    },
    redo(): C | undefined {
      const change = future.pop()
      if (!change) return
      past.push(change)
      put(change)
      return change
    },
  }
}
