import type { FrameTimeline } from '../../modules/media/frames.ts'
import { HAS_FRAME_CALLBACKS, onNextFrameIfReported } from '../browser-quirks/video-frame-callback-support.ts'
import type { VideoElementSource } from '../player/clip-source.ts'
import type { FramePicture, PictureRequest, PictureSource } from './picture-source-types.ts'

/** The video plays faster or slower by at most this fraction of its speed to correct its drift from the clock. */
const MAX_RATE_CHANGE = 0.1
/** If the drift is larger than this, the follower seeks instead. */
const SEEK_DRIFT_SECONDS = 0.1
/** The playback rates that browsers accept. */
const [MIN_PLAYBACK_RATE, MAX_PLAYBACK_RATE] = [0.0625, 16]

/** A <video> that follows the clock, for browsers that cannot decode single frames. */
export class VideoFollower implements PictureSource {
  private readonly video: HTMLVideoElement
  private readonly source: VideoElementSource
  private readonly realTimeline: FrameTimeline
  private readonly timeline: FrameTimeline
  private readonly onPicture: () => void
  private target: PictureRequest = { frame: 0, upcoming: [], seconds: 0, speed: 0 }
  /** The frame that the browser presented last; undefined before the first one. */
  private shownFrame: number | undefined
  private soughtFrame: number | undefined
  private isClosed = false

  /** `timeline` has the file's own times, `realTimeline` the real times of the same frames. */
  constructor(
    video: HTMLVideoElement,
    source: VideoElementSource,
    timeline: FrameTimeline,
    realTimeline: FrameTimeline,
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
    // Some browsers decode nothing for a <video> outside the document, so this one is in the document but invisible.
    Object.assign(video.style, { position: 'absolute', width: '1px', height: '1px', opacity: '0', pointerEvents: 'none' })
    video.src = source.src
    this.watch()
    // If a seek ends on the frame that is already on the screen, the browser presents no new one, so the follower reads `currentTime`.
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
    onNextFrameIfReported(this.video, mediaTime => {
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

  /** Converts a real time within a frame to the video's `currentTime`. `ratio`: how much faster the file's time runs than real time. */
  private fileTime(local: number, frame: number) {
    const [file, real] = [this.timeline, this.realTimeline]
    const ratio = (file.end(frame) - file.start(frame)) / (real.end(frame) - real.start(frame))
    return { at: file.start(frame) + (local - real.start(frame)) * ratio - this.source.timestampOffset, ratio }
  }

  setTarget(target: PictureRequest) {
    this.target = target
    const { video } = this
    if (!video.readyState) return
    const { at, ratio } = this.fileTime(target.seconds, target.frame)
    const rate = target.speed * ratio
    const last = target.frame >= this.timeline.frames - 1 || target.seconds < this.realTimeline.start(0)
    if (rate < MIN_PLAYBACK_RATE || rate > MAX_PLAYBACK_RATE || last) {
      if (!video.paused) video.pause()
      this.seek()
      return
    }
    const drift = at - video.currentTime
    if (Math.abs(drift) > SEEK_DRIFT_SECONDS && !video.seeking) video.currentTime = at
    video.playbackRate = Math.min(
      MAX_PLAYBACK_RATE,
      Math.max(MIN_PLAYBACK_RATE, rate * (1 + Math.max(-MAX_RATE_CHANGE, Math.min(MAX_RATE_CHANGE, drift * 2)))),
    )
    if (video.paused) video.play().catch(() => {})
  }

  private seek() {
    const { frame } = this.target
    if (this.shownFrame === frame || this.soughtFrame === frame || this.video.seeking) return
    this.soughtFrame = frame
    this.video.currentTime = this.timeline.middle(frame) - this.source.timestampOffset
  }

  /** The frame at the video's `currentTime`. During a seek, the screen still shows an earlier picture. */
  private currentFrame = () => this.timeline.at(this.video.currentTime + this.source.timestampOffset)

  picture(): FramePicture | null {
    const { video } = this
    const frame = HAS_FRAME_CALLBACKS || video.paused ? this.shownFrame : this.currentFrame()
    return video.readyState >= 2 && frame !== undefined ? { frame, image: video } : null
  }

  /** A <video> has only the picture of the current frame. */
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
