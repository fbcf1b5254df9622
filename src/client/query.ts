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
/** There nothing is asked, and a store for each key would stay as long as the process, which makes the pages of everybody. */
const onServer = !globalThis.document
const keyOf = (endpoint: string, input: unknown) => `${endpoint} ${JSON.stringify(input ?? {})}`
/** How often each call was asked again, and the keys that were asked for at all. */
const asked = new Map<string, number>()
const begun = new Set<string>()
/** An answer that is asked for faster than it comes is taken after so many rounds. */
const ROUNDS = 3

function storeOf(endpoint: Query, input: unknown) {
  const key = keyOf(endpoint, input)
  const fetcher = async () => {
    begun.add(key)
    let answer: unknown
    // The library drops what is asked while it fetches, and would keep an answer from before it for a minute.
    for (let round = 0; round < ROUNDS; round++) {
      const before = asked.get(endpoint)
      answer = await call(endpoint, input as never)
      if (before === asked.get(endpoint)) break
    }
    return answer
  }
  const store = stores.get(key) ?? createStore([key], { fetcher })
  stores.set(key, store)
  return store
}

/**
 * What the server answers to a GET, kept fresh for 60 s and cached for 300 s. `false` for the input asks nothing yet.
 * `retry` asks again. An answer stays until the next one is there, however long that takes and whatever goes wrong meanwhile: `loading`
 * and `error` speak of a screen that has nothing to show yet, so that none takes away what somebody reads or types in.
 */
export function useQuery<K extends Query>(endpoint: K, input?: CallInput<K> | false): QueryResult<Reply<K>> & { retry: () => void } {
  const key = input === false ? '' : keyOf(endpoint, input)
  const store = input === false || onServer ? nothing : storeOf(endpoint, input)
  const answer = useStore(store as typeof nothing) as QueryResult<Reply<K>>
  // The library drops an answer that is older than its cache, or that failed to come anew, when it is asked for again.
  const shown = useRef<{ key: string; data?: Reply<K> }>({ key })
  if (shown.current.key !== key || answer.data !== undefined) shown.current = { key, data: answer.data }
  const page = usePreloadedPage()
  // Until the library has it, too.
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
/** Asks again for every shown answer of these calls. Ends when they came, or did not: a command that waits for it keeps its button busy until what follows is shown. */
export async function refetchQueries(...endpoints: Query[]) {
  for (const e of endpoints) asked.set(e, (asked.get(e) ?? 0) + 1)
  const keys = endpoints.map(e => `${e} `)
  askAgain(keys)
  const its = among(keys)
  await Promise.allSettled([...stores].map(([key, store]) => its(key) && store.value?.promise))
}

/** What was asked again while the page was hidden: the library fetches nothing then, nor when it is seen again. */
const missed = new Set<string>()
globalThis.addEventListener?.('visibilitychange', () => {
  if (document.hidden) return
  const late = among([...missed])
  revalidateKeys(key => late(key) || !begun.has(key))
  missed.clear()
})

// The back button may bring this page as it was left: what was done elsewhere since has to show.
globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && revalidateKeys(() => true))

/** Puts an answer in place before the server gives it. */
export const setQueryData = <K extends Query>(endpoint: K, input: CallInput<K>, data: Reply<K>) => mutateCache(keyOf(endpoint, input), data)
