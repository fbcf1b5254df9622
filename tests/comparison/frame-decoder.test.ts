import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FrameDecoder } from '../../src/comparison/frame-decoder.ts'
import type { VideoPackets } from '../../src/comparison/mp4-packets.ts'

const close = vi.fn()
interface Chunk {
  timestamp: number
  data: number
}
/** Returns a picture for each packet at once. */
class FakeDecoder {
  state = 'configured'
  decodeQueueSize = 0
  private output: (picture: object) => void
  constructor({ output }: { output: (picture: object) => void }) {
    this.output = output
  }
  configure() {}
  decode(chunk: Chunk) {
    this.give(chunk)
  }
  protected give({ timestamp, data }: Chunk) {
    queueMicrotask(() => this.output({ timestamp, of: data, close }))
  }
  async flush() {}
  close() {
    this.state = 'closed'
  }
}
/** As WebKit's: no picture has an earlier timestamp than the one before it. */
class WebKitDecoder extends FakeDecoder {
  private latest = 0
  override give(chunk: Chunk) {
    this.latest = Math.max(this.latest, chunk.timestamp)
    super.give({ ...chunk, timestamp: this.latest })
  }
}
/** Keeps back the last two pictures until another packet or a flush comes. */
class HoardingDecoder extends FakeDecoder {
  private kept: Chunk[] = []
  override decode(chunk: Chunk) {
    this.kept.push(chunk)
    if (this.kept.length > 2) this.give(this.kept.shift()!)
  }
  override async flush() {
    for (const chunk of this.kept.splice(0)) this.give(chunk)
  }
}
/** The 2D context of an OffscreenCanvas; null where the browser has none. */
let context: object | null
class FakeCanvas {
  getContext = () => context
  transferToImageBitmap = () => ({ by: 'hand', close })
}
const packets = {
  ...{ config: { codec: 'avc1', description: new Uint8Array(), codedWidth: 640, codedHeight: 360 }, count: 12 },
  ...{ keyframeOf: frame => frame - (frame % 4), bytes: frame => frame as never },
} as VideoPackets

beforeEach(() => {
  context = { drawImage: vi.fn() }
  vi.stubGlobal('VideoDecoder', FakeDecoder)
  vi.stubGlobal(
    'EncodedVideoChunk',
    class {
      constructor(init: Chunk) {
        Object.assign(this, init)
      }
    },
  )
  vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new TypeError('Not of this.')))
})
afterEach(() => vi.unstubAllGlobals())

const target = { frame: 0, upcoming: [], seconds: 0, speed: 0 }

test('a frame that makes no bitmap is drawn on a canvas', async () => {
  const failed = vi.fn()
  const decoder = new FrameDecoder(packets, () => {}, failed)
  decoder.setTarget(target)
  await vi.waitFor(() => expect(decoder.picture()).toMatchObject({ frame: 0, image: { by: 'hand' } }))
  expect(failed).not.toHaveBeenCalled()
  expect(close).toHaveBeenCalled()
  decoder.close()
})

test('a frame that cannot be drawn either ends decoding with one failure', async () => {
  context = null
  const failed = vi.fn()
  const decoder = new FrameDecoder(packets, () => {}, failed)
  decoder.setTarget(target)
  await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(1))
})

describe('with bitmaps', () => {
  /** A bitmap that knows which frame's packet it was made of. */
  const bitmapOf = async ({ of }: { of: number }, { resizeWidth: width }: { resizeWidth: number }) => ({ of, width, close: vi.fn() })
  beforeEach(() => void vi.stubGlobal('createImageBitmap', vi.fn(bitmapOf)))
  const at = (frame: number, ...upcoming: number[]) => ({ ...target, frame, upcoming })
  const shows = (decoder: FrameDecoder, frame: number, width = 640) =>
    vi.waitFor(() => expect(decoder.picture()).toMatchObject({ frame, image: { of: frame, width } }))

  test('pictures keep their frames when going back, though timestamps only rise', async () => {
    vi.stubGlobal('VideoDecoder', WebKitDecoder)
    const decoder = new FrameDecoder(
      packets,
      () => {},
      () => {},
    )
    for (const frame of [9, 2, 6, 1, 10, 3]) {
      decoder.setTarget(at(frame, frame + 1, frame - 1))
      await shows(decoder, frame)
    }
    decoder.close()
  })

  test('a picture that the decoder keeps back is flushed out while requests go on', async () => {
    vi.stubGlobal('VideoDecoder', HoardingDecoder)
    const decoder = new FrameDecoder(
      packets,
      () => {},
      () => {},
    )
    const asking = setInterval(() => decoder.setTarget(at(3)), 5)
    await shows(decoder, 3).finally(() => clearInterval(asking))
    decoder.close()
  })

  test('at a new size the old bitmap shows until there is one of that size', async () => {
    const again = () => decoder.setTarget(at(5, 6, 7, 4))
    const decoder = new FrameDecoder(packets, again, () => {})
    again()
    await shows(decoder, 5)
    const steps = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    let turn = 0
    vi.mocked(createImageBitmap).mockImplementation((async (picture: never, how: never) => {
      await steps[turn]!.promise
      return bitmapOf(picture, how)
    }) as never)
    // A window is resized faster than bitmaps are made.
    for (const width of [700, 320, 480]) {
      decoder.setSize(width, 1)
      await Promise.resolve()
      expect(decoder.picture()).toMatchObject({ frame: 5, image: { of: 5 } })
      steps[turn]!.resolve()
      turn = Math.min(2, turn + 1)
    }
    await shows(decoder, 5, 480)
    decoder.close()
  })
})
