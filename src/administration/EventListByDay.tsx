import type { AdminEventLogEntry } from '../../modules/audit/contract.ts'
import { groupBy } from '../client/group-by.ts'
import { useHydrationSafeTimeZone } from '../page-load/preloaded-page-data-context.ts'
import { dateFormatter } from '../ui/date-formatter.ts'
import { EventLogEntry, type PaymentOrPackageReference } from './EventLogEntry.tsx'

const formatDay = dateFormatter({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })

/** Events as sentences, grouped by day. */
export function EventListByDay({
  events,
  onMoney,
  onNarrow,
}: {
  events: AdminEventLogEntry[]
  onMoney: (of: PaymentOrPackageReference) => void
  onNarrow?: (to: { actor: string } | { stream: string }) => void
}) {
  const timeZone = useHydrationSafeTimeZone()
  const days = groupBy(events, entry => formatDay(new Date(entry.at), timeZone))
  return [...days].map(([name, entries]) => (
    <section key={name} aria-label={name}>
      <h3 className="mb-2 text-14 text-ink-2">{name}</h3>
      <ol className="divide-y divide-line rounded-card border border-line bg-paper">
        {entries.map(entry => (
          <EventLogEntry key={entry.id} entry={entry} onMoney={onMoney} onNarrow={onNarrow} />
        ))}
      </ol>
    </section>
  ))
}
