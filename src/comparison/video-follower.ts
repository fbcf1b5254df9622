import type { Timeline } from '../../modules/media/frames.ts'
import { HAS_FRAME_CALLBACKS, onNextFrame } from '../browser-quirks/frame-callbacks.ts'
import type { ClipSource } from '../player/clip-source.ts'
import type { PictureSource, PictureTarget, ShownPicture } from './frame-decoder.ts'

/** To get back in sync with the clock, the video plays at most this much faster or slower. */
const MAX_RATE_CHANGE = 0.1
/** If the video is further off than this, the follower seeks instead. */
const SEEK_WHEN_OFF_SECONDS = 0.1
/** The playback rates that browsers accept. */
const [MIN_PLAYBACK_RATE, MAX_PLAYBACK_RATE] = [0.0625, 16]

/** A <video> that follows the clock, for browsers that cannot decode single frames. */
export class VideoFollower implements PictureSource {
  private readonly video: HTMLVideoElement
  private readonly source: ClipSource
  private readonly realTimeline: Timeline
  private readonly timeline: Timeline
  private readonly onPicture: () => void
  private target: PictureTarget = { frame: 0, upcoming: [], seconds: 0, speed: 0 }
  /** The frame whose picture the browser presents. */
  private shownFrame: number | undefined
  private soughtFrame: number | undefined
  private isClosed = false

  /** `timeline` has the file's own times, `realTimeline` the real times of the same frames. */
  constructor(
    video: HTMLVideoElement,
    source: ClipSource,
    timeline: Timeline,
    realTimeline: Timeline,
    onPicture: () => void,
    onFailed: () => void,
  ) {
    this.video = video
    this.source = source
    this.timeline = timeline
    this.realTimeline = realTimeline
    this.onPicture = onPicture
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.setAttribute('aria-hidden', 'true')
    // Some browsers decode nothing for a <video> outside the document.
    Object.assign(video.style, { position: 'absolute', width: '1px', height: '1px', opacity: '0', pointerEvents: 'none' })
    video.src = source.src
    this.watch()
    // A seek that ends at the current picture reports no frame.
    video.addEventListener('seeked', () =>
      setTimeout(() => this.soughtFrame !== undefined && this.handlePresentedFrame(video.currentTime), HAS_FRAME_CALLBACKS ? 150 : 0),
    )
    video.addEventListener('loadeddata', () => {
      this.shownFrame ??= this.currentFrame()
      this.onPicture()
    })
    video.addEventListener('error', () => this.isClosed || onFailed())
  }

  private watch() {
    onNextFrame(this.video, mediaTime => {
      this.handlePresentedFrame(mediaTime)
      if (!this.isClosed) this.watch()
    })
  }

  private handlePresentedFrame(seconds: number) {
    if (this.isClosed) return
    this.shownFrame = this.timeline.at(seconds + this.source.timestampOffset)
    if (this.shownFrame === this.soughtFrame) this.soughtFrame = undefined
    this.onPicture()
  }

  /** Converts a real time within a frame to the file's time, in seconds, and returns how much faster the file's time runs. */
  private fileTime(local: number, frame: number) {
    const [file, real] = [this.timeline, this.realTimeline]
    const ratio = (file.end(frame) - file.start(frame)) / (real.end(frame) - real.start(frame))
    return { at: file.start(frame) + (local - real.start(frame)) * ratio - this.source.timestampOffset, ratio }
  }

  setTarget(aim: PictureTarget) {
    this.target = aim
    const { video } = this
    if (!video.readyState) return
    const { at, ratio } = this.fileTime(aim.seconds, aim.frame)
    const rate = aim.speed * ratio
    const last = aim.frame >= this.timeline.frames - 1 || aim.seconds < this.realTimeline.start(0)
    if (rate < MIN_PLAYBACK_RATE || rate > MAX_PLAYBACK_RATE || last) {
      if (!video.paused) video.pause()
      this.seek()
      return
    }
    const off = at - video.currentTime
    if (Math.abs(off) > SEEK_WHEN_OFF_SECONDS && !video.seeking) video.currentTime = at
    video.playbackRate = Math.min(
      MAX_PLAYBACK_RATE,
      Math.max(MIN_PLAYBACK_RATE, rate * (1 + Math.max(-MAX_RATE_CHANGE, Math.min(MAX_RATE_CHANGE, off * 2)))),
    )
    if (video.paused) video.play().catch(() => {})
  }

  private seek() {
    const { frame } = this.target
    if (this.shownFrame === frame || this.soughtFrame === frame || this.video.seeking) return
    this.soughtFrame = frame
    this.video.currentTime = this.timeline.middle(frame) - this.source.timestampOffset
  }

  /** The frame at the video's `currentTime`. During a seek, the presented picture still shows another frame. */
  private currentFrame = () => this.timeline.at(this.video.currentTime + this.source.timestampOffset)

  picture(): ShownPicture | null {
    const { video } = this
    const frame = HAS_FRAME_CALLBACKS || video.paused ? this.shownFrame : this.currentFrame()
    return video.readyState >= 2 && frame !== undefined ? { frame, image: video } : null
  }

  /** A <video> has the picture of one frame alone. */
  pictureOf = () => null

  setSize() {}

  close() {
    this.isClosed = true
    this.video.pause()
    this.video.removeAttribute('src')
    this.video.load()
    this.video.remove()
  }
}
