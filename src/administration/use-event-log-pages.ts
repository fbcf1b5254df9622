import { useRef } from 'react'
import { type CallInput, callApi, type Reply } from '../client/api.ts'
import { useQuery } from '../client/query.ts'
import { useMorePages } from '../client/use-more-pages.ts'

type EventFilter = Omit<CallInput<'GET /api/admin/events'>['query'], 'before' | 'limit'>

const EVENTS_PER_PAGE = 50

const pageOf = ({ events, next }: Reply<'GET /api/admin/events'>) => ({ rows: events, next })

/**
 * The events of the log that match a filter, newest first, page by page. `more` is undefined after the last page.
 * @param atFirst the number of events on the first page
 */
export function useEventLogPages(filter: EventFilter, atFirst = EVENTS_PER_PAGE) {
  const { data, error, retry } = useQuery('GET /api/admin/events', { query: { ...filter, limit: atFirst } })
  const { rows: events, ...paging } = useMorePages({
    first: data && pageOf(data),
    load: async before => pageOf(await callApi('GET /api/admin/events', { query: { ...filter, limit: EVENTS_PER_PAGE, before } })),
    keyOf: event => event.id,
    list: JSON.stringify(filter),
  })
  // The event types in a reply are the same for every filter. Keep them while a new filter loads, because the filter form shows them.
  const types = useRef<string[]>([])
  if (data) types.current = data.types
  return { events, types: types.current, chain: data?.chain, error, retry, ...paging }
}
