import { useState } from 'react'
import { callApi, type Reply } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'
import { useCommand } from '../../client/use-command.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

type SystemState = Reply<'GET /api/admin/state'>

/**
 * Lists everything that has stopped, with a button to retry wherever a retry can help.
 * @param onResolved called after a retry that has not failed; `title` says what works again or will be tried again later
 */
export function StoppedWorkList({ state, onResolved }: { state: SystemState; onResolved: (title: string) => void }) {
  const behind = state.followers.filter(f => f.parked.count)
  const stopped = state.followers.filter(f => f.logEnd !== null)
  return (
    <ul className="divide-y divide-line border-t border-line">
      {stopped.length > 0 && <StaleLogNotice stopped={stopped} />}
      {behind.map(f => (
        <ParkedStreams key={f.name} follower={f} onResolved={onResolved} />
      ))}
      {state.errands.map(errand => (
        <FailedErrand key={errand.id} errand={errand} onResolved={onResolved} />
      ))}
    </ul>
  )
}

/**
 * The log ends before a reader's position, as happens after a backup has been restored. A retry cannot help: the read models must be
 * rebuilt.
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

/**
 * The streams that one reader has parked while it continues with all others. A retry rebuilds a read model from the whole log; a process
 * retries only its parked streams.
 */
function ParkedStreams({ follower, onResolved }: { follower: SystemState['followers'][number]; onResolved: (title: string) => void }) {
  const { name, parked, rebuilding } = follower
  const { run, busy, message } = useCommand()
  const [outcome, setOutcome] = useState<string>()
  const retry = async () => {
    setOutcome(undefined)
    await run(async () => {
      const { done, parked: left } = await callApi('POST /api/admin/followers/{follower}/retry', { params: { follower: name } })
      setOutcome(!done ? 'This takes a while and finishes by itself.' : left ? 'It failed again.' : undefined)
      if (done && !left) onResolved(`${name} is complete again`)
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
function FailedErrand({ errand, onResolved }: { errand: SystemState['errands'][number]; onResolved: (title: string) => void }) {
  const { id, kind, attempts, error, at } = errand
  const { run, busy, message } = useCommand()
  const [again, setAgain] = useState(false)
  const retry = async () => {
    setAgain(false)
    await run(async () => {
      const { state } = await callApi('POST /api/admin/errands/{errand}/retry', { params: { errand: id } })
      if (state === 'failed') setAgain(true)
      else onResolved(state === 'done' ? `${kind} is done` : `${kind} will be tried again by itself`)
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
