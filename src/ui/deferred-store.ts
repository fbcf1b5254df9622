import type { ReadableAtom } from 'nanostores'
import { useCallback, useSyncExternalStore } from 'react'
import { afterNextPaint } from './next-paint.ts'

let first = false
/** Who is still to be told, once what came first is on the screen. */
const due = new Set<() => void>()

/**
 * What `act` changes in stores is true at once. Who listens to them directly, as a canvas does, shows it in the next frame; who follows them
 * deferred, as the lists beside it do, one frame later.
 */
export function updateCanvasFirst(act: () => void) {
  const outer = first
  first = true
  try {
    act()
  } finally {
    first = outer
  }
}

/** Listens to a store: is told at once, or, of what is changed in `updateCanvasFirst`, after the next frame, and of several changes once. */
export function listenDeferred(store: Pick<ReadableAtom<unknown>, 'listen'>, tell: () => void): () => void {
  const stop = store.listen(() => {
    if (!first) return tell()
    if (!due.size) afterNextPaint().then(tellAll)
    due.add(tell)
  })
  return () => {
    stop()
    due.delete(tell)
  }
}

/** A part of what a store holds, followed deferred: whoever shows it is drawn anew when that part is another. `part` makes nothing anew. */
export function useDeferredStore<S, T>(store: ReadableAtom<S>, part: (all: S) => T): T {
  const follow = useCallback((tell: () => void) => listenDeferred(store, tell), [store])
  return useSyncExternalStore(follow, () => part(store.get()))
}

function tellAll() {
  const all = [...due]
  due.clear()
  for (const tell of all) tell()
}
