import { useStore } from '@nanostores/react'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Folder, QueuedSession, Video } from '../../../modules/folders/contract.ts'
import { ApiError } from '../../client/api.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { useCommand } from '../../client/use-command.ts'
import type { AutosavingDraftStore } from '../../draft/autosaved-draft.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { sortNotes } from '../../folders/notes.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/field.tsx'
import { formatMillisecondsAsClock } from '../../ui/format-duration-and-size.ts'
import type { DraftVoiceOvers } from '../../voice/draft-voice-overs.ts'
import { leaveStudioAfterDelivery } from './leave-delivered-session.ts'
import { describeReviewContents, findMissingReviewParts } from './review-completeness.ts'
import { readStudioResumePoint } from './studio-resume-point.ts'

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/**
 * Asks for confirmation before delivering a review, and lists the missing parts; only a `needed` part blocks the delivery. Closing the
 * dialog while the draft and its voice-overs are still being saved cancels the delivery; while the delivery is being sent, the dialog
 * stays open. Afterwards the browser opens the next waiting review or the queue; that page offers to undo the delivery until it is final.
 */
export function DeliverDialog({
  folder,
  session,
  autosavedDraft,
  voices,
  clips,
  next,
  onClose,
  onGo,
  onDelivered,
}: {
  folder: Folder
  session: string
  autosavedDraft: AutosavingDraftStore
  voices: DraftVoiceOvers
  clips: Video[]
  /** The next review in the queue; undefined if none is waiting. */
  next: QueuedSession | undefined
  onClose: () => void
  /** Goes to a `place` of a `MissingReviewPart`. */
  onGo: (chosenPlace: string) => void
  onDelivered: () => void
}) {
  const draft = useStore(autosavedDraft.$draft)
  const deliver = useCommand()
  /** The place chosen with "Go there", which opens once the dialog has closed. */
  const chosenPlace = useRef<string>(undefined)
  const [opened] = useState(() => readStudioResumePoint(session).opened)
  const [destination, setDestination] = useState<'queue' | 'next'>()
  const isCanceled = useRef(false)
  /** Whether the delivery is being sent to the server. It can no longer be canceled, only undone afterwards. */
  const [isSending, setSending] = useState(false)
  const close = () => {
    isCanceled.current = true
    onClose()
  }
  const missingParts = findMissingReviewParts(draft, clips, opened)
  const ready = !missingParts.some(m => m.is === 'needed')
  const first = folder.player.name.split(' ')[0]!

  const deliverTo = (to: 'queue' | 'next') => {
    setDestination(to)
    return deliver.run(async () => {
      await autosavedDraft.save()
      // Undoing the delivery, or a refusal once it is due, brings back the draft that the server has. A permanently refused draft goes on:
      // the delivery's refusal says why.
      if (autosavedDraft.$saveState.get() === 'retrying') {
        const advice = autosavedDraft.$problem.get() ?? 'Check your connection and deliver again.'
        throw new Error(`Your latest changes are not saved yet. ${advice}`)
      }
      const notUploaded = await voices.uploadRemaining()
      if (notUploaded)
        throw new Error(
          `Your voice-over of ${formatMillisecondsAsClock(notUploaded.milliseconds)} is not uploaded yet. Check your connection and deliver again.`,
        )
      if (isCanceled.current) return
      const { goals, checkpoints, ...draft } = autosavedDraft.$draft.get()
      const goalsWithText = goals?.filter(g => g.text.trim())
      // Positions found by sound and not confirmed by the instructor are left out.
      const set = checkpoints?.filter(c => c.by === 'hand')
      const body = {
        ...draft,
        summary: draft.summary.trim(),
        // The notes are sent in the order in which the screen shows them, because the server names a refused note by its number.
        notes: sortNotes(draft.notes, clips).map(n => ({ ...n, text: n.text.trim() })),
        ...(goalsWithText?.length && { goals: goalsWithText }),
        ...(set?.length && { checkpoints: set }),
      }
      let undoMs: number
      setSending(true)
      try {
        undoMs = (await sendCommand('POST /api/folders/{folder}/delivery', { ...folderQueryInput(folder.id, session), body })).undoMs
      } catch (error) {
        setSending(false)
        // The review may have been delivered elsewhere. If so, the studio opens `AlreadyDeliveredDialog` once the folder is refetched.
        if (error instanceof ApiError && error.status === 409) await refetchQueries('GET /api/folders/{folder}')
        if (error instanceof ApiError && error.status === 422)
          throw new Error(`${error.message.replace(/\.$/, '')}. Correct it and deliver again.`)
        throw error
      }
      autosavedDraft.forget()
      await voices.forget()
      onDelivered()
      await leaveStudioAfterDelivery({ folder: folder.id, session, player: first, undoMs }, to, `${first} is getting your feedback now.`)
      // The instructor is back on this page, for example with the Back button, although the session has been delivered.
      location.reload()
    })
  }

  return (
    <Dialog
      open
      stays={isSending}
      onOpenChange={open => open || close()}
      onClosed={() => chosenPlace.current && onGo(chosenPlace.current)}
      title={ready ? `Deliver to ${first}?` : 'Not quite ready'}
      about={ready ? `${describeReviewContents(draft)}. You cannot change it after delivery.` : 'Still missing:'}
      footer={
        ready ? (
          <>
            <Button variant="quiet" disabled={isSending} onClick={close}>
              Keep working
            </Button>
            <Button
              variant={next ? 'secondary' : 'primary'}
              busy={deliver.busy && destination === 'queue'}
              onClick={() => deliverTo('queue')}
            >
              Deliver feedback
            </Button>
            {next && (
              <Button busy={deliver.busy && destination === 'next'} onClick={() => deliverTo('next')}>
                Deliver and next
              </Button>
            )}
          </>
        ) : (
          <Button onClick={close}>Keep working</Button>
        )
      }
    >
      <ul className="flex flex-col gap-5">
        {missingParts.map(m => (
          <li key={m.text} className="flex gap-2">
            {m.is === 'needed' ? (
              <CircleAlert {...icon} className="mt-0.5 shrink-0 text-red" />
            ) : (
              <Info {...icon} className={cx('mt-0.5 shrink-0', m.is === 'expected' ? 'text-gold' : 'text-sky')} />
            )}
            <span className={cx(m.is === 'needed' && 'font-medium')}>
              {m.text}{' '}
              {m.place && (
                <button
                  type="button"
                  className="link -my-3 inline-flex min-h-11 items-center"
                  disabled={isSending}
                  onClick={() => {
                    chosenPlace.current = m.place
                    close()
                  }}
                >
                  Go there
                </button>
              )}
            </span>
          </li>
        ))}
        {!missingParts.length && (
          <li className="flex gap-2">
            <CircleCheck {...icon} className="mt-0.5 shrink-0 text-field" />
            Nothing is missing.
          </li>
        )}
      </ul>
      <div className="mt-4">
        <FormError>{deliver.message}</FormError>
      </div>
    </Dialog>
  )
}
