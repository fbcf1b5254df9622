import { useMemo, useState } from 'react'
import { ReviewComparisons } from '../../comparison/ReviewComparisons.tsx'
import { ReviewPlayer } from '../../feedback/ReviewPlayer.tsx'
import { GradesAndGoals, SummaryAndNextGoal } from '../../feedback/SummaryGradesAndGoals.tsx'
import { reviewPlaylistOf } from '../../feedback/watch/review-playlist.ts'
import { WatchButton } from '../../feedback/watch/WatchButton.tsx'
import { createWatchButtonConnection } from '../../feedback/watch/watch-button-connection.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { SharedReviewVideoDownloadButton } from './SharedReviewVideoDownloadButton.tsx'

/** A review as shown by its private link: without the conversation between player and instructor. `player`: the player's first name. */
export function SharedReviewContent({ player, session }: { player: string; session: ReviewedSession }) {
  const [watch] = useState(createWatchButtonConnection)
  const { milliseconds } = useMemo(() => reviewPlaylistOf(session), [session])
  return (
    <div className="page flex flex-col gap-4 pb-8 sm:gap-6">
      <PageHeader title={`${player}’s review`} about={`${session.instructor.name} looked at ${player}’s videos and answered.`} />
      <WatchButton {...{ session, watch, milliseconds }} />
      <SummaryAndNextGoal session={session} />
      <div className="min-w-0">
        <ReviewPlayer folder={null} session={session} watch={watch} />
        <ReviewComparisons folder={session.id} session={session} />
      </div>
      <GradesAndGoals session={session} />
      <SharedReviewVideoDownloadButton />
      <p className="text-14 text-ink-2">
        Only people who have this link can see this page. Please share it only with the family’s consent.
      </p>
    </div>
  )
}
