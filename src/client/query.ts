import { nanoquery } from '@nanostores/query'
import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { call, type Input, type Reply } from './api.ts'
import type { Api } from './contracts.ts'

const [createStore, , { revalidateKeys, mutateCache }] = nanoquery({
  dedupeTime: 60_000,
  cacheLifetime: 300_000,
  onErrorRetry: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
})

type Query = keyof Api & `GET ${string}`
export interface Answer<T> {
  data?: T
  error?: Error
  loading: boolean
}
const stores = new Map<string, ReturnType<typeof createStore>>()
const nothing = atom<Answer<never>>({ loading: false })
const keyOf = (endpoint: string, input: unknown) => `${endpoint} ${JSON.stringify(input ?? {})}`
/** How often each call was asked again, and the keys that were answered. */
const asked = new Map<string, number>()
const answered = new Set<string>()

function storeOf(endpoint: Query, input: unknown) {
  const key = keyOf(endpoint, input)
  const fetcher = async () => {
    let answer: unknown
    let round: number | undefined
    // The library drops what is asked while it fetches, and would keep an answer from before it for a minute.
    do {
      round = asked.get(endpoint)
      answer = await call(endpoint, input as never)
    } while (round !== asked.get(endpoint))
    answered.add(key)
    return answer
  }
  const store = stores.get(key) ?? createStore([key], { fetcher })
  stores.set(key, store)
  return store
}

/**
 * What the server answers to a GET, kept fresh for 60 s and cached for 300 s. `false` for the input asks nothing yet.
 * `retry` asks again.
 */
export function useQuery<K extends Query>(endpoint: K, input?: Input<K> | false): Answer<Reply<K>> & { retry: () => void } {
  const store = input === false ? undefined : storeOf(endpoint, input)
  const answer = useStore((store ?? nothing) as typeof nothing) as Answer<Reply<K>>
  return { ...answer, retry: () => store?.invalidate() }
}

const among = (endpoints: string[]) => (key: string) => endpoints.some(e => key.startsWith(`${e} `))
/** Asks again for every shown answer of these calls; what is on the screen stays until the new one is there. */
export function refresh(...endpoints: Query[]) {
  for (const e of endpoints) asked.set(e, (asked.get(e) ?? 0) + 1)
  if (document.hidden) for (const e of endpoints) missed.add(e)
  revalidateKeys(among(endpoints))
}

/** What was asked again while the page was hidden: the library fetches nothing then, nor when it is seen again. */
const missed = new Set<string>()
globalThis.addEventListener?.('visibilitychange', () => {
  if (document.hidden) return
  const late = among([...missed])
  revalidateKeys(key => late(key) || !answered.has(key))
  missed.clear()
})

// The back button may bring this page as it was left: what was done elsewhere since has to show.
globalThis.addEventListener?.('pageshow', ({ persisted }) => persisted && revalidateKeys(() => true))

/** Puts an answer in place before the server gives it. */
export const foresee = <K extends Query>(endpoint: K, input: Input<K>, data: Reply<K>) => mutateCache(keyOf(endpoint, input), data)
