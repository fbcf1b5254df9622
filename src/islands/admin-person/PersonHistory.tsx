import { EventListByDay } from '../../administration/EventListByDay.tsx'
import type { PaymentOrPackageReference } from '../../administration/EventLogEntry.tsx'
import { useEventLogPages } from '../../administration/use-event-log-pages.ts'
import { errorMessage } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

/** What a person did and what happened to them, newest first; each event can also be read as raw JSON from the log. */
export function PersonHistory({ person, onMoney }: { person: string; onMoney: (of: PaymentOrPackageReference) => void }) {
  const { events, error, retry, busy, more, message } = useEventLogPages({ person })
  return (
    <section aria-labelledby="history" className="mt-10 flex flex-col gap-4">
      <h2 id="history" className="text-22">
        What happened
      </h2>
      {!events && error === undefined && (
        <LoadingRegion label="Loading the history" className="flex flex-col gap-2">
          {['a', 'b', 'c'].map(key => (
            <Skeleton key={key} className="h-16" />
          ))}
        </LoadingRegion>
      )}
      {events?.length === 0 && (
        <EmptyState title="Nothing has happened yet">What this person does, and what happens to them, appears here.</EmptyState>
      )}
      <EventListByDay events={events ?? []} onMoney={onMoney} />
      {error !== undefined && <ErrorState title="The history did not load" error={errorMessage(error)} retry={retry} />}
      {more && message && <ErrorState title="The next page did not load" error={message} retry={more} />}
      {more && !message && (
        <Button variant="secondary" busy={busy} onClick={more} className="self-center">
          Older
        </Button>
      )}
    </section>
  )
}
