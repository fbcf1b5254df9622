import type { Timeline } from '../../modules/media/frames.ts'
import { type Clip, guessTimeline, type Source } from '../player/source.ts'
import { packetsOf } from './packets.ts'
import { type Pictures, Reel } from './reel.ts'
import { Slaved } from './slaved.ts'
import { realTimes } from './timing.ts'

/** One clip that is here to be shown. */
export interface Film {
  source: Source
  /** Its frames by the time of the file, and by real time. */
  times: Timeline
  real: Timeline
  pictures: Pictures
  /** Each picture is the frame that it is said to be. */
  exact: boolean
  /** Width through height. */
  aspect: number
}

export interface Loading {
  /** Decode single frames, where the browser can. */
  exact: boolean
  /** For a browser that cannot. */
  video: () => HTMLVideoElement
  /** Another picture is there. */
  changed: () => void
  /** It turned out that frames cannot be decoded: the <video> shows them from now on. */
  fell: () => void
  failed: () => void
}

/** Makes a clip's bytes ready to be shown. */
export async function filmOf(clip: Clip, source: Source, { exact, video, changed, fell, failed }: Loading): Promise<Film> {
  const times = source.timeline ?? guessTimeline(clip, (clip.media?.milliseconds ?? 10_000) / 1000)
  const real = realTimes(times, clip.media?.captureRate?.rate)
  const { width, height } = clip.rendition ?? {}
  const shape = { width: width || clip.media?.width || 16, height: height || clip.media?.height || 9 }
  const its = { source, times, real, aspect: shape.width / shape.height }
  const slaved = () => new Slaved(video(), source, times, real, changed, failed)
  const packets =
    exact && source.blob
      ? await source.blob
          .arrayBuffer()
          .then(packetsOf)
          .catch(() => null)
      : null
  if (!packets || packets.count !== times.frames || !(await Reel.can(packets))) return { ...its, exact: false, pictures: slaved() }
  const film: Film = { ...its, exact: true, pictures: new Reel(packets, changed, () => fall()) }
  const fall = () => {
    film.pictures = slaved()
    film.exact = false
    fell()
  }
  return film
}

export function closeFilm({ pictures, source }: Film) {
  pictures.close()
  source.release()
}
