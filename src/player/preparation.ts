import { useEffect } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { refetchQueries } from '../client/query.ts'

const REFRESH_INTERVAL_MS = 2000

export const isBeingPrepared = ({ rendition }: Pick<Video, 'rendition'>) =>
  rendition?.state === 'waiting' || rendition?.state === 'preparing'

/** A video that was added less than so long ago may still be queued for its preparation. */
const QUEUEING_GRACE_MS = 60_000
/** Whether the server has had no time yet to queue a new video for its preparation. */
export const isAboutToBePrepared = ({ rendition, added }: Pick<Video, 'rendition' | 'added'>) =>
  !rendition && Date.now() - Date.parse(added) < QUEUEING_GRACE_MS

/** Whether its reader waits for the rendition: it is on its way, or not queued yet where there is no original to watch meanwhile. */
export const isRenditionAwaited = (clip: Pick<Video, 'url' | 'rendition'>) =>
  isBeingPrepared(clip) || (clip.url === null && !clip.rendition)

/** Refreshes a query for as long as a video is being prepared, so that its rendition shows up without a reload. */
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

/** 'Preparing, 40%', or 'Preparing' where it waits for its turn. */
export const preparationLabel = ({ state, progress }: NonNullable<Video['rendition']>) =>
  state === 'preparing' && progress > 0 ? `Preparing, ${Math.floor(progress * 100)}%` : 'Preparing'
