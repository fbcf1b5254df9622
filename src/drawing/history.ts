import type { Shape } from '../../modules/reviews/contract.ts'

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
  let past: C[][] = []
  let future: C[][] = []
  /** The step that is being made of several changes. */
  let step: C[] | undefined
  return {
    do(change: C) {
      if (step) step.push(change)
      else past = [...past, [change]].slice(-limit)
      future = []
      put(change)
    },
    /** What `act` does is one step to take back. */
    together(act: () => void) {
      const all: C[] = []
      step = all
      try {
        act()
      } finally {
        step = undefined
        if (all.length) past = [...past, all].slice(-limit)
      }
    },
    /** Answers what was taken back, the last change first. */
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
