import { useEffect, useState } from 'react'
import type { QueuedSession } from '../../../modules/folders/contract.ts'
import { callApi } from '../../client/api.ts'
import { useQuery } from '../../client/query.ts'
import { runWhenIdle } from '../../client/run-when-idle.ts'
import { folderQueryInput } from '../../folders/folder-page-urls-and-query.ts'
import { currentReviewPositionText, reviewsDoneAndMinutesLeft } from '../../folders/instructor-review-progress-and-minutes-left.ts'
import { nextReview } from '../../folders/next-folder-in-instructor-queue.ts'
import { fetchMedia } from '../../player/clip-source.ts'

/** The queue is fetched when the browser is idle or after this time, so that the current review's video loads first. */
const QUEUE_DELAY_MS = 5000

/** Puts the next review's first clip into the browser's cache, which works because signed URLs stay the same for 15 minutes. */
async function prefetchFirstClip({ id, assignment }: QueuedSession, signal: AbortSignal) {
  const { session } = await callApi('GET /api/folders/{folder}', folderQueryInput(id, assignment), { signal })
  const { url, table, state } = session?.clips[0]?.rendition ?? {}
  if (state !== 'ready') return
  for (const address of [table, url]) {
    if (!address) continue
    const reply = await fetchMedia(address, { signal, priority: 'low' })
    await reply.body?.pipeTo(new WritableStream(), { signal })
  }
}

/** The next review in the queue, if any, and the instructor's progress: '8 of 23 · about 48 min', or an empty string. */
interface NextReviewInQueue {
  next: QueuedSession | undefined
  progress: string
}

/** Looks up the next review once the browser is idle, and prefetches its first clip while the instructor writes the current review. */
export function useNextReviewInQueue(session: string): NextReviewInQueue {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => void runWhenIdle(() => setIsIdle(true), { timeout: QUEUE_DELAY_MS }), [])
  const { data } = useQuery('GET /api/queue', isIdle ? undefined : false)
  const next = data && nextReview(data.folders, session)
  const assignment = next?.assignment
  // biome-ignore lint/correctness/useExhaustiveDependencies: each fetch of the queue creates new objects for the same review
  useEffect(() => {
    if (!next) return
    const controller = new AbortController()
    // A failed prefetch needs no message, because the clip will load when the instructor opens that review.
    prefetchFirstClip(next, controller.signal).catch(() => {})
    return () => controller.abort()
  }, [assignment])
  return { next, progress: data ? currentReviewPositionText(reviewsDoneAndMinutesLeft(data, Date.now())) : '' }
}
