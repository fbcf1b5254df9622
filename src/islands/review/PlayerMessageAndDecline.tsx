import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { TYPICAL_FEEDBACK_TIME } from '../../../modules/folders/policy.ts'
import { refetchQueries } from '../../client/query.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { StudioStore } from './studio-store.ts'

/**
 * Whether the review has begun. The server begins it on the first save; this screen counts it as begun on the first change, and refetches
 * the folder after the save.
 */
function useHasBegun({ autosavedDraft }: StudioStore, session: Session) {
  const [hasChanged, setHasChanged] = useState(false)
  const state = useStore(autosavedDraft.$saveState)
  const isAssigned = session.status === 'assigned'
  useEffect(() => {
    if (state === 'typing' || state === 'saving' || state === 'retrying') setHasChanged(true)
    if (state === 'saved' && hasChanged && isAssigned) void refetchQueries('GET /api/folders/{folder}')
  }, [state, hasChanged, isAssigned])
  return hasChanged || !isAssigned
}

/** The player's message and, until the delivery, a button to decline. Until the review begins, also the time of the assignment. */
export function PlayerMessageAndDecline({ studio, folder, session }: { studio: StudioStore; folder: Folder; session: Session }) {
  const first = folder.player.name.split(' ')[0]!
  const hasBegun = useHasBegun(studio, session)
  const isDelivered = !!session.review || !!session.delivery?.until
  const onDecline = () => studio.$dialog.set('decline')
  if (hasBegun && isDelivered && !session.message) return null
  return (
    <section aria-label={`What ${first} asks for`} className="mb-4 flex flex-col gap-2 rounded-field bg-ink-wash p-3">
      {session.message && (
        <p>
          <span className="block text-13 font-medium text-ink-2">Message from {first}</span>
          <span className="wrap-anywhere whitespace-pre-line">{session.message}</span>
        </p>
      )}
      {hasBegun ? (
        !isDelivered && (
          <Button variant="quiet" size="sm" className="-mx-3 self-start" onClick={onDecline}>
            Decline this folder
          </Button>
        )
      ) : (
        <div className="flex items-start gap-3">
          <p className="flex-1 text-13 text-ink-2">
            Assigned <RelativeTime at={session.assigned} />. Players count on feedback within {TYPICAL_FEEDBACK_TIME}. The review starts
            with the first thing you add, and {first} sees that. Until then, {first} can still take it back.
          </p>
          <Button variant="secondary" size="sm" onClick={onDecline}>
            Decline
          </Button>
        </div>
      )}
    </section>
  )
}
