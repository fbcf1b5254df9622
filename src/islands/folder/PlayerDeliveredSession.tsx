import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { useEffect, useMemo, useState } from 'react'
import type { Folder, VideoMoment } from '../../../modules/folders/contract.ts'
import { isGuardianConsentMissing } from '../../accounts/guardian-consent-polling.ts'
import type { User } from '../../client/login-session.ts'
import { refetchQueries, useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ReviewComparisons } from '../../comparison/ReviewComparisons.tsx'
import { SessionZipDownloadCard } from '../../download/SessionZipDownloadCard.tsx'
import { FollowUpQuestion } from '../../feedback/FollowUpQuestion.tsx'
import { focusQuestion, useStageJump } from '../../feedback/jump-to-stage-moment.ts'
import { RatingCard } from '../../feedback/RatingCard.tsx'
import { ReviewPlayer } from '../../feedback/ReviewPlayer.tsx'
import { GradesAndGoals, SummaryAndNextGoal } from '../../feedback/SummaryGradesAndGoals.tsx'
import { LazyReviewVideoCard } from '../../feedback/share/LazyReviewVideoCard.tsx'
import { ReviewLinksButtonCard } from '../../feedback/share/ReviewLinksButtonCard.tsx'
import { reviewPlaylistOf } from '../../feedback/watch/review-playlist.ts'
import { WatchButton } from '../../feedback/watch/WatchButton.tsx'
import { createWatchButtonConnection } from '../../feedback/watch/watch-button-connection.ts'
import { FolderStory } from '../../folders/FolderStory.tsx'
import { sessionPath } from '../../folders/folder-page-urls-and-query.ts'
import { LAYOUT_WITH_FEEDBACK } from '../../folders/page-layouts.ts'
import { feedbackReadMark, markAsRead, reviewWatchedMark, useReadMarks } from '../../folders/read-marks.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { GuardianPaysBillNotice } from '../../payments/GuardianPaysBillNotice.tsx'
import { PayPanel } from '../../payments/PayPanel.tsx'
import { SettledPayment } from '../../payments/SettledPayment.tsx'
import { StickyPayBar } from '../../payments/StickyPayBar.tsx'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Read models lag behind: the bill follows shortly after the feedback, and the paid status after the payment, so this screen polls. */
const POLL_MS = 1500

/** A session with feedback: the player watches and reads it, asks a question, and pays. `next` is shown once the bill is paid. */
export function PlayerDeliveredSession({
  folder,
  session,
  user,
  next,
  children,
}: {
  folder: Folder
  session: ReviewedSession
  user: User
  next: ReactNode
  children: ReactNode
}) {
  const billing = useQuery('GET /api/billing')
  const listed = billing.data?.payments.find(p => p.id === session.id)
  const open = session.status === 'feedback-given'
  // `GET /api/billing` returns only the latest settled payments.
  const isSettledLongAgo = !open && !!billing.data && !listed
  const single = useQuery('GET /api/payments/{payment}', isSettledLongAgo ? { params: { payment: session.id } } : false)
  const payment = listed ?? single.data
  const isBillPending = open && billing.data && !payment
  const { retry } = billing
  const isFolderStale = open && payment?.status === 'paid'
  useEffect(() => {
    if (!isBillPending && !isFolderStale) return
    const timer = setInterval(isBillPending ? retry : () => refetchQueries('GET /api/folders/{folder}'), POLL_MS)
    return () => clearInterval(timer)
  }, [isBillPending, isFolderStale, retry])

  useEffect(() => markAsRead(feedbackReadMark(session.id)), [session.id])

  const { jump, show } = useStageJump()
  const [watch] = useState(createWatchButtonConnection)
  const { milliseconds } = useMemo(() => reviewPlaylistOf(session), [session])
  const readMarks = useReadMarks()
  const isFinished = useStore(watch.$isFinished)
  useEffect(() => {
    if (isFinished) markAsRead(reviewWatchedMark(session.id))
  }, [isFinished, session.id])
  const wasWatched = isFinished || readMarks.includes(reviewWatchedMark(session.id))
  const [about, setAbout] = useState<VideoMoment>()
  const isConsentMissing = isGuardianConsentMissing(user)
  const canBeAsked = (session.instructorStatus ?? 'active') === 'active'
  const mayAsk = !session.question && folder.status !== 'archived' && !isConsentMissing && canBeAsked
  const ask = (moment: VideoMoment) => {
    setAbout(moment)
    focusQuestion()
  }

  const isMinor = user.guardian !== null
  const settled = payment && !['due', 'failed', 'processing'].includes(payment.status)
  return (
    <div className={LAYOUT_WITH_FEEDBACK.all}>
      <div className={LAYOUT_WITH_FEEDBACK.summary}>
        <WatchButton {...{ session, watch, milliseconds }} />
        <SummaryAndNextGoal session={session} />
      </div>
      <div className={LAYOUT_WITH_FEEDBACK.stage}>
        <ReviewPlayer folder={folder.id} session={session} watch={watch} jump={jump} {...(mayAsk && { onAsk: ask })} />
        <ReviewComparisons folder={folder.id} session={session} />
      </div>
      <div className={LAYOUT_WITH_FEEDBACK.more}>
        <GradesAndGoals session={session} progress="/player/progress" />
        <FollowUpQuestion
          folder={folder.id}
          session={session}
          readOnly={folder.status === 'archived'}
          needsConsent={isConsentMissing}
          about={about}
          onShow={show}
        />
        {children}
      </div>
      <div className={LAYOUT_WITH_FEEDBACK.aside}>
        {payment && !settled && isMinor && <GuardianPaysBillNotice payment={payment} />}
        {payment && !settled && !isMinor && (
          <PayPanel key={payment.id} payment={payment} cards={billing.data!.cards} back={sessionPath('player', folder.id, session.id)} />
        )}
        {payment && settled && <SettledPayment payment={payment} />}
        {open && !payment && !billing.error && <Skeleton className="h-96" />}
        {open && !payment && billing.error && (
          <ErrorState title="The price did not load" error={errorMessage(billing.error)} retry={retry} />
        )}
        {!open && next}
        <RatingCard folder={folder.id} session={session} viewer="player" isNamed={!isMinor} needsConsent={isConsentMissing} />
        {!isMinor && <ReviewLinksButtonCard sharer={{ is: 'player', folder: folder.id, session: session.id }} />}
        <LazyReviewVideoCard requester={{ is: 'member', folder: folder.id, session: session.id }} session={session} />
        <SessionZipDownloadCard folder={folder} session={session} />
        <FolderStory folder={folder} viewer="player" you={user.id} />
      </div>
      {/* The feedback comes first, so the sticky pay bar appears only after the player has watched it. */}
      {payment && !settled && !isMinor && !payment.isOwedByAnother && wasWatched && <StickyPayBar payment={payment} />}
    </div>
  )
}
