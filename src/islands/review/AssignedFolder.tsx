import { Suspense, useState } from 'react'
import type { Folder, Session } from '../../../modules/folders/contract.ts'
import { FEEDBACK_TIME } from '../../../modules/folders/policy.ts'
import { useCommand } from '../../client/command.ts'
import { isNotFound } from '../../client/not-found.ts'
import { refetchQueries } from '../../client/query.ts'
import { sendCommand } from '../../client/send-command.ts'
import { FolderVideos } from '../../clips/FolderVideos.tsx'
import { NEXT_STEP_LAYOUT } from '../../folders/page-layouts.ts'
import { currentReadMarks, declinedMark } from '../../folders/read-marks.ts'
import { folderRequest } from '../../folders/urls.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { FieldError } from '../../ui/field.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ReviewHeader } from './ReviewHeader.tsx'

const DeclineDialog = lazyWithRetry(() => import('./DeclineDialog.tsx').then(m => ({ default: m.DeclineDialog })))

/** The pressed button is gone, so the message gets the focus. */
const focusElement = (place: HTMLElement | null) => place?.focus()

/** An assigned folder whose review has not begun: the instructor looks at it, then starts or declines. */
export function AssignedFolder({ folder, session }: { folder: Folder; session: Session }) {
  const [declining, setDeclining] = useState(false)
  const start = useCommand()
  const first = folder.player.name.split(' ')[0]
  if (isNotFound(start.error)) {
    const declined = currentReadMarks().includes(declinedMark(session.id))
    return (
      <>
        <ReviewHeader folder={folder} />
        <div ref={focusElement} tabIndex={-1} className="page py-16 outline-none">
          <ErrorState
            title={declined ? 'You have declined this folder' : `${first} took this folder back`}
            error="There is nothing left to review. Your queue has the folders that wait for you."
            action={<ButtonLink href="/instructor/dashboard">Your queue</ButtonLink>}
          />
        </div>
      </>
    )
  }
  return (
    <>
      <ReviewHeader folder={folder} />
      <div className={cx('page py-4 sm:py-6', NEXT_STEP_LAYOUT.all)}>
        <section className={cx('flex flex-col gap-4 rounded-card border border-line bg-paper p-4 sm:p-6', NEXT_STEP_LAYOUT.step)}>
          <h2 className="text-22">{first} asks for your feedback</h2>
          {session.message && <p className="wrap-anywhere whitespace-pre-line">“{session.message}”</p>}
          <p className="text-14 text-ink-2">
            Assigned <RelativeTime at={session.assigned} />. Players count on feedback within {FEEDBACK_TIME}. Until you start, {first} can
            still take it back.
          </p>
          <Button
            size="lg"
            wide
            busy={start.busy}
            onClick={async () => {
              await start.run(async () => {
                await sendCommand('POST /api/folders/{folder}/review', folderRequest(folder.id, session.id))
                await refetchQueries('GET /api/folders/{folder}')
              })
            }}
          >
            Start the review
          </Button>
          <Button variant="quiet" onClick={() => setDeclining(true)}>
            Decline
          </Button>
          <FieldError id="start-error" error={start.message} />
        </section>
        <div className={NEXT_STEP_LAYOUT.videos}>
          <FolderVideos folder={folder.id} clips={session.clips} />
        </div>
      </div>
      {declining && (
        <Suspense fallback={null}>
          <DeclineDialog folder={folder} session={session} onClose={() => setDeclining(false)} />
        </Suspense>
      )}
    </>
  )
}
