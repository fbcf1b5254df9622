import { useStore } from '@nanostores/react'
import { Suspense, useEffect } from 'react'
import type { Folder, QueuedSession, Session } from '../../../modules/folders/contract.ts'
import { skillsReviewedOnClip } from '../../../modules/reviews/policy.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { goToMissingReviewPart } from './go-to-missing-review-part.ts'
import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'
import type { StudioVoice } from './voice/studio-voice.ts'

const DeliverDialog = lazyWithRetry(() => import('./DeliverDialog.tsx').then(m => ({ default: m.DeliverDialog })))
const AlreadyDeliveredDialog = lazyWithRetry(() =>
  import('./AlreadyDeliveredDialog.tsx').then(m => ({ default: m.AlreadyDeliveredDialog })),
)
const DeclineDialog = lazyWithRetry(() => import('./DeclineDialog.tsx').then(m => ({ default: m.DeclineDialog })))
const SessionGoneDialog = lazyWithRetry(() => import('./SessionGoneDialog.tsx').then(m => ({ default: m.SessionGoneDialog })))
const PhrasesDialog = lazyWithRetry(() => import('./phrases/PhrasesDialog.tsx').then(m => ({ default: m.PhrasesDialog })))
const ShortcutsDialog = lazyWithRetry(() => import('./ShortcutsDialog.tsx').then(m => ({ default: m.ShortcutsDialog })))

/** Renders the dialog that is open in the studio, if any. */
export function StudioDialogs({
  studio,
  folder,
  session,
  drawing,
  studioVoice,
  next,
  onDelivered,
}: {
  studio: StudioStore
  folder: Folder
  session: Session
  drawing: StudioDrawing
  studioVoice: StudioVoice
  /** The next review in the queue; undefined if none is waiting. */
  next: QueuedSession | undefined
  onDelivered: () => void
}) {
  const requested = useStore(studio.$dialog)
  const isDelivered = !!session.review || !!session.delivery?.until
  const dialog = isDelivered && requested === 'deliver' ? 'already-delivered' : requested
  useEffect(() => {
    if (isDelivered) studio.$dialog.set('already-delivered')
  }, [isDelivered, studio])
  const isGone = useStore(studio.autosavedDraft.$isSessionGone)
  useEffect(() => {
    if (isGone) studio.$dialog.set('nothing-to-review')
  }, [isGone, studio])
  const clips = useStore(studio.$clips)
  const onClose = () => studio.$dialog.set(undefined)
  async function onDeclined() {
    studio.autosavedDraft.forget()
    await studioVoice.voices.forget()
  }
  /** The first discipline that the current clip shows according to the draft; undefined if there is none. */
  function skillOfClip() {
    const clip = studio.$clip.get()
    return clip && [...skillsReviewedOnClip(clip, studio.autosavedDraft.$draft.get())][0]
  }
  return (
    <Suspense fallback={null}>
      {dialog === 'deliver' && (
        <DeliverDialog
          {...{ folder, clips, next, onClose, onDelivered }}
          session={session.id}
          autosavedDraft={studio.autosavedDraft}
          voices={studioVoice.voices}
          onGo={place => goToMissingReviewPart(place, studio, drawing)}
        />
      )}
      {dialog === 'already-delivered' && <AlreadyDeliveredDialog {...{ folder, session, onClose }} />}
      {dialog === 'decline' && <DeclineDialog {...{ folder, session, onClose, onDeclined }} />}
      {dialog === 'nothing-to-review' && <SessionGoneDialog {...{ folder, session, onClose }} />}
      {dialog === 'phrases' && <PhrasesDialog skill={skillOfClip()} onClose={onClose} />}
      {dialog === 'help' && <ShortcutsDialog onClose={onClose} />}
    </Suspense>
  )
}
