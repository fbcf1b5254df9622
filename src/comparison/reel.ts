import type { Packets } from './packets.ts'

/** What is shown of one clip, and which frame that is. */
export interface Shown {
  frame: number
  image: CanvasImageSource
}
/** Where one side stands. */
export interface Aim {
  frame: number
  /** Frames that come next, in the order in which they are needed. */
  coming: readonly number[]
  /** Seconds of the clip in real time, and how fast they run; 0: it stands. */
  local: number
  speed: number
}
/** Pictures of one clip by their frames. */
export interface Pictures {
  /** Called before each drawing. */
  aim(aim: Aim): void
  /** The picture of the frame aimed at, else the nearest there is. */
  shown(): Shown | null
  /** Largest size at which it is drawn, in real pixels. */
  size(width: number, height: number): void
  close(): void
}

/** Bitmaps of one side take no more than this, bytes. */
const BYTES = 48 * 1024 * 1024
/** Packets in the decoder at a time. */
const QUEUE = 12
/** Nothing came out for so long, ms, though everything is in: the decoder is told to give what it keeps. */
const SLOW = 60

/** The same by hand: some Safaris decode frames and make no bitmap of them. */
function drawn(picture: VideoFrame, width: number, height: number): ImageBitmap | null {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  context?.drawImage(picture, 0, 0, width, height)
  return context && canvas.transferToImageBitmap()
}

/**
 * Frames decoded ahead of the clock, each kept as a bitmap of the size it is drawn at; a decoded frame itself is closed at once, as a
 * decoder stalls while its few are held. `changed` is called when another picture is there; `failed` once, when it cannot go on.
 */
export class Reel implements Pictures {
  private readonly packets: Packets
  private readonly changed: () => void
  private readonly failed: () => void
  private readonly bitmaps = new Map<number, ImageBitmap>()
  private readonly making = new Set<number>()
  /** Frames in the decoder, each under the time that it was given. */
  private readonly inside = new Map<number, number>()
  /** The time of the next packet: it only ever rises, as WebKit gives pictures the times of others where it does not. */
  private time = 0
  private wanted: readonly number[] = [0]
  private decoder: VideoDecoder | undefined
  /** The packet that the decoder takes next; undefined: only one that needs no other. */
  private next: number | undefined
  private flushing = false
  private slow: ReturnType<typeof setTimeout> | undefined
  private drawn = { width: 640, height: 360 }
  private closed = false

  constructor(packets: Packets, changed: () => void, failed: () => void) {
    this.packets = packets
    this.changed = changed
    this.failed = failed
    this.begin()
  }

  static async can(packets: Packets): Promise<boolean> {
    if (!('VideoDecoder' in globalThis)) return false
    return VideoDecoder.isConfigSupported({ ...packets.config, optimizeForLatency: true }).then(
      ({ supported }) => supported === true,
      () => false,
    )
  }

  private begin() {
    this.next = undefined
    this.inside.clear()
    this.decoder = new VideoDecoder({ output: picture => this.decoded(picture), error: () => this.fail() })
    this.decoder.configure({ ...this.packets.config, optimizeForLatency: true })
    this.decoder.ondequeue = () => this.feed()
  }

  private fail() {
    if (this.closed) return
    this.close()
    this.failed()
  }

  size(width: number, height: number) {
    const { codedWidth, codedHeight } = this.packets.config
    const part = Math.min(1, Math.max(width / codedWidth, height / codedHeight))
    const next = { width: Math.max(2, Math.round(codedWidth * part)), height: Math.max(2, Math.round(codedHeight * part)) }
    if (Math.abs(next.width - this.drawn.width) < 2) return
    // Those of the size before are shown until they are replaced.
    this.drawn = next
    this.feed()
  }

  private drop(which: (frame: number) => boolean) {
    for (const [frame, bitmap] of this.bitmaps)
      if (which(frame)) {
        bitmap.close()
        this.bitmaps.delete(frame)
      }
  }

  aim({ frame, coming }: Aim) {
    const most = Math.max(4, Math.floor(BYTES / (this.drawn.width * this.drawn.height * 4)))
    this.wanted = [frame, ...coming.filter(f => f !== frame)].slice(0, most)
    const keep = new Set(this.wanted)
    const nearest = this.nearest()
    this.drop(f => !keep.has(f) && f !== nearest)
    this.feed()
  }

  private nearest(): number | undefined {
    const to = this.wanted[0]!
    let best: number | undefined
    // Of two that are as near, the earlier: nothing is shown before its time.
    for (const f of this.bitmaps.keys())
      if (best === undefined || Math.abs(f - to) < Math.abs(best - to) || (Math.abs(f - to) === Math.abs(best - to) && f < best)) best = f
    return best
  }

  shown(): Shown | null {
    const to = this.wanted[0]!
    const exact = this.bitmaps.get(to)
    if (exact) return { frame: to, image: exact }
    const frame = this.nearest()
    return frame === undefined ? null : { frame, image: this.bitmaps.get(frame)! }
  }

  /** There is a bitmap of the size at which it is drawn. */
  private fits = (f: number) => this.bitmaps.get(f)?.width === this.drawn.width
  private isInside = (f: number) => [...this.inside.values()].includes(f)
  private missing = (f: number) => !this.fits(f) && !this.making.has(f) && !this.isInside(f)

  /** Gives the decoder what leads to the first picture that is missing, then to the next. */
  private feed() {
    if (this.closed || this.flushing || this.decoder?.state !== 'configured') return
    const before = this.time
    while (this.decoder.decodeQueueSize < QUEUE) {
      const goal = this.wanted.find(this.missing)
      if (goal === undefined) break
      const key = this.packets.keyOf(goal)
      if (this.next === undefined || this.next > goal || this.next < key) this.next = key
      const frame = this.next++
      const timestamp = this.time++
      this.inside.set(timestamp, frame)
      this.decoder.decode(
        new EncodedVideoChunk({
          type: this.packets.keyOf(frame) === frame ? 'key' : 'delta',
          timestamp,
          data: this.packets.bytes(frame),
        }),
      )
    }
    // Asked for the same again, picture after picture of the screen, it waits no longer for that.
    if (this.time > before || this.slow === undefined) this.wait()
  }

  private wait() {
    clearTimeout(this.slow)
    this.slow = this.inside.size ? setTimeout(() => this.flush(), SLOW) : undefined
  }

  private flush() {
    this.slow = undefined
    if (this.closed || this.flushing || this.decoder?.state !== 'configured' || !this.wanted.some(this.isInside)) return
    this.flushing = true
    // From here on it takes only a packet that needs no other.
    this.next = undefined
    const over = () => {
      this.flushing = false
      this.inside.clear()
      this.feed()
    }
    this.decoder.flush().then(over, over)
  }

  private async decoded(picture: VideoFrame) {
    const frame = this.inside.get(picture.timestamp)
    this.inside.delete(picture.timestamp)
    if (!this.closed) this.wait()
    if (this.closed || frame === undefined || !this.wanted.includes(frame) || this.fits(frame) || this.making.has(frame)) {
      picture.close()
      return
    }
    this.making.add(frame)
    const { width, height } = this.drawn
    const bitmap = await createImageBitmap(picture, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' }).catch(() =>
      drawn(picture, width, height),
    )
    picture.close()
    this.making.delete(frame)
    if (!bitmap) return this.fail()
    if (this.closed || this.fits(frame)) {
      bitmap.close()
      return
    }
    this.bitmaps.get(frame)?.close()
    this.bitmaps.set(frame, bitmap)
    this.changed()
  }

  close() {
    this.closed = true
    clearTimeout(this.slow)
    this.drop(() => true)
    if (this.decoder && this.decoder.state !== 'closed') this.decoder.close()
  }
}
