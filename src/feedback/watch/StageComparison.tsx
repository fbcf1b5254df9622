import { useEffect, useMemo, useState } from 'react'
import type { Comparison } from '../../../modules/reviews/contract.ts'
import { ComparisonCanvas } from '../../comparison/ComparisonCanvas.tsx'
import { labeledClipsOfComparison, labeledClipsOfReview } from '../../comparison/labeled-clips.ts'
import { createSyncedComparison } from '../../comparison/synced-comparison.ts'
import { renewAllSignedUrlsOfPage } from '../../folders/renew-all-signed-urls-of-page.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
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
  // The pair comes from the session, because the clips' URLs may have been renewed since the playlist was built.
  const pair = labeledClipsOfComparison(comparison, labeledClipsOfReview('', session))
  if (!pair) return null
  return <ComparisonCanvas comparer={shown} onRenew={renewAllSignedUrlsOfPage} {...{ pair, sides, mode }} />
}
