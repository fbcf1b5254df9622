import { ArchiveRestore, MessageSquareText, Replace, Send, Undo2 } from 'lucide-react'
import { type ReactNode, Suspense, useEffect } from 'react'
import type { ApprovalRequest, Folder } from '../../../modules/folders/contract.ts'
import { APPROVAL_LAPSE_REASONS } from '../../../modules/folders/event-sentences.ts'
import { MAX_VIDEOS_PER_SESSION, TYPICAL_FEEDBACK_TIME } from '../../../modules/folders/policy.ts'
import { formatCents } from '../../../modules/format-cents-and-counts.ts'
import { isGuardianConsentMissing } from '../../accounts/guardian-consent-polling.ts'
import type { User } from '../../client/login-session.ts'
import { refetchQueries } from '../../client/query.ts'
import { FOLDER_STEPS, nextFolderStepIndex } from '../../folders/folder-status.tsx'
import { markAsRead } from '../../folders/read-marks.ts'
import { BasesStepper } from '../../ui/bases-stepper.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { NoticeBox } from '../../ui/notice-box.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useOneClickFolderActions } from './use-one-click-folder-actions.ts'

const MissingConsentCard = lazyWithRetry(() =>
  import('../../accounts/MissingConsentCard.tsx').then(m => ({ default: m.MissingConsentCard })),
)

const UnavailableInstructors = lazyWithRetry(() =>
  import('./UnavailableInstructors.tsx').then(m => ({ default: m.UnavailableInstructors })),
)

const icon = { size: 20, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The poll interval while the guardian has not answered. */
const ANSWER_POLL_MS = 4000

function useAnswerOfGuardian(isPending: boolean) {
  useEffect(() => {
    if (!isPending) return
    const refetch = () => document.hidden || refetchQueries('GET /api/folders/{folder}')
    const timer = setInterval(refetch, ANSWER_POLL_MS)
    return () => {
      clearInterval(timer)
      // Refetches once more: the read model of requests may be ahead of that of sessions, so the new session may still be missing.
      setTimeout(refetch, ANSWER_POLL_MS)
    }
  }, [isPending])
}

/** Why the last request to the guardian was not approved. */
const UnapprovedNotice = ({ approval: { status, reason } }: { approval: ApprovalRequest }) => (
  <NoticeBox
    icon={MessageSquareText}
    title={status === 'declined' ? 'Your parent or guardian said no this time' : 'Your request to your parent or guardian has ended'}
  >
    <span className="block whitespace-pre-line">
      {status === 'declined'
        ? reason
        : `It ended because ${APPROVAL_LAPSE_REASONS[reason ?? ''] ?? 'it no longer applied'}. You can ask again.`}
    </span>
  </NoticeBox>
)

/** The folder's progress, and what its player does next. */
export function NextStep({ folder, user, onAssign }: { folder: Folder; user: User; onAssign: () => void }) {
  const { perform, busy } = useOneClickFolderActions(folder)
  const { declined, approval } = folder
  useAnswerOfGuardian(approval?.status === 'pending')
  useEffect(() => {
    if (declined) markAsRead(declined.assignment)
  }, [declined])
  const name = folder.instructor?.name ?? 'your instructor'
  const assigned = folder.story.findLast(c => c.type === 'FolderAssigned')
  const isRefused = folder.unseen > 0 && ['open', 'assigned', 'in-review'].includes(folder.status)
  const takeBack = (
    <Button variant="secondary" busy={busy} icon={<Undo2 {...icon} />} onClick={() => perform('withdraw')}>
      Take it back
    </Button>
  )
  let body: ReactNode
  let action: ReactNode
  if (folder.status === 'archived') {
    body = 'This folder is archived.'
    action = (
      <Button busy={busy} icon={<ArchiveRestore {...icon} />} onClick={() => perform('restore')}>
        Restore
      </Button>
    )
  } else if (isRefused) {
    const isOne = folder.unseen === 1
    body = (
      <span className="text-ink">
        <strong className="block font-medium text-red">
          {folder.unseen === folder.videos
            ? isOne
              ? 'Your video cannot be played'
              : 'None of your videos can be played'
            : `${isOne ? 'One of your videos' : `${folder.unseen} of your videos`} cannot be played`}
        </strong>
        {isOne ? 'Replace it' : 'Replace them'},{' '}
        {folder.status === 'open' ? 'then pick an instructor' : `so that ${name} can review ${isOne ? 'it' : 'them'}`}. Nothing is charged
        for a video that nobody can watch.
      </span>
    )
    action = (
      <>
        <ButtonLink size="lg" wide href="#refused-video" icon={<Replace {...icon} />}>
          {isOne ? 'Replace the video' : 'Replace the videos'}
        </ButtonLink>
        {(folder.status === 'assigned' || approval?.status === 'pending') && takeBack}
      </>
    )
  } else if (folder.status === 'assigned') {
    body = (
      <>
        {name} got it {assigned && <RelativeTime at={assigned.at} />}. Feedback usually takes {TYPICAL_FEEDBACK_TIME}, and we will email you
        when it is here. Until the review starts, you can take it back.
      </>
    )
    action = takeBack
  } else if (folder.status === 'in-review') {
    body = `${name} is reviewing it now. We will email you when the feedback is here.`
  } else if (approval?.status === 'pending') {
    body = (
      <>
        You asked your parent or guardian <RelativeTime at={approval.asked} />: {formatCents(approval.quote.total)}, never more than{' '}
        {formatCents(approval.quote.atMost)}, to {approval.instructor.name}. We have emailed them, and you will see their answer here.
      </>
    )
    action = takeBack
  } else if (folder.status === 'open' && folder.videos === 0) {
    body = `Add up to ${MAX_VIDEOS_PER_SESSION} videos of what you are working on. From the side and at belt height works best.`
  } else if (isGuardianConsentMissing(user)) {
    body =
      folder.status === 'paid'
        ? 'Your feedback stays here. You can ask for another look once your parent or guardian agrees.'
        : `Your ${folder.videos === 1 ? 'video is' : 'videos are'} here. You can choose who should review ${folder.videos === 1 ? 'it' : 'them'} once your parent or guardian agrees.`
    action = (
      <Suspense fallback={<Skeleton className="h-40" />}>
        <MissingConsentCard embedded />
      </Suspense>
    )
  } else {
    body =
      folder.status === 'paid'
        ? 'Add what you have worked on since, or ask for another look.'
        : `Your ${folder.videos === 1 ? 'video is' : 'videos are'} here. Choose who should review ${folder.videos === 1 ? 'it' : 'them'}.`
    action = (
      <>
        <Button size="lg" wide icon={<Send {...icon} />} onClick={onAssign}>
          {folder.status === 'paid' ? 'Assign a follow-up' : 'Assign to an instructor'}
        </Button>
        {/* Adults may assign to a pending instructor, and `AssignDialog` tells them about a suspended one. */}
        {user.guardian !== null && (
          <Suspense>
            <UnavailableInstructors />
          </Suspense>
        )}
      </>
    )
  }
  return (
    <Card className="flex flex-col gap-4">
      {folder.status !== 'archived' && <BasesStepper steps={FOLDER_STEPS} step={nextFolderStepIndex(folder)} done="Reviewed and paid" />}
      {declined && (
        <NoticeBox
          icon={MessageSquareText}
          title={declined.cause ? 'Your folder was returned' : `${declined.by.name} could not review it this time`}
        >
          <span className="block whitespace-pre-line">{declined.reason}</span>
        </NoticeBox>
      )}
      {approval && approval.status !== 'pending' && <UnapprovedNotice approval={approval} />}
      <p aria-live="polite" className="text-ink-2">
        {body}
      </p>
      {action}
    </Card>
  )
}
