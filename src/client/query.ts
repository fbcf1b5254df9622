import { nanoquery } from '@nanostores/query'
import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useRef } from 'react'
import { usePreloadedPage } from '../page-load/preloaded-page.ts'
import { type CallInput, call, methodAndPath, type Reply } from './api.ts'
import type { Api } from './contracts.ts'

const [createStore, , { revalidateKeys, mutateCache }] = nanoquery({
  dedupeTime: 60_000,
  cacheLifetime: 300_000,
  onErrorRetry: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
})

type Query = keyof Api & `GET ${string}`
export interface QueryResult<T> {
  data?: T
  error?: Error
  loading: boolean
}
const stores = new Map<string, ReturnType<typeof createStore>>()
const nothing = atom<QueryResult<never>>({ loading: false })
/** The server requests nothing while it renders, and a store for each key would stay in memory as long as the process. */
const onServer = !globalThis.document
const keyOf = (endpoint: string, input: unknown) => `${endpoint} ${JSON.stringify(input ?? {})}`
/** How often each endpoint was refetched, and the keys that were fetched at all. */
const refetches = new Map<string, number>()
const fetchedKeys = new Set<string>()
/** A response that is refetched faster than it arrives is used after so many tries. */
const MAX_FETCHES = 3

function storeOf(endpoint: Query, input: unknown) {
  const key = keyOf(endpoint, input)
  const fetcher = async () => {
    fetchedKeys.add(key)
    let answer: unknown
    // The library ignores a refetch during a fetch, and would keep the older answer for a minute: fetch again here.
    for (let round = 0; round < MAX_FETCHES; round++) {
      const before = refetches.get(endpoint)
      answer = await call(endpoint, input as never)
      if (before === refetches.get(endpoint)) break
    }
    return answer
  }
  const store = stores.get(key) ?? createStore([key], { fetcher })
  stores.set(key, store)
  return store
}

/**
 * The answer to a GET, fresh for 60 s and cached for 300 s. `retry` fetches again. Data stays until newer data arrives, however long that takes and
 * whatever fails meanwhile, so that nobody loses what they read or type: `loading` and `error` are set only while there is no data.
 * @param input false fetches nothing yet
 */
export function useQuery<K extends Query>(endpoint: K, input?: CallInput<K> | false): QueryResult<Reply<K>> & { retry: () => void } {
  const key = input === false ? '' : keyOf(endpoint, input)
  const store = input === false || onServer ? nothing : storeOf(endpoint, input)
  const answer = useStore(store as typeof nothing) as QueryResult<Reply<K>>
  // The library drops data that is older than its cache, or whose refetch failed: keep it here.
  const shown = useRef<{ key: string; data?: Reply<K> }>({ key })
  if (shown.current.key !== key || answer.data !== undefined) shown.current = { key, data: answer.data }
  const page = usePreloadedPage()
  // The server's rendering and hydration have no store yet.
  const data =
    shown.current.data ??
    (input === false ? undefined : (page?.answers[methodAndPath(endpoint, input as object)[1]] as Reply<K> | undefined))
  const retry = () => askAgain([key])
  return data === undefined ? { ...answer, retry } : { data, loading: false, retry }
}

const among = (beginnings: string[]) => (key: string) => beginnings.some(b => key.startsWith(b))
function askAgain(keys: string[]) {
  if (document.hidden) for (const key of keys) missed.add(key)
  revalidateKeys(among(keys))
}
/** Refetches what the screen shows of these endpoints. Resolves when every fetch has ended, so that a command can keep its button busy until the screen is up to date. */
export async function refetchQueries(...endpoints: Query[]) {
  for (const e of endpoints) refetches.set(e, (refetches.get(e) ?? 0) + 1)
  const keys = endpoints.map(e => `${e} `)
  askAgain(keys)
  const its = among(keys)
  await Promise.allSettled([...stores].map(([key, store]) => its(key) && store.value?.promise))
}

/** Keys that were refetched while the page was hidden: the library fetches nothing in a hidden page, nor when it becomes visible. */
const missed = new Set<string>()
globalThis.addEventListener?.('visibilitychange', () => {
  if (document.hidden) return
  const late = among([...missed])
  revalidateKeys(key => late(key) || !fetchedKeys.has(key))
  missed.clear()
})

// The back button may restore this page from the browser's cache: refetch what has changed since.
globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && revalidateKeys(() => true))

/** Puts data into the cache before the server answers, as an optimistic update. */
export const setQueryData = <K extends Query>(endpoint: K, input: CallInput<K>, data: Reply<K>) => mutateCache(keyOf(endpoint, input), data)
