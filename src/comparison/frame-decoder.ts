import { videoFrameToBitmap } from '../browser-quirks/decoded-frame-to-bitmap.ts'
import type { VideoPackets } from './mp4-packets.ts'
import type { FramePicture, PictureRequest, PictureSource } from './picture-source-types.ts'

/** Memory limit for the bitmaps of one clip. */
const MAX_BITMAP_BYTES = 48 * 1024 * 1024
const MAX_QUEUED_PACKETS = 12
/** If no picture arrives for this long, the decoder is flushed: some decoders hold back the last pictures until another packet arrives. */
const FLUSH_AFTER_MS = 60

/**
 * Decodes single frames ahead of the clock, and stores each as a bitmap of the size at which it is painted. A decoded VideoFrame is closed
 * as soon as possible, because a decoder has only a few of them and stalls while they are held. `onPicture` is called when another picture
 * is ready; `onFailed` is called once, when decoding fails.
 */
export class FrameDecoder implements PictureSource {
  private readonly packets: VideoPackets
  private readonly onPicture: () => void
  private readonly onFailed: () => void
  private readonly bitmaps = new Map<number, ImageBitmap>()
  private readonly framesBecomingBitmaps = new Set<number>()
  /** The frames that are in the decoder, by the timestamp that each was given. */
  private readonly framesInDecoder = new Map<number, number>()
  /**
   * Timestamps always increase, whatever the order of frames. If they decreased when going back, WebKit's decoder would report a picture
   * with the timestamp of an earlier one.
   */
  private nextTimestamp = 0
  /** The frames to decode: the target, then those needed next, as many as fit into memory. */
  private wantedFrames: readonly number[] = [0]
  private decoder: VideoDecoder | undefined
  /** The next packet for the decoder; undefined if it needs a keyframe first. */
  private nextPacket: number | undefined
  private isFlushing = false
  private flushTimer: ReturnType<typeof setTimeout> | undefined
  private bitmapSize = { width: 640, height: 360 }
  private isClosed = false

  constructor(packets: VideoPackets, onPicture: () => void, onFailed: () => void) {
    this.packets = packets
    this.onPicture = onPicture
    this.onFailed = onFailed
    this.start()
  }

  static async canDecode(packets: VideoPackets): Promise<boolean> {
    if (!('VideoDecoder' in globalThis)) return false
    return VideoDecoder.isConfigSupported({ ...packets.config, optimizeForLatency: true }).then(
      ({ supported }) => supported === true,
      () => false,
    )
  }

  private start() {
    this.nextPacket = undefined
    this.framesInDecoder.clear()
    this.decoder = new VideoDecoder({ output: picture => this.handleDecoded(picture), error: () => this.fail() })
    this.decoder.configure({ ...this.packets.config, optimizeForLatency: true })
    this.decoder.ondequeue = () => this.feed()
  }

  private fail() {
    if (this.isClosed) return
    this.close()
    this.onFailed()
  }

  setSize(width: number, height: number) {
    const { codedWidth, codedHeight } = this.packets.config
    const part = Math.min(1, Math.max(width / codedWidth, height / codedHeight))
    const next = { width: Math.max(2, Math.round(codedWidth * part)), height: Math.max(2, Math.round(codedHeight * part)) }
    if (Math.abs(next.width - this.bitmapSize.width) < 2) return
    // Bitmaps of the old size are shown until new ones replace them.
    this.bitmapSize = next
    this.feed()
  }

  private closeBitmaps(matches: (frame: number) => boolean) {
    for (const [frame, bitmap] of this.bitmaps)
      if (matches(frame)) {
        bitmap.close()
        this.bitmaps.delete(frame)
      }
  }

  setTarget({ frame, upcoming }: PictureRequest) {
    const maxFrames = Math.max(4, Math.floor(MAX_BITMAP_BYTES / (this.bitmapSize.width * this.bitmapSize.height * 4)))
    this.wantedFrames = [frame, ...upcoming.filter(f => f !== frame)].slice(0, maxFrames)
    const keep = new Set(this.wantedFrames)
    const nearest = this.nearest()
    this.closeBitmaps(f => !keep.has(f) && f !== nearest)
    this.feed()
  }

  private nearest(): number | undefined {
    const target = this.wantedFrames[0]!
    let best: number | undefined
    const distance = (f: number) => Math.abs(f - target)
    // Of two equally near frames the earlier one is used, so that no picture is shown before its time.
    for (const f of this.bitmaps.keys())
      if (best === undefined || distance(f) < distance(best) || (distance(f) === distance(best) && f < best)) best = f
    return best
  }

  picture(): FramePicture | null {
    const target = this.wantedFrames[0]!
    const exact = this.bitmaps.get(target)
    if (exact) return { frame: target, image: exact }
    const frame = this.nearest()
    return frame === undefined ? null : { frame, image: this.bitmaps.get(frame)! }
  }

  pictureOf = (frame: number): CanvasImageSource | null => this.bitmaps.get(frame) ?? null

  /** Whether a frame has a bitmap of the current size. */
  private hasBitmap = (f: number) => this.bitmaps.get(f)?.width === this.bitmapSize.width
  private isInDecoder = (f: number) => [...this.framesInDecoder.values()].includes(f)
  private isMissing = (f: number) => !this.hasBitmap(f) && !this.framesBecomingBitmaps.has(f) && !this.isInDecoder(f)

  /** Feeds the decoder the packets that are needed for the first missing picture, then for the next one, until its queue is full. */
  private feed() {
    if (this.isClosed || this.isFlushing || this.decoder?.state !== 'configured') return
    const before = this.nextTimestamp
    while (this.decoder.decodeQueueSize < MAX_QUEUED_PACKETS) {
      const goal = this.wantedFrames.find(this.isMissing)
      if (goal === undefined) break
      const key = this.packets.keyframeOf(goal)
      if (this.nextPacket === undefined || this.nextPacket > goal || this.nextPacket < key) this.nextPacket = key
      const frame = this.nextPacket++
      const timestamp = this.nextTimestamp++
      this.framesInDecoder.set(timestamp, frame)
      this.decoder.decode(
        new EncodedVideoChunk({
          type: this.packets.keyframeOf(frame) === frame ? 'key' : 'delta',
          timestamp,
          data: this.packets.bytes(frame),
        }),
      )
    }
    // `setTarget` runs on every screen refresh; if it feeds no new packet, it must not postpone the flush.
    if (this.nextTimestamp > before || this.flushTimer === undefined) this.restartFlushTimer()
  }

  private restartFlushTimer() {
    clearTimeout(this.flushTimer)
    this.flushTimer = this.framesInDecoder.size ? setTimeout(() => this.flush(), FLUSH_AFTER_MS) : undefined
  }

  private flush() {
    this.flushTimer = undefined
    if (this.isClosed || this.isFlushing || this.decoder?.state !== 'configured' || !this.wantedFrames.some(this.isInDecoder)) return
    this.isFlushing = true
    // After a flush, a decoder accepts only a keyframe.
    this.nextPacket = undefined
    const resume = () => {
      this.isFlushing = false
      this.framesInDecoder.clear()
      this.feed()
    }
    this.decoder.flush().then(resume, resume)
  }

  private async handleDecoded(picture: VideoFrame) {
    const frame = this.framesInDecoder.get(picture.timestamp)
    this.framesInDecoder.delete(picture.timestamp)
    if (!this.isClosed) this.restartFlushTimer()
    if (
      this.isClosed ||
      frame === undefined ||
      !this.wantedFrames.includes(frame) ||
      this.hasBitmap(frame) ||
      this.framesBecomingBitmaps.has(frame)
    ) {
      picture.close()
      return
    }
    this.framesBecomingBitmaps.add(frame)
    const { width, height } = this.bitmapSize
    const bitmap = await createImageBitmap(picture, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' }).catch(() =>
      videoFrameToBitmap(picture, width, height),
    )
    picture.close()
    this.framesBecomingBitmaps.delete(frame)
    if (!bitmap) return this.fail()
    if (this.isClosed || this.hasBitmap(frame)) {
      bitmap.close()
      return
    }
    this.bitmaps.get(frame)?.close()
    this.bitmaps.set(frame, bitmap)
    this.onPicture()
  }

  close() {
    this.isClosed = true
    clearTimeout(this.flushTimer)
    this.closeBitmaps(() => true)
    if (this.decoder && this.decoder.state !== 'closed') this.decoder.close()
  }
}
