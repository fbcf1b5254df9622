import type { ReadableAtom } from 'nanostores'
import { useCallback, useSyncExternalStore } from 'react'
import { painted } from './painted.ts'

let first = false
/** Who is still to be told, once what came first is on the screen. */
const due = new Set<() => void>()

/**
 * What `act` changes in stores is true at once. Who listens to them directly, as a canvas does, shows it in the next frame; who follows them
 * `behind`, as the lists beside it do, one frame later.
 */
export function pictureFirst(act: () => void) {
  const outer = first
  first = true
  try {
    act()
  } finally {
    first = outer
  }
}

/** Listens to a store: is told at once, or, of what is changed in `pictureFirst`, after the next frame, and of several changes once. */
export function behind(store: Pick<ReadableAtom<unknown>, 'listen'>, tell: () => void): () => void {
  const stop = store.listen(() => {
    if (!first) return tell()
    if (!due.size) painted().then(tellAll)
    due.add(tell)
  })
  return () => {
    stop()
    due.delete(tell)
  }
}

/** A part of what a store holds, followed `behind`: whoever shows it is drawn anew when that part is another. `part` makes nothing anew. */
export function useBehind<S, T>(store: ReadableAtom<S>, part: (all: S) => T): T {
  const follow = useCallback((tell: () => void) => behind(store, tell), [store])
  return useSyncExternalStore(follow, () => part(store.get()))
}

function tellAll() {
  const all = [...due]
  due.clear()
  for (const tell of all) tell()
}
