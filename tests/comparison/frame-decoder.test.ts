import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FrameDecoder } from '../../src/comparison/frame-decoder.ts'
import type { VideoPackets } from '../../src/comparison/mp4-packets.ts'

const close = vi.fn()
interface Chunk {
  timestamp: number
  data: number
}
/** A decoder that outputs the picture of each packet immediately. */
class FakeDecoder {
  state = 'configured'
  decodeQueueSize = 0
  private output: (picture: object) => void
  constructor({ output }: { output: (picture: object) => void }) {
    this.output = output
  }
  configure() {}
  decode(chunk: Chunk) {
    this.outputPicture(chunk)
  }
  protected outputPicture({ timestamp, data }: Chunk) {
    queueMicrotask(() => this.output({ timestamp, of: data, close }))
  }
  async flush() {}
  close() {
    this.state = 'closed'
  }
}
/** A decoder that, like WebKit's, never lets timestamps decrease: a picture earlier than the previous one gets the previous timestamp. */
class WebKitDecoder extends FakeDecoder {
  private latest = 0
  override outputPicture(chunk: Chunk) {
    this.latest = Math.max(this.latest, chunk.timestamp)
    super.outputPicture({ ...chunk, timestamp: this.latest })
  }
}
/** A decoder that holds back the last two pictures until it gets another packet or is flushed. */
class HoardingDecoder extends FakeDecoder {
  private heldBack: Chunk[] = []
  override decode(chunk: Chunk) {
    this.heldBack.push(chunk)
    if (this.heldBack.length > 2) this.outputPicture(this.heldBack.shift()!)
  }
  override async flush() {
    for (const chunk of this.heldBack.splice(0)) this.outputPicture(chunk)
  }
}
/** The 2D context of an OffscreenCanvas; null if the browser has none. */
let context: object | null
class FakeCanvas {
  getContext = () => context
  transferToImageBitmap = () => ({ by: 'canvas', close })
}
const packets = {
  config: { codec: 'avc1', description: new Uint8Array(), codedWidth: 640, codedHeight: 360 },
  count: 12,
  keyframeOf: frame => frame - (frame % 4),
  bytes: frame => frame as never,
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
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new TypeError('Cannot create a bitmap of a VideoFrame.')))
})
afterEach(() => vi.unstubAllGlobals())

const target = { frame: 0, upcoming: [], seconds: 0, speed: 0 }

test('a frame is drawn on a canvas if createImageBitmap rejects it', async () => {
  const onFailed = vi.fn()
  const decoder = new FrameDecoder(packets, () => {}, onFailed)
  decoder.setTarget(target)
  await expect.poll(() => decoder.picture()).toMatchObject({ frame: 0, image: { by: 'canvas' } })
  expect(onFailed).not.toHaveBeenCalled()
  expect(close).toHaveBeenCalled()
  decoder.close()
})

test('if a canvas cannot draw the frame either, one failure is reported', async () => {
  context = null
  const onFailed = vi.fn()
  const decoder = new FrameDecoder(packets, () => {}, onFailed)
  decoder.setTarget(target)
  await expect.poll(() => onFailed).toHaveBeenCalledTimes(1)
})

describe('a frame decoder', () => {
  /** Creates a fake bitmap. `of`: the frame whose packet was decoded into this picture. */
  const bitmapOf = async ({ of }: { of: number }, { resizeWidth: width }: { resizeWidth: number }) => ({ of, width, close: vi.fn() })
  beforeEach(() => void vi.stubGlobal('createImageBitmap', vi.fn(bitmapOf)))
  const at = (frame: number, ...upcoming: number[]) => ({ ...target, frame, upcoming })
  const shows = (decoder: FrameDecoder, frame: number, width = 640) =>
    expect.poll(() => decoder.picture()).toMatchObject({ frame, image: { of: frame, width } })

  test('shows the right pictures when going back', async () => {
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

  test('outputs a delayed picture even while requests for it continue', async () => {
    vi.stubGlobal('VideoDecoder', HoardingDecoder)
    const decoder = new FrameDecoder(
      packets,
      () => {},
      () => {},
    )
    const requestTimer = setInterval(() => decoder.setTarget(at(3)), 5)
    await shows(decoder, 3).finally(() => clearInterval(requestTimer))
    decoder.close()
  })

  test('shows the old bitmap until one of the new size is ready', async () => {
    const requestAgain = () => decoder.setTarget(at(5, 6, 7, 4))
    const decoder = new FrameDecoder(packets, requestAgain, () => {})
    requestAgain()
    await shows(decoder, 5)
    const steps = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    let step = 0
    vi.mocked(createImageBitmap).mockImplementation((async (picture: never, options: never) => {
      await steps[step]!.promise
      return bitmapOf(picture, options)
    }) as never)
    // The size changes faster than the browser creates bitmaps.
    for (const width of [700, 320, 480]) {
      decoder.setSize(width, 1)
      await Promise.resolve()
      expect(decoder.picture()).toMatchObject({ frame: 5, image: { of: 5 } })
      steps[step]!.resolve()
      step = Math.min(2, step + 1)
    }
    await shows(decoder, 5, 480)
    decoder.close()
  })
})
