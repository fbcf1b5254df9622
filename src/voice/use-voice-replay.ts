import type { WritableAtom } from 'nanostores'
import { useEffect, useRef, useState } from 'react'
import type { Session } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import type { Viewport } from '../drawing/viewport.ts'
import { createUrlRenewer } from '../folders/video-url-renewer.ts'
import type { VideoPlayer } from '../player/video-player.ts'
import { createVoiceReplay } from './voice-replay.ts'

interface WatchedReview {
  folder: string | null
  session: Session
  player: VideoPlayer
  $view: WritableAtom<Viewport>
  onClip: (video: string, at: { frame: number; play: boolean }) => void
}

/** The server prepares a newly delivered voice-over within seconds; the replay waits for it this long. */
const PREPARATION_TIMEOUT_MS = 60_000
const PREPARATION_POLL_MS = 1000

/** Replays the voice-overs of a delivered review on its stage. */
export function useVoiceReplay(watched: WatchedReview) {
  const latest = useRef(watched)
  latest.current = watched
  const { player, $view } = watched
  const [replay] = useState(() => {
    /** Signed URLs that the audio element has already received. If the replay requests the sound again, the URL has expired. */
    const usedUrls = new Set<string>()
    const knownUrl = (id: string) => latest.current.session.voices.find(v => v.id === id)?.url ?? undefined
    const isBeingPrepared = (id: string) => latest.current.session.voices.some(v => v.id === id && v.url === null)
    const sound = async ({ id, video }: Voice): Promise<string> => {
      const known = knownUrl(id)
      if (known && !usedUrls.has(known)) {
        usedUrls.add(known)
        return known
      }
      // The request that renews the URLs of the videos also renews those of the voice-overs.
      const { folder, session } = latest.current
      const renew = async () => {
        await createUrlRenewer(folder, session.id)(video)
        // React renders the response, which updates `latest`, in a later task.
        return new Promise<string | undefined>(done => setTimeout(() => done(knownUrl(id))))
      }
      let fresh = await renew()
      for (const giveUp = Date.now() + PREPARATION_TIMEOUT_MS; isBeingPrepared(id) && Date.now() < giveUp; fresh = await renew()) {
        await new Promise(done => setTimeout(done, PREPARATION_POLL_MS))
      }
      if (isBeingPrepared(id)) throw new Error('This voice-over is being prepared. Try again in a moment.')
      if (!fresh) throw new Error('This voice-over does not load right now. Check your connection and try again.')
      usedUrls.add(fresh)
      return fresh
    }
    return createVoiceReplay({ player, $view, onClip: (video, at) => latest.current.onClip(video, at), sound })
  })
  useEffect(() => () => replay.close(), [replay])
  return replay
}
