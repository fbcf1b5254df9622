import { useEffect, useMemo, useState } from 'react'
import type { Comparison } from '../../../modules/reviews/contract.ts'
import { ComparisonCanvas } from '../../comparison/ComparisonCanvas.tsx'
import { labeledClipsOfComparison, labeledClipsOfReview } from '../../comparison/labeled-clips.ts'
import { createSyncedComparison } from '../../comparison/synced-comparison.ts'
import { renewSignedUrls } from '../../folders/renew-signed-urls.ts'
import type { ReviewedSession } from '../../folders/reviewed-session.ts'
import type { ReviewPlayback } from './review-playback.ts'

/** A comparison on the stage while the review plays. It has no controls, because the stage's own controls play the review. */
export function StageComparison({
  playback,
  session,
  comparison,
}: {
  playback: ReviewPlayback
  session: ReviewedSession
  comparison: Comparison
}) {
  const [comparer] = useState(createSyncedComparison)
  const shown = useMemo(() => ({ ...comparer, toggle: playback.toggle }), [comparer, playback])
  const { sides, mode, stretch, onionSkin } = comparison
  useEffect(() => comparer.setPlan({ sides, mode, stretch, onionSkin }), [comparer, sides, mode, stretch, onionSkin])
  useEffect(() => playback.attachComparer(comparer), [playback, comparer])
  // The pair is looked up in the session rather than in the playlist, because the URLs of the clips may have been renewed since.
  const pair = labeledClipsOfComparison(comparison, labeledClipsOfReview('', session))
  if (!pair) return null
  return <ComparisonCanvas comparer={shown} onRenew={renewSignedUrls} {...{ pair, sides, mode }} />
}
