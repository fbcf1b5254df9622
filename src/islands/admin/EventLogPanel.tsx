import { useMemo, useState } from 'react'
import type { PaymentOrPackageReference } from '../../administration/EventLogEntry.tsx'
import { EventsByDay } from '../../administration/EventsByDay.tsx'
import { useEventPages } from '../../administration/use-event-pages.ts'
import { errorMessage } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import { EventLogFilterBar } from './EventLogFilterBar.tsx'
import {
  activeEventLogFilters,
  type EventLogFilters,
  eventLogApiQuery,
  filtersToQueryString,
  NO_EVENT_LOG_FILTERS,
  parseEventLogFilters,
} from './event-log-filters.ts'

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const formatMoment = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' })
const chainHead = ({ position, hash }: { position: string; hash: string }) => `${position}:${hash}`

/** The event log as a readable timeline, grouped by day, with filters, paging and an export. */
export function EventLogPanel({ onMoney }: { onMoney: (of: PaymentOrPackageReference) => void }) {
  const [filters, setFilters] = useState(() => parseEventLogFilters(location.search))
  const query = useMemo(() => eventLogApiQuery(filters), [filters])
  const log = useEventPages(query)
  function narrow(to: EventLogFilters) {
    history.replaceState(history.state, '', `${location.pathname}${filtersToQueryString(activeEventLogFilters(to))}`)
    setFilters(to)
  }
  return (
    <section aria-labelledby="log" className="flex flex-col gap-4">
      <h2 id="log" className="text-22">
        What happened
      </h2>
      <p className="-mt-3 text-14 text-ink-2">Times are in your time zone, {timeZone()}.</p>
      <EventLogFilterBar types={log.types} filters={filters} onChange={narrow} />
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
              <Button variant="secondary" onClick={() => narrow(NO_EVENT_LOG_FILTERS)}>
                Show everything
              </Button>
            )
          }
        >
          Everything that happens to folders, payments and requests is recorded here.
        </EmptyState>
      )}
      <EventsByDay events={log.events ?? []} onMoney={onMoney} onNarrow={to => narrow({ ...filters, ...to })} />
      {log.events && log.error !== undefined && (
        <ErrorState title="The next page did not load" error={errorMessage(log.error)} retry={log.more as () => void} />
      )}
      {log.next && log.events && log.error === undefined && (
        <Button variant="secondary" busy={log.busy} onClick={log.more} className="self-center">
          Older
        </Button>
      )}
      {log.events && log.chain && (
        <p className="text-14 text-ink-2">
          Checksum of the log as of {formatMoment(new Date(log.chain.at))}: <code className="wrap-anywhere">{chainHead(log.chain)}</code>.
          Keep it, and <code>npm run verify-audit</code> can prove later that an export holds every event until then, unchanged.
        </p>
      )}
    </section>
  )
}
