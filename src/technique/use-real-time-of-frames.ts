import { useEffect, useState } from 'react'
import type { FrameTimeline } from '../../modules/media/frames.ts'
import { needsFrameTable, realTimeOfFrames } from '../../modules/progress/real-time-of-frames.ts'
import { fetchTimeline, type VideoPlayerClip } from '../player/clip-source.ts'

/**
 * Returns a function that converts a frame of a clip to milliseconds of real time; null until the frame table is loaded, or if the real
 * time is unknown.
 */
export function useRealTimeOfFrames(clip: VideoPlayerClip | undefined): ((frame: number) => number) | null {
  const [times, setTimes] = useState<{ id: string; at: FrameTimeline }>()
  const media = clip?.media ?? null
  const needed = !!clip && needsFrameTable({ media }) && times?.id !== clip.id
  useEffect(() => {
    if (!needed || !clip) return
    const unmounted = new AbortController()
    fetchTimeline(clip, unmounted.signal).then(
      at => at && setTimes({ id: clip.id, at }),
      // Without the frame table, intervals show a dash.
      () => {},
    )
    return () => unmounted.abort()
  }, [needed, clip])
  return realTimeOfFrames({ media, times: times?.id === clip?.id ? times?.at : null })
}
