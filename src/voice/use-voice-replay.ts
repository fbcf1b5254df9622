import type { WritableAtom } from 'nanostores'
import { useEffect, useRef, useState } from 'react'
import type { Session } from '../../modules/folders/contract.ts'
import type { Viewport } from '../drawing/viewport.ts'
import type { VideoPlayer } from '../player/video-player.ts'
import { createDeliveredVoiceUrlLoader } from './delivered-voice-url-loader.ts'
import { createVoiceReplay } from './voice-over-playback.ts'

interface WatchedReview {
  folder: string | null
  session: Session
  player: VideoPlayer
  $view: WritableAtom<Viewport>
  onClip: (video: string, at: { frame: number; play: boolean }) => void
}

/** Replays the voice-overs of a delivered review on its stage. */
export function useVoiceReplay(watched: WatchedReview) {
  const latest = useRef(watched)
  latest.current = watched
  const { player, $view } = watched
  const [replay] = useState(() => {
    const sound = createDeliveredVoiceUrlLoader(() => latest.current)
    return createVoiceReplay({ player, $view, onClip: (video, at) => latest.current.onClip(video, at), sound })
  })
  useEffect(() => () => replay.close(), [replay])
  return replay
}
