import { useState } from 'react'
import type { Video } from '../../../modules/folders/contract.ts'
import type { Comparison } from '../../../modules/reviews/contract.ts'
import { useQuery } from '../../client/query.ts'
import { errorMessage } from '../../client/use-command.ts'
import { ComparisonPlayer } from '../../comparison/ComparisonPlayer.tsx'
import { sessionLabel } from '../../comparison/labeled-clips.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import type { SessionVideo } from '../../progress/progress-series.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const namedClipOf = (clip: Video, { session }: SessionVideo) => ({
  clip,
  folder: session.folder,
  label: sessionLabel(session.name, session.given),
})
const side = ({ session, video }: SessionVideo, origin: number) => ({ folder: session.folder, video, origin, offset: 0, scale: 1 })

/** Fetches a session's video with fresh signed URLs. */
function useClip({ session, video }: SessionVideo) {
  const { data, error, retry } = useQuery('GET /api/folders/{folder}', folderQueryInput(session.folder, session.id))
  return { clip: data?.session?.clips.find(c => c.id === video), isLoaded: data !== undefined, error, retry }
}

/** Two videos played side by side on a shared clock, aligned on the frames in `origins`. */
export function FirstAndNewestComparison({
  first,
  newest,
  origins,
}: {
  first: SessionVideo
  newest: SessionVideo
  origins: [number, number]
}) {
  const [before, now] = [useClip(first), useClip(newest)]
  const [comparison] = useState<Comparison>({
    id: first.session.id,
    title: '',
    mode: 'side',
    stretch: false,
    sides: [side(first, origins[0]), side(newest, origins[1])],
  })
  if (before.clip && now.clip)
    return <ComparisonPlayer comparison={comparison} pair={[namedClipOf(before.clip, first), namedClipOf(now.clip, newest)]} />
  const failed = [before, now].find(q => q.error)
  if (failed) return <ErrorState title="The videos did not load" error={errorMessage(failed.error!)} retry={failed.retry} />
  // Both sessions have loaded, and at least one of them no longer has its clip.
  if (before.isLoaded && now.isLoaded) return <ErrorState title="One of these videos was deleted" />
  return (
    <LoadingRegion label="Loading both videos">
      <Skeleton className="aspect-video w-full" />
    </LoadingRegion>
  )
}
