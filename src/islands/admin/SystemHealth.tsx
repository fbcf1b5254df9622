import { CircleCheck, OctagonAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { callApi, type Reply } from '../../client/api.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { toast } from '../../ui/toast.ts'
import { ExpandableRow } from './ExpandableRow.tsx'
import { OverviewCardPlaceholder } from './OverviewCardPlaceholder.tsx'

/**
 * What has stopped working, with buttons to retry: streams that a read model or process has parked because of a failing event, and errands
 * that the outbox has given up on. Also shows each reader's position in the log.
 */
export function SystemHealth() {
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, retry } = useQuery('GET /api/admin/state')
  if (!data) return <OverviewCardPlaceholder error={error} retry={retry} className="h-36.75" />
  const behind = data.followers.filter(f => f.parked.count)
  const stopped = data.followers.filter(f => f.logEnd !== null)
  const problemCount = behind.reduce((sum, f) => sum + f.parked.count, data.errands.length + stopped.length)
  // The pressed button is about to disappear, so the focus moves to the heading.
  const onResolved = (title: string) => {
    heading.current?.focus()
    toast({ title })
  }
  return (
    <section aria-labelledby="works" className="overflow-hidden rounded-card border border-line bg-paper">
      <h2 id="works" ref={heading} tabIndex={-1} className="flex items-center gap-2 p-4 text-16">
        {problemCount ? (
          <OctagonAlert aria-hidden="true" size={20} strokeWidth={1.75} className="text-red" />
        ) : (
          <CircleCheck aria-hidden="true" size={20} strokeWidth={1.75} className="text-field" />
        )}
        {problemCount ? (problemCount === 1 ? '1 thing has stopped' : `${problemCount} things have stopped`) : 'Everything is running'}
      </h2>
      {problemCount > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {stopped.length > 0 && <StaleLogNotice stopped={stopped} />}
          {behind.map(f => (
            <ParkedStreams key={f.name} follower={f} onLifted={onResolved} />
          ))}
          {data.errands.map(errand => (
            <FailedErrand key={errand.id} errand={errand} onLifted={onResolved} />
          ))}
        </ul>
      )}
      <a href="/admin/system" className="link flex min-h-11 items-center border-t border-line px-4 text-14">
        System in four numbers
      </a>
      <ExpandableRow summary={`${data.followers.length} read models and processes`}>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-1 px-4 pb-4 text-14 sm:grid-cols-4">
          {data.followers.map(f => (
            <div key={f.name} className="flex justify-between gap-2">
              <dt className="truncate text-ink-2">{f.name}</dt>
              <dd>{f.position}</dd>
            </div>
          ))}
        </dl>
      </ExpandableRow>
    </section>
  )
}

type SystemState = Reply<'GET /api/admin/state'>

/**
 * The log ends before a reader's position, as happens after a backup was restored. A retry cannot help: the read models must be rebuilt.
 */
function StaleLogNotice({ stopped }: { stopped: SystemState['followers'] }) {
  return (
    <li className="p-4">
      <p className="font-medium">The log is older than the read models</p>
      <p className="text-14 text-ink-2">
        This happens after a backup is restored. The readers listed here have stopped, and their screens do not change until someone runs{' '}
        <code>npm run rebuild</code> on the server, which reads the whole log again.
      </p>
      <p className="mt-2 text-14 wrap-anywhere text-ink-2">{stopped.map(f => f.name).join(', ')}</p>
    </li>
  )
}

/** The streams that one reader has parked while it continues with all others. A retry has the same result as a rebuild. */
function ParkedStreams({ follower, onLifted }: { follower: SystemState['followers'][number]; onLifted: (title: string) => void }) {
  const { name, parked, rebuilding } = follower
  const { run, busy, message } = useCommand()
  const [outcome, setOutcome] = useState<string>()
  const retry = async () => {
    setOutcome(undefined)
    await run(async () => {
      const { done, parked: left } = await callApi('POST /api/admin/followers/{follower}/retry', { params: { follower: name } })
      setOutcome(!done ? 'This takes a while and finishes by itself.' : left ? 'It failed again.' : undefined)
      if (done && !left) onLifted(`${name} is complete again`)
    })
    refetchQueries('GET /api/admin/state')
  }
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-medium">
          {name} has parked {parked.count === 1 ? '1 stream' : `${parked.count} streams`}
        </p>
        <Button variant="secondary" size="sm" busy={busy} onClick={retry} aria-label={`Try again: ${name}`}>
          Try again
        </Button>
      </div>
      <p role="status" className="text-14 text-ink-2">
        {message ?? outcome ?? (rebuilding === null ? '' : 'It is being rebuilt.')}
      </p>
      <ul>
        {parked.streams.map(({ stream, position, type, event, error, at }) => (
          <li key={stream} className="mt-2 text-14 wrap-anywhere text-ink-2">
            <span className="text-ink">
              {stream}, {type} at position {position}
            </span>
            <br />
            {error}
            <br />
            Event {event} · <RelativeTime at={at} />
          </li>
        ))}
      </ul>
      {parked.count > parked.streams.length && <p className="mt-2 text-14 text-ink-2">And {parked.count - parked.streams.length} more.</p>}
    </li>
  )
}

/** An errand that the outbox has given up on; a retry succeeds if the cause has been fixed since. */
function FailedErrand({ errand, onLifted }: { errand: SystemState['errands'][number]; onLifted: (title: string) => void }) {
  const { id, kind, attempts, error, at } = errand
  const { run, busy, message } = useCommand()
  const [again, setAgain] = useState(false)
  const retry = async () => {
    setAgain(false)
    await run(async () => {
      const { state } = await callApi('POST /api/admin/errands/{errand}/retry', { params: { errand: id } })
      if (state === 'failed') setAgain(true)
      else onLifted(state === 'done' ? `${kind} is done` : `${kind} will be tried again by itself`)
    })
    refetchQueries('GET /api/admin/state')
  }
  return (
    <li className="flex items-start justify-between gap-3 p-4">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {kind} given up after {attempts === 1 ? '1 try' : `${attempts} tries`}
        </p>
        <p role="status" className="text-14 text-ink-2">
          {message ?? (again && 'It failed again.')}
        </p>
        <p className="text-14 wrap-anywhere text-ink-2">
          {error} · <RelativeTime at={at} />
        </p>
      </div>
      <Button variant="secondary" size="sm" busy={busy} onClick={retry} className="shrink-0" aria-label={`Try again: ${kind}`}>
        Try again
      </Button>
    </li>
  )
}
