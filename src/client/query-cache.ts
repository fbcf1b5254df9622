import { nanoquery } from '@nanostores/query'
import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { useRef } from 'react'

/**
 * The cache of GET responses: `@nanostores/query` with our cache times, and with five features that our screens need and the library lacks.
 * Each is marked `Gap`. docs/decisions/query-cache.md says why we keep the library.
 */
const [createStore, , { revalidateKeys, mutateCache }] = nanoquery({
  dedupeTime: 60_000,
  cacheLifetime: 300_000,
  onErrorRetry: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
})

type QueryStore = ReturnType<typeof createStore>
export interface QueryResult<T> {
  data?: T
  error?: Error
  loading: boolean
}

const stores = new Map<string, QueryStore>()
const fetchedKeys = new Set<string>()
const refetchCounts = new Map<string, number>()
/** If a key is invalidated during its fetch, it is fetched again. After this many fetches the response is used anyway. */
const MAX_FETCHES = 3

/** Gap 1: the library ignores a refetch during a fetch, and would keep the older response for a minute. This fetches again instead. */
async function fetchCurrent(key: string, fetch: () => Promise<unknown>) {
  fetchedKeys.add(key)
  for (let fetches = 1; ; fetches++) {
    const count = refetchCounts.get(key)
    const answer = await fetch()
    if (fetches === MAX_FETCHES || count === refetchCounts.get(key)) return answer
  }
}

/** The store of a key's response. It fetches when a component subscribes to it, unless its data is fresh. */
export function queryStore(key: string, fetch: () => Promise<unknown>): QueryStore {
  const store = stores.get(key) ?? createStore([key], { fetcher: () => fetchCurrent(key, fetch) })
  stores.set(key, store)
  return store
}

/**
 * Gap 2: the library drops data that is older than its cache time, or whose refetch failed. With this hook, a component keeps showing the
 * outdated data until newer data arrives (stale-while-revalidate), but only for the same key: when the key changes, it drops the old data.
 */
export function useSameKeyDataWhileRefetching<T>(key: string, store: QueryStore | ReadableAtom<QueryResult<never>>): QueryResult<T> {
  const answer = useStore(store as ReadableAtom<QueryResult<unknown>>) as QueryResult<T>
  const shown = useRef<{ key: string; data?: T }>({ key })
  if (shown.current.key !== key || answer.data !== undefined) shown.current = { key, data: answer.data }
  return shown.current.data === undefined ? answer : { data: shown.current.data, loading: false }
}

/**
 * Refetches the matching keys that the screen shows; the others are refetched when they are shown again. Resolves when every fetch has
 * ended.
 */
export async function refetchMatchingKeys(matches: (key: string) => boolean): Promise<void> {
  const matching = [...stores].filter(([key]) => matches(key))
  for (const [key] of matching) {
    refetchCounts.set(key, (refetchCounts.get(key) ?? 0) + 1)
    if (document.hidden) missedKeys.add(key)
  }
  revalidateKeys(matches)
  await Promise.allSettled(matching.map(([, store]) => store.value?.promise))
}

/**
 * Gaps 3 and 4: in a hidden page the library neither refetches nor fetches new keys, and does not catch up when the page becomes visible.
 */
const missedKeys = new Set<string>()
globalThis.addEventListener?.('visibilitychange', () => {
  if (document.hidden) return
  const missed = new Set(missedKeys)
  missedKeys.clear()
  revalidateKeys(key => missed.has(key) || !fetchedKeys.has(key))
})

/** Gap 5: the back button may restore an outdated page from the back/forward cache. This refetches the data that the page shows. */
globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && revalidateKeys(() => true))

/** Puts data into the cache as if it had just been fetched. */
export const setCachedData = (key: string, data: unknown) => mutateCache(key, data)
