import { useState } from 'react'
import { EventListByDay } from '../../administration/EventListByDay.tsx'
import type { PaymentOrPackageReference } from '../../administration/EventLogEntry.tsx'
import { useEventLogPages } from '../../administration/use-event-log-pages.ts'
import { errorMessage } from '../../client/use-command.ts'
import { FIRST_EVENT_LOG_PAGE_SIZE } from '../../page-load/page-queries.ts'
import { useHydrationSafeTimeZone, usePageLocation } from '../../page-load/preloaded-page-data-context.ts'
import { Button } from '../../ui/button.tsx'
import { ClientOnly } from '../../ui/client-only.tsx'
import { dateFormatter } from '../../ui/date-formatter.ts'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'
import {
  type EventLogFilters,
  filtersToQueryString,
  NO_EVENT_LOG_FILTERS,
  nonEmptyEventLogFilters,
  parseEventLogFilters,
  toEventLogApiQuery,
} from './event-log-filters.ts'

// The filter bar loads after the first paint, because the form library makes up a tenth of this page's scripts.
const EventLogFilterBar = lazyWithRetry(() => import('./EventLogFilterBar.tsx').then(m => ({ default: m.EventLogFilterBar })))

const formatMoment = dateFormatter({ dateStyle: 'medium', timeStyle: 'short' })
const chainHead = ({ position, hash }: { position: string; hash: string }) => `${position}:${hash}`

/** The event log as a readable timeline, grouped by day, with filters, paging and an export. */
export function EventLogPanel({ onMoney }: { onMoney: (of: PaymentOrPackageReference) => void }) {
  const { search } = usePageLocation()
  const timeZone = useHydrationSafeTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const [filters, setFilters] = useState(() => parseEventLogFilters(search))
  const isFiltered = Object.values(filters).some(Boolean)
  const log = useEventLogPages(toEventLogApiQuery(filters), isFiltered ? undefined : FIRST_EVENT_LOG_PAGE_SIZE)
  function narrow(to: EventLogFilters) {
    history.replaceState(history.state, '', `${location.pathname}${filtersToQueryString(nonEmptyEventLogFilters(to))}`)
    setFilters(to)
  }
  return (
    <section aria-labelledby="log" className="flex flex-col gap-4">
      <h2 id="log" className="text-22">
        What happened
      </h2>
      <p className="-mt-3 text-14 text-ink-2">Times are in your time zone, {timeZone}.</p>
      {/* The placeholder is as tall as the form at each screen width, so that the log below does not move. */}
      <ClientOnly fallback={<Skeleton className="h-122 rounded-card! sm:h-101.5 xl:h-40" />}>
        <EventLogFilterBar types={log.types} filters={filters} onChange={narrow} />
      </ClientOnly>
      {!log.events && log.error !== undefined && (
        <ErrorState title="The log did not load" error={errorMessage(log.error)} retry={log.retry} />
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
          title={isFiltered ? 'Nothing matches' : 'Nothing has happened yet'}
          action={
            isFiltered && (
              <Button variant="secondary" onClick={() => narrow(NO_EVENT_LOG_FILTERS)}>
                Show everything
              </Button>
            )
          }
        >
          Everything that happens to folders, payments and requests is recorded here.
        </EmptyState>
      )}
      <EventListByDay events={log.events ?? []} onMoney={onMoney} onNarrow={to => narrow({ ...filters, ...to })} />
      {log.more && log.message && <ErrorState title="The next page did not load" error={log.message} retry={log.more} />}
      {log.more && !log.message && (
        <Button variant="secondary" busy={log.busy} onClick={log.more} className="self-center">
          Older
        </Button>
      )}
      {log.events && log.chain && (
        <p className="text-14 text-ink-2">
          Checksum of the log as of {formatMoment(new Date(log.chain.at), timeZone)}:{' '}
          <code className="wrap-anywhere">{chainHead(log.chain)}</code>. Keep it, and <code>npm run verify-audit</code> can prove later that
          an export holds every event until then, unchanged.
        </p>
      )}
    </section>
  )
}
