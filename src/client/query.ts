import { atom } from 'nanostores'
import { usePreloadedPageData } from '../page-load/preloaded-page-data-context.ts'
import { buildMethodAndPath, type CallInput, callApi, type Reply } from './api.ts'
import type { ApiContracts } from './contracts.ts'
import { type QueryResult, queryStore, refetchMatchingKeys, setCachedData, useSameKeyDataWhileRefetching } from './query-cache.ts'

type Query = keyof ApiContracts & `GET ${string}`
const $noQuery = atom<QueryResult<never>>({ loading: false })
/** During server rendering there are no requests and no stores, because a store would stay in memory as long as the server process. */
const onServer = !globalThis.document
const keyOf = (endpoint: string, input: unknown) => `${endpoint} ${JSON.stringify(input ?? {})}`

/**
 * The response to a GET, fresh for 60 s and cached for 300 s. `retry` fetches again. Old data stays until newer data arrives, even if
 * refetches fail, so that nobody loses what they are reading or typing: `loading` and `error` are set only while there is no data.
 * @param input `false` delays the fetch
 */
export function useQuery<K extends Query>(endpoint: K, input?: CallInput<K> | false): QueryResult<Reply<K>> & { retry: () => void } {
  const key = input === false ? '' : keyOf(endpoint, input)
  const store = input === false || onServer ? $noQuery : queryStore(key, () => callApi(endpoint, input as never))
  const answer = useSameKeyDataWhileRefetching<Reply<K>>(key, store)
  const page = usePreloadedPageData()
  // During server rendering and hydration no store has data yet, so the preloaded response is used.
  const preloaded = input === false ? undefined : (page?.answers[buildMethodAndPath(endpoint, input as object)[1]] as Reply<K> | undefined)
  const retry = () => void refetchMatchingKeys(other => other === key)
  return answer.data === undefined && preloaded !== undefined ? { data: preloaded, loading: false, retry } : { ...answer, retry }
}

/**
 * Refetches the data that the screen shows from these endpoints. Resolves when every fetch has ended, so that a command can keep its button
 * busy until the screen is up to date.
 */
export const refetchQueries = (...endpoints: Query[]): Promise<void> =>
  refetchMatchingKeys(key => endpoints.some(e => key.startsWith(`${e} `)))

/** Puts data into the cache: an optimistic update before the server answers, or what another call has returned. */
export const setQueryData = <K extends Query>(endpoint: K, input: CallInput<K>, data: Reply<K>) =>
  setCachedData(keyOf(endpoint, input), data)
