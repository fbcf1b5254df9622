import { useState } from 'react'
import type { Video } from '../../../modules/folders/contract.ts'
import type { Comparison } from '../../../modules/reviews/contract.ts'
import { errorMessage } from '../../client/command.ts'
import { useQuery } from '../../client/query.ts'
import { ComparisonPlayer } from '../../comparison/ComparisonPlayer.tsx'
import { sessionLabel } from '../../comparison/named-clips.ts'
import { folderRequest } from '../../folders/urls.ts'
import type { Shown } from '../../progress/story.ts'
import { ErrorState } from '../../ui/empty-and-error-states.tsx'
import { LoadingRegion, Skeleton } from '../../ui/skeleton.tsx'

const named = (clip: Video, { session }: Shown) => ({ clip, folder: session.folder, label: sessionLabel(session.name, session.given) })
const side = ({ session, video }: Shown, origin: number) => ({ folder: session.folder, video, origin, offset: 0, scale: 1 })

/** A session's video with its addresses. */
function useClip({ session, video }: Shown) {
  const { data, error, retry } = useQuery('GET /api/folders/{folder}', folderRequest(session.folder, session.id))
  return { clip: data?.session?.clips.find(c => c.id === video), gone: data !== undefined, error, retry }
}

/** Two swings beside each other on one clock, synced where both have the same position, else on their beginnings. */
export function Compared({ first, newest, origins }: { first: Shown; newest: Shown; origins: [number, number] }) {
  const [before, now] = [useClip(first), useClip(newest)]
  const [comparison] = useState<Comparison>({
    ...{ id: first.session.id, title: '', mode: 'side', stretch: false },
    sides: [side(first, origins[0]), side(newest, origins[1])],
  })
  if (before.clip && now.clip)
    return <ComparisonPlayer comparison={comparison} pair={[named(before.clip, first), named(now.clip, newest)]} />
  const failed = [before, now].find(q => q.error)
  if (failed) return <ErrorState title="The swings did not load" error={errorMessage(failed.error!)} retry={failed.retry} />
  if (before.gone && now.gone) return <ErrorState title="One of these swings is not there anymore" />
  return (
    <LoadingRegion label="Loading both swings">
      <Skeleton className="aspect-video w-full" />
    </LoadingRegion>
  )
}
