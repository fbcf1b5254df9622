import { createPlayer } from './player.ts'
import type { Clip } from './source.ts'

/** A frame that does not come within so long, ms, does not come at all. */
const PATIENCE = 20_000

/** Frames of one clip, shown to nobody, to be drawn from. */
export interface Frames {
  /**
   * The <video> once it shows this frame.
   * @returns null where this browser does not show it, or whoever asked has gone
   */
  show(at: { frame?: number | undefined; at: number }): Promise<{ video: HTMLVideoElement; frame: number } | null>
  end(): void
}

/** `renew` gives the clip fresh addresses, as for every player; `signal` ends all waiting. */
export function framesOf(clip: Clip, renew: (video: string) => Promise<Clip>, signal?: AbortSignal): Frames {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  // Or what is drawn from an original could not be read.
  video.crossOrigin = 'anonymous'
  video.setAttribute('aria-hidden', 'true')
  // Some engines decode only what stands in the page.
  video.className = 'pointer-events-none fixed top-0 left-0 -z-10 size-px opacity-0'
  document.body.append(video)
  const player = createPlayer(renew)
  const detach = player.attach(video)
  player.load(clip)

  /** Waits until this is known; false where it does not come. */
  const known = (look: () => boolean | undefined) =>
    new Promise<boolean>(resolve => {
      const over = new AbortController()
      const end = (value: boolean | undefined) => {
        if (value === undefined) return
        over.abort()
        resolve(value)
      }
      const stops = [player.$ability, player.$sure, player.$refused].map(store => store.listen(() => end(look())))
      const timer = setTimeout(() => end(false), PATIENCE)
      signal?.addEventListener('abort', () => end(false), { signal: over.signal })
      over.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        for (const stop of stops) stop()
      })
      end(signal?.aborted ? false : look())
    })
  const able = () => {
    const ability = player.$ability.get()
    return ability === 'ready' ? true : ability === 'unplayable' || ability === 'away' ? false : undefined
  }

  return {
    async show(at) {
      if (!(await known(able))) return null
      const frame = player.frameOf(at)
      player.show(frame)
      // Where nobody has counted the frames, no picture is known to be the right one.
      const sure = await known(() =>
        player.$refused.get() === frame ? false : (player.$sure.get() && player.$frame.get() === frame) || undefined,
      )
      return sure ? { video, frame } : null
    },
    end() {
      detach?.()
      video.remove()
    },
  }
}
