import { useEffect } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import { refresh } from '../client/query.ts'

/** How often a screen asks how far a video has come, ms. */
const AGAIN = 2000

export const underWay = ({ rendition }: Pick<Video, 'rendition'>) => rendition?.state === 'waiting' || rendition?.state === 'preparing'

/** It came a moment ago, and nobody has put it in line for its preparation yet; for at most so long, ms. */
const SOON = 60_000
export const comesUp = ({ rendition, added }: Pick<Video, 'rendition' | 'added'>) => !rendition && Date.now() - Date.parse(added) < SOON

/** Asks again for as long as something is being prepared, so that it is seen without a reload. */
export function useProgress(endpoint: 'GET /api/folders/{folder}' | 'GET /api/queue' | 'GET /api/folders', preparing: boolean) {
  useEffect(() => {
    if (!preparing) return
    const timer = setInterval(() => refresh(endpoint), AGAIN)
    return () => clearInterval(timer)
  }, [endpoint, preparing])
}

/** 'Preparing, 40 %', or what comes before it. */
export const progressOf = ({ state, progress }: NonNullable<Video['rendition']>) =>
  state === 'preparing' && progress > 0 ? `Preparing, ${Math.floor(progress * 100)} %` : 'Preparing'

/** On the original while one watches it: that the better one is coming. It takes no room of its own. */
export const Preparing = ({ clip }: { clip: Video }) =>
  underWay(clip) ? (
    <p className="absolute top-2 left-2 rounded-full bg-shade px-3 py-1 text-13 font-medium text-ink tabular-nums">
      {progressOf(clip.rendition!)}
      <span className="max-sm:hidden"> · exact frames come with it</span>
    </p>
  ) : null
