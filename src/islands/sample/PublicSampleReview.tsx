import { ReviewComparisons } from '../../comparison/ReviewComparisons.tsx'
import { ReviewPlayer } from '../../feedback/ReviewPlayer.tsx'
import { SummaryGradesAndGoals } from '../../feedback/SummaryGradesAndGoals.tsx'
import { sampleFolderId, sampleSession } from './sample-session.ts'

/** The sample review, rendered by the same components that players see. */
export const PublicSampleReview = () => (
  <div className="flex flex-col gap-4 sm:gap-6">
    <div>
      <ReviewPlayer folder={null} session={sampleSession} autoplay />
      <ReviewComparisons folder={sampleFolderId} session={sampleSession} />
    </div>
    <SummaryGradesAndGoals session={sampleSession} />
  </div>
)
