import type { ReadableAtom } from 'nanostores'
import { useCallback, useSyncExternalStore } from 'react'

/** Returns a part of a store's value, and rerenders only when it changes. `select` must return the same object for the same value. */
export function useStoreSelector<S, T>(store: ReadableAtom<S>, select: (all: S) => T): T {
  const subscribe = useCallback((notify: () => void) => store.listen(notify), [store])
  return useSyncExternalStore(subscribe, () => select(store.get()))
}

/** Whether the store holds this id. When the store changes, only the two components whose result changes render. */
export const useStoreEquals = (store: ReadableAtom<string | undefined>, id: string) => useStoreSelector(store, value => value === id)
