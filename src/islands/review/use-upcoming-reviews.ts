import { useEffect, useState } from 'react'
import type { QueuedSession } from '../../../modules/folders/contract.ts'
import { call } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { whenIdle } from '../../client/when-idle.ts'
import { nextReview } from '../../folders/next-review.ts'
import { queuePositionText, queueProgress } from '../../folders/queue-progress.ts'
import { folderRequest } from '../../folders/urls.ts'
import { fetchMedia } from '../../player/source.ts'

/** The queue is asked for this long after the studio opened, at the latest, in ms: the review's own video goes first. */
const QUEUE_DELAY_MS = 5000

/** Puts the first clip of a review into the browser's cache: signed URLs stay the same for a quarter of an hour. */
async function prefetchFirstClip({ id, assignment }: QueuedSession, signal: AbortSignal) {
  const { session } = await call('GET /api/folders/{folder}', folderRequest(id, assignment), { signal })
  const { url, table, state } = session?.clips[0]?.rendition ?? {}
  if (state !== 'ready') return
  for (const address of [table, url]) {
    if (!address) continue
    const reply = await fetchMedia(address, { signal, priority: 'low' })
    await reply.body?.pipeTo(new WritableStream(), { signal })
  }
}

/** What an instructor's queue says beside a review: the one that follows, if any, and '8 of 23 · about 48 min'. */
export interface UpcomingReviews {
  next: QueuedSession | undefined
  progress: string
}

/** Looks up what follows this review once the studio stands, and loads the first clip of the next while this one is written. */
export function useUpcomingReviews(session: string): UpcomingReviews {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => void whenIdle(() => setIsIdle(true), { timeout: QUEUE_DELAY_MS }), [])
  const { data } = useQuery('GET /api/queue', isIdle ? undefined : false)
  const next = data && nextReview(data.folders, session)
  const assignment = next?.assignment
  // biome-ignore lint/correctness/useExhaustiveDependencies: the queue is fetched anew with other objects for the same review.
  useEffect(() => {
    if (!next) return
    const controller = new AbortController()
    // Only a convenience: without it the next clip loads when its studio opens.
    prefetchFirstClip(next, controller.signal).catch(() => {})
    return () => controller.abort()
  }, [assignment])
  return { next, progress: data ? queuePositionText(queueProgress(data.folders, Date.now())) : '' }
}
