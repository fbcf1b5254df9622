import type { Shape } from '../../../modules/reviews/contract.ts'

/** What became of one drawing: made (nothing before), changed, or deleted (nothing after). `note` is the one it belongs to. */
export interface Change {
  note: string
  before: Shape | null
  after: Shape | null
}

/** The drawings of a note after a change; the order in which they were made stays. A drawing that another tab deleted stays deleted. */
export function applied(shapes: readonly Shape[], { before, after }: Change): Shape[] {
  if (!before) return shapes.some(s => s.id === after!.id) ? [...shapes] : [...shapes, after!]
  return shapes.flatMap(s => (s.id !== before.id ? s : (after ?? [])))
}

/** What was drawn, to take back and to do again. `put` makes a change true. */
export function createHistory(put: (change: Change) => void, limit = 200) {
  let past: Change[] = []
  let future: Change[] = []
  return {
    do(change: Change) {
      past = [...past, change].slice(-limit)
      future = []
      put(change)
    },
    /** Answers what was taken back. */
    undo(): Change | undefined {
      const change = past.pop()
      if (!change) return
      future.push(change)
      put({ note: change.note, before: change.after, after: change.before })
      return change
    },
    redo(): Change | undefined {
      const change = future.pop()
      if (!change) return
      past.push(change)
      put(change)
      return change
    },
  }
}
export type History = ReturnType<typeof createHistory>
