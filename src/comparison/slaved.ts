import type { Timeline } from '../../modules/media/frames.ts'
import type { Source } from '../player/source.ts'
import type { Aim, Pictures, Shown } from './reel.ts'

/** How much faster or slower it goes to come back to the clock, … */
const PULL = 0.1
/** … and how far off it may be, seconds, before it is sought there. */
const FAR = 0.1
/** Rates that browsers take. */
const [LEAST, MOST] = [0.0625, 16]

/** Whether the browser tells each frame that it shows. */
const TELLS = 'requestVideoFrameCallback' in (globalThis.HTMLVideoElement?.prototype ?? {})

/** Pictures of a <video> that follows the clock, where single frames cannot be decoded. */
export class Slaved implements Pictures {
  private readonly video: HTMLVideoElement
  private readonly source: Source
  private readonly real: Timeline
  private readonly times: Timeline
  private readonly changed: () => void
  private aimed: Aim = { frame: 0, coming: [], local: 0, speed: 0 }
  /** Frame of the picture that the browser shows. */
  private frame: number | undefined
  private sought: number | undefined
  private closed = false

  /** `times`: of the file; `real`: the same frames in real time. */
  constructor(video: HTMLVideoElement, source: Source, times: Timeline, real: Timeline, changed: () => void, failed: () => void) {
    this.video = video
    this.source = source
    this.times = times
    this.real = real
    this.changed = changed
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.setAttribute('aria-hidden', 'true')
    // Some browsers decode nothing for a <video> that is not on the page.
    Object.assign(video.style, { position: 'absolute', width: '1px', height: '1px', opacity: '0', pointerEvents: 'none' })
    video.src = source.src
    if (TELLS) this.watch()
    // A seek to the picture that is shown already is told by nobody else.
    video.addEventListener('seeked', () => setTimeout(() => this.sought !== undefined && this.seen(video.currentTime), TELLS ? 150 : 0))
    video.addEventListener('loadeddata', () => {
      this.frame ??= this.now()
      this.changed()
    })
    video.addEventListener('error', () => this.closed || failed())
  }

  private watch() {
    this.video.requestVideoFrameCallback((_, { mediaTime }) => {
      this.seen(mediaTime)
      if (!this.closed) this.watch()
    })
  }

  private seen(seconds: number) {
    if (this.closed) return
    this.frame = this.times.at(seconds + this.source.timestampOffset)
    if (this.frame === this.sought) this.sought = undefined
    this.changed()
  }

  /** Seconds of the file at seconds of real time, and how much faster the file runs. */
  private inFile(local: number, frame: number) {
    const [file, real] = [this.times, this.real]
    const ratio = (file.end(frame) - file.start(frame)) / (real.end(frame) - real.start(frame))
    return { at: file.start(frame) + (local - real.start(frame)) * ratio - this.source.timestampOffset, ratio }
  }

  aim(aim: Aim) {
    this.aimed = aim
    const { video } = this
    if (!video.readyState) return
    const { at, ratio } = this.inFile(aim.local, aim.frame)
    const rate = aim.speed * ratio
    const last = aim.frame >= this.times.frames - 1 || aim.local < this.real.start(0)
    if (rate < LEAST || rate > MOST || last) {
      if (!video.paused) video.pause()
      this.seek()
      return
    }
    const off = at - video.currentTime
    if (Math.abs(off) > FAR && !video.seeking) video.currentTime = at
    video.playbackRate = Math.min(MOST, Math.max(LEAST, rate * (1 + Math.max(-PULL, Math.min(PULL, off * 2)))))
    if (video.paused) video.play().catch(() => {})
  }

  private seek() {
    const { frame } = this.aimed
    if (this.frame === frame || this.sought === frame || this.video.seeking) return
    this.sought = frame
    this.video.currentTime = this.times.middle(frame) - this.source.timestampOffset
  }

  /** The frame at the video's own time. While it seeks that is another than the one shown. */
  private now = () => this.times.at(this.video.currentTime + this.source.timestampOffset)

  shown(): Shown | null {
    const { video } = this
    const frame = TELLS || video.paused ? this.frame : this.now()
    return video.readyState >= 2 && frame !== undefined ? { frame, image: video } : null
  }

  size() {}

  close() {
    this.closed = true
    this.video.pause()
    this.video.removeAttribute('src')
    this.video.load()
    this.video.remove()
  }
}
