import { useEffect } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { refetchQueries } from '../client/query.ts'

const REFRESH_INTERVAL_MS = 2000

/** Whether the rendition of a video is being made or waiting in the queue. */
export const isBeingPrepared = ({ rendition }: Pick<Video, 'rendition'>) =>
  rendition?.state === 'waiting' || rendition?.state === 'preparing'

/** A video that was added less than this long ago may not be queued for preparation yet. */
const QUEUEING_GRACE_MS = 60_000
/** Whether a video is so new that the server may not have queued its preparation yet. */
export const mayNotBeQueuedYet = ({ rendition, added }: Pick<Video, 'rendition' | 'added'>) =>
  !rendition && Date.now() - Date.parse(added) < QUEUEING_GRACE_MS

/**
 * Whether the viewer is waiting for the rendition: it is being prepared, or it is not queued yet and the viewer may not watch the original
 * in the meantime.
 */
export const isRenditionAwaited = (clip: Pick<Video, 'url' | 'rendition'>) =>
  isBeingPrepared(clip) || (clip.url === null && !clip.rendition)

/** Refetches a query while a video is being prepared, so that its rendition appears without a reload. */
export function useRefreshWhilePreparing(
  endpoint: 'GET /api/folders/{folder}' | 'GET /api/family/folders/{folder}' | 'GET /api/queue' | 'GET /api/folders',
  isPreparing: boolean,
) {
  useEffect(() => {
    if (!isPreparing) return
    const timer = setInterval(() => refetchQueries(endpoint), REFRESH_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [endpoint, isPreparing])
}

/** 'Preparing, 40%', or 'Preparing' until there is any progress, such as while the video waits in the queue. */
export const preparationLabel = ({ state, progress }: NonNullable<Video['rendition']>) =>
  state === 'preparing' && progress > 0 ? `Preparing, ${Math.floor(progress * 100)}%` : 'Preparing'
