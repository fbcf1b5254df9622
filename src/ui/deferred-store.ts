import type { ReadableAtom } from 'nanostores'
import { useCallback, useSyncExternalStore } from 'react'
import { afterNextPaint } from './next-paint.ts'

let isUpdatingCanvas = false
/** Deferred listeners that run after the next paint. */
const pending = new Set<() => void>()

/**
 * Runs `act`, which changes stores. Direct listeners, as the canvas is, hear of the change at once and draw it in the next frame; deferred
 * listeners, as the lists beside the canvas are, one frame later.
 */
export function updateCanvasFirst(act: () => void) {
  const before = isUpdatingCanvas
  isUpdatingCanvas = true
  try {
    act()
  } finally {
    isUpdatingCanvas = before
  }
}

/** Listens to a store. Changes made in `updateCanvasFirst` reach the listener after the next paint, several of them as one. @returns how to stop */
export function listenDeferred(store: Pick<ReadableAtom<unknown>, 'listen'>, tell: () => void): () => void {
  const stop = store.listen(() => {
    if (!isUpdatingCanvas) return tell()
    if (!pending.size) afterNextPaint().then(tellAll)
    pending.add(tell)
  })
  return () => {
    stop()
    pending.delete(tell)
  }
}

/** A part of a store's value, for React: the component renders again, deferred, when that part changes. `part` must return the same object for the same value. */
export function useDeferredStore<S, T>(store: ReadableAtom<S>, part: (all: S) => T): T {
  const follow = useCallback((tell: () => void) => listenDeferred(store, tell), [store])
  return useSyncExternalStore(follow, () => part(store.get()))
}

function tellAll() {
  const all = [...pending]
  pending.clear()
  for (const tell of all) tell()
}
