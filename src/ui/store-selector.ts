import type { ReadableAtom } from 'nanostores'
import { useCallback, useSyncExternalStore } from 'react'

/** Returns a part of a store's value and rerenders only when that part changes. `select` must return the same object for the same value. */
export function useStoreSelector<S, T>(store: ReadableAtom<S>, select: (all: S) => T): T {
  const subscribe = useCallback((notify: () => void) => store.listen(notify), [store])
  return useSyncExternalStore(subscribe, () => select(store.get()))
}

/** Whether the store's value is `id`. When the value changes, only the components for the old and the new id rerender. */
export const useStoreValueEquals = (store: ReadableAtom<string | undefined>, id: string) => useStoreSelector(store, value => value === id)
