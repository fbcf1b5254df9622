import type { WritableAtom } from 'nanostores'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Session } from '../../modules/folders/contract.ts'
import type { Voice } from '../../modules/reviews/contract.ts'
import type { View } from '../drawing/view.ts'
import { renewing } from '../folders/fresh-urls.ts'
import type { Player } from '../player/player.ts'
import { led } from './led.ts'
import { createReplay } from './replay.ts'

interface Watched {
  folder: string | null
  session: Session
  player: Player
  $view: WritableAtom<View>
  onClip: (video: string, at: { frame: number; play: boolean }) => void
}

/** Whoever plays a voice-over that was just delivered waits so long for its preparation, which takes seconds. */
const PREPARATION_PATIENCE_MS = 60_000
const PREPARATION_POLL_MS = 1000

/** Voice-overs of a review that was delivered: its video follows them. `hands` is the player for whoever touches the stage meanwhile. */
export function useListening(watched: Watched) {
  const latest = useRef(watched)
  latest.current = watched
  const { player, $view } = watched
  const [replay] = useState(() => {
    /** Addresses that were given out: one that is asked for again has run out. */
    const given = new Set<string>()
    const told = (id: string) => latest.current.session.voices.find(v => v.id === id)?.url ?? undefined
    const isBeingPrepared = (id: string) => latest.current.session.voices.some(v => v.id === id && v.url === null)
    const sound = async ({ id, video }: Voice): Promise<string> => {
      const known = told(id)
      if (known && !given.has(known)) {
        given.add(known)
        return known
      }
      // With fresh addresses of the videos come those of the voices.
      const { folder, session } = latest.current
      const renew = async () => {
        await renewing(folder, session.id)(video)
        // React hands the answer to this screen in a later task.
        return new Promise<string | undefined>(done => setTimeout(() => done(told(id))))
      }
      let fresh = await renew()
      for (const giveUp = Date.now() + PREPARATION_PATIENCE_MS; isBeingPrepared(id) && Date.now() < giveUp; fresh = await renew()) {
        await new Promise(done => setTimeout(done, PREPARATION_POLL_MS))
      }
      if (isBeingPrepared(id)) throw new Error('This voice-over is being prepared. Try again in a moment.')
      if (!fresh) throw new Error('This voice-over does not load right now. Check your connection and try again.')
      given.add(fresh)
      return fresh
    }
    return createReplay({ player, $view, onClip: (video, at) => latest.current.onClip(video, at), sound })
  })
  const hands = useMemo(() => led(player, replay), [player, replay])
  useEffect(() => () => replay.close(), [replay])
  return { replay, hands }
}
