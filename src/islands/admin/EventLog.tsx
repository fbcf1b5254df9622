import { useEffect, useRef, useState } from 'react'
import type { AuditEntry } from '../../../modules/audit/contract.ts'
import { call } from '../../client/api.ts'
import { errorMessage } from '../../client/command.ts'
import { groupBy } from '../../client/group-by.ts'
import { Button } from '../../ui/button.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { FilterBar } from './FilterBar.tsx'
import { activeFilters, type Filters, filterQuery, NO_FILTERS, parseFilters, toQueryString } from './filters.ts'
import { LogEntry, type MoneyReference } from './LogEntry.tsx'

const formatDay = dateFormatter({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Loads the log page by page, newest first. Other filters start it again; an answer to a superseded request is dropped. */
function useEventPages(filters: Filters) {
  const [events, setEvents] = useState<AuditEntry[]>()
  const [types, setTypes] = useState<string[]>([])
  const [next, setNext] = useState<string | null>(null)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [turn, setTurn] = useState(0)
  const latest = useRef(0)

  async function load(before?: string) {
    const mine = ++latest.current
    setBusy(true)
    setError(undefined)
    try {
      const page = await call('GET /api/admin/events', { query: { ...filterQuery(filters), ...(before && { before }) } })
      if (mine !== latest.current) return
      setEvents(old => (before ? [...(old ?? []), ...page.events] : page.events))
      setTypes(page.types)
      setNext(page.next)
    } catch (failure) {
      if (mine === latest.current) setError(failure)
    }
    if (mine === latest.current) setBusy(false)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: load reads the filters of this very turn
  useEffect(() => {
    setEvents(undefined)
    load()
  }, [filters, turn])
  return { events, types, next, error, busy, more: () => next && load(next), again: () => setTurn(turn + 1) }
}

/** The event log as a readable timeline, grouped by day, with filters, paging and an export. */
export function EventLog({ onMoney }: { onMoney: (of: MoneyReference) => void }) {
  const [filters, setFilters] = useState(() => parseFilters(location.search))
  const log = useEventPages(filters)
  function narrow(to: Filters) {
    history.replaceState(history.state, '', `${location.pathname}${toQueryString(activeFilters(to))}`)
    setFilters(to)
  }
  const days = groupBy(log.events ?? [], entry => formatDay(new Date(entry.at)))
  return (
    <section aria-labelledby="log" className="flex flex-col gap-4">
      <h2 id="log" className="text-22">
        What happened
      </h2>
      <p className="-mt-3 text-14 text-ink-2">Times are in your time zone, {timeZone()}.</p>
      <FilterBar types={log.types} filters={filters} onChange={narrow} />
      {!log.events && log.error !== undefined && (
        <ErrorState title="The log did not load" error={errorMessage(log.error)} retry={log.again} />
      )}
      {!log.events && log.error === undefined && (
        <LoadingRegion label="Loading the log" className="flex flex-col gap-2">
          {['a', 'b', 'c', 'd'].map(key => (
            <Skeleton key={key} className="h-16" />
          ))}
        </LoadingRegion>
      )}
      {log.events?.length === 0 && (
        <EmptyState
          title={Object.values(filters).some(Boolean) ? 'Nothing matches' : 'Nothing has happened yet'}
          action={
            Object.values(filters).some(Boolean) && (
              <Button variant="secondary" onClick={() => narrow(NO_FILTERS)}>
                Show everything
              </Button>
            )
          }
        >
          Every folder, payment and request writes what happens to it here.
        </EmptyState>
      )}
      {[...days].map(([name, entries]) => (
        <section key={name} aria-label={name}>
          <h3 className="mb-2 text-14 text-ink-2">{name}</h3>
          <ol className="divide-y divide-line rounded-card border border-line bg-paper">
            {entries.map(entry => (
              <LogEntry key={entry.id} entry={entry} onMoney={onMoney} onNarrow={to => narrow({ ...filters, ...to })} />
            ))}
          </ol>
        </section>
      ))}
      {log.events && log.error !== undefined && (
        <ErrorState title="The next page did not load" error={errorMessage(log.error)} retry={log.more as () => void} />
      )}
      {log.next && log.events && log.error === undefined && (
        <Button variant="secondary" busy={log.busy} onClick={log.more} className="self-center">
          Older
        </Button>
      )}
    </section>
  )
}
