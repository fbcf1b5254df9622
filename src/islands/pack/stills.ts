import type { Shape } from '../../../modules/reviews/contract.ts'
import { type Inks, paint } from '../drawing/paint.ts'
import { strength } from '../drawing/shapes.ts'
import { createPlayer } from '../folder/player.ts'
import type { Clip } from '../folder/source.ts'

/** A frame that does not come within so long, ms, is left out. */
const PATIENCE = 10_000

/** Frames of one video as pictures, without showing them to anybody. */
export interface Stills {
  /**
   * A frame with drawings on it, as large as the picture is.
   * @returns null where this browser does not show it
   */
  take(at: { frame?: number | undefined; at: number }, shapes: readonly Shape[], type: 'image/png' | 'image/jpeg'): Promise<Blob | null>
  end(): void
}

export function stillsOf(clip: Clip, inks: Inks, renew: (video: string) => Promise<Clip>, signal: AbortSignal): Stills {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.crossOrigin = 'anonymous'
  video.preload = 'auto'
  const player = createPlayer(renew)
  const detach = player.attach(video)
  player.load(clip)
  const canvas = document.createElement('canvas')

  /** Until this holds; false where it does not come. */
  const until = (holds: () => boolean | undefined) =>
    new Promise<boolean>(resolve => {
      if (holds() !== undefined) return resolve(holds()!)
      const stops: (() => void)[] = []
      const end = (value: boolean) => {
        for (const stop of stops) stop()
        resolve(value)
      }
      const look = () => {
        const held = holds()
        if (held !== undefined) end(held)
      }
      const timer = setTimeout(() => end(false), PATIENCE)
      const stop = () => end(false)
      signal.addEventListener('abort', stop)
      stops.push(
        player.$ability.listen(look),
        player.$sure.listen(look),
        () => clearTimeout(timer),
        () => signal.removeEventListener('abort', stop),
      )
    })

  return {
    async take(at, shapes, type) {
      const able = await until(() => {
        const ability = player.$ability.get()
        return ability === 'ready' ? true : ability === 'unplayable' || ability === 'away' ? false : undefined
      })
      if (!able) return null
      const frame = player.frameOf(at)
      player.show(frame)
      // Where nobody has counted the frames, no picture is known to be the right one.
      if (!(await until(() => (player.$sure.get() && player.$frame.get() === frame ? true : undefined)))) return null
      const [width, height] = [video.videoWidth, video.videoHeight]
      canvas.width = width
      canvas.height = height
      const ctx = canvas.getContext('2d')
      if (!ctx) return null
      ctx.drawImage(video, 0, 0, width, height)
      for (const shape of shapes) {
        const strong = strength(shape, frame)
        if (strong > 0) paint(ctx, shape, { left: 0, top: 0, width, height }, inks, strong)
      }
      return new Promise(resolve => canvas.toBlob(resolve, type, 0.88))
    },
    end() {
      detach?.()
      video.removeAttribute('src')
      video.load()
    },
  }
}
