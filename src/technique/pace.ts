import { useEffect, useState } from 'react'
import type { Video } from '../../modules/folders/contract.ts'
import type { Timeline } from '../../modules/media/frames.ts'
import { needsTable, realTime } from '../../modules/progress/pace.ts'
import { type Clip, fetchTimeline } from '../player/source.ts'

/** Milliseconds of real time at each frame of a clip; null until that is known, or where nobody knows it. */
export function useRealTime(clip: Clip | undefined): ((frame: number) => number) | null {
  const [times, setTimes] = useState<{ id: string; at: Timeline }>()
  const media = clip?.media ?? null
  const needed = !!clip && needsTable({ media }) && times?.id !== clip.id
  useEffect(() => {
    if (!needed || !clip) return
    const over = new AbortController()
    fetchTimeline(clip, over.signal).then(
      at => at && setTimes({ id: clip.id, at }),
      // A dash stands for what is not known.
      () => {},
    )
    return () => over.abort()
  }, [needed, clip])
  return realTime({ media, times: times?.id === clip?.id ? times?.at : null })
}

const rounded = (rate: number) => `${Math.round(rate * 100) / 100}`

/** How fast a clip was filmed, and who says so. */
export function paceOf({ media }: Pick<Video, 'media'>): string {
  if (!media) return 'How fast it was filmed shows here once the video is prepared.'
  if (media.captureRate) {
    const { rate, by } = media.captureRate
    return `Filmed at ${rounded(rate)} frames a second, ${by === 'person' ? 'as set by hand' : 'as the camera noted'}.`
  }
  if (media.variable || !media.rate) return 'Its frame rate varies, so times are those of the file.'
  return `Filmed at ${rounded(media.rate[0] / media.rate[1])} frames a second, the file says.`
}
