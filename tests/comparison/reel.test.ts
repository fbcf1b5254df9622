import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Packets } from '../../src/comparison/packets.ts'
import { Reel } from '../../src/comparison/reel.ts'

const close = vi.fn()
interface Chunk {
  timestamp: number
  data: number
}
/** Gives a picture for each packet, at once. */
class Decoder {
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
/** WebKit's: no picture has an earlier time than the one before it. */
class Rising extends Decoder {
  private latest = 0
  override give(chunk: Chunk) {
    this.latest = Math.max(this.latest, chunk.timestamp)
    super.give({ ...chunk, timestamp: this.latest })
  }
}
/** Keeps the last two until another comes, or it is told to give them. */
class Keeping extends Decoder {
  private kept: Chunk[] = []
  override decode(chunk: Chunk) {
    this.kept.push(chunk)
    if (this.kept.length > 2) this.give(this.kept.shift()!)
  }
  override async flush() {
    for (const chunk of this.kept.splice(0)) this.give(chunk)
  }
}
/** What can be drawn on without the page; `null`: not even that. */
let context: object | null
class Canvas {
  getContext = () => context
  transferToImageBitmap = () => ({ by: 'hand', close })
}
const packets = {
  ...{ config: { codec: 'avc1', description: new Uint8Array(), codedWidth: 640, codedHeight: 360 }, count: 12 },
  ...{ keyOf: frame => frame - (frame % 4), bytes: frame => frame as never },
} as Packets

beforeEach(() => {
  context = { drawImage: vi.fn() }
  vi.stubGlobal('VideoDecoder', Decoder)
  vi.stubGlobal(
    'EncodedVideoChunk',
    class {
      constructor(init: Chunk) {
        Object.assign(this, init)
      }
    },
  )
  vi.stubGlobal('OffscreenCanvas', Canvas)
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new TypeError('Not of this.')))
})
afterEach(() => vi.unstubAllGlobals())

const aim = { frame: 0, coming: [], local: 0, speed: 0 }

test('a browser that makes no bitmap of a frame has it drawn', async () => {
  const failed = vi.fn()
  const reel = new Reel(packets, () => {}, failed)
  reel.aim(aim)
  await vi.waitFor(() => expect(reel.shown()).toMatchObject({ frame: 0, image: { by: 'hand' } }))
  expect(failed).not.toHaveBeenCalled()
  expect(close).toHaveBeenCalled()
  reel.close()
})

test('where that fails, too, it says so, and another way is taken', async () => {
  context = null
  const failed = vi.fn()
  const reel = new Reel(packets, () => {}, failed)
  reel.aim(aim)
  await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(1))
})

describe('with bitmaps', () => {
  /** A bitmap knows which frame's packet it was made of. */
  const made = async ({ of }: { of: number }, { resizeWidth: width }: { resizeWidth: number }) => ({ of, width, close: vi.fn() })
  beforeEach(() => void vi.stubGlobal('createImageBitmap', vi.fn(made)))
  const at = (frame: number, ...coming: number[]) => ({ ...aim, frame, coming })
  const shows = (reel: Reel, frame: number, width = 640) =>
    vi.waitFor(() => expect(reel.shown()).toMatchObject({ frame, image: { of: frame, width } }))

  test('going back, a picture is that of its own frame though the decoder gives no time twice', async () => {
    vi.stubGlobal('VideoDecoder', Rising)
    const reel = new Reel(
      packets,
      () => {},
      () => {},
    )
    for (const frame of [9, 2, 6, 1, 10, 3]) {
      reel.aim(at(frame, frame + 1, frame - 1))
      await shows(reel, frame)
    }
    reel.close()
  })

  test('a picture that the decoder keeps is got from it while somebody asks again and again', async () => {
    vi.stubGlobal('VideoDecoder', Keeping)
    const reel = new Reel(
      packets,
      () => {},
      () => {},
    )
    const asking = setInterval(() => reel.aim(at(3)), 5)
    await shows(reel, 3).finally(() => clearInterval(asking))
    reel.close()
  })

  test('drawn at another size, the picture stays until there is one of that size', async () => {
    const again = () => reel.aim(at(5, 6, 7, 4))
    const reel = new Reel(packets, again, () => {})
    again()
    await shows(reel, 5)
    const steps = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    let turn = 0
    vi.mocked(createImageBitmap).mockImplementation((async (picture: never, how: never) => {
      await steps[turn]!.promise
      return made(picture, how)
    }) as never)
    // A window that is drawn larger and larger, faster than bitmaps are made.
    for (const width of [700, 320, 480]) {
      reel.size(width, 1)
      await Promise.resolve()
      expect(reel.shown()).toMatchObject({ frame: 5, image: { of: 5 } })
      steps[turn]!.resolve()
      turn = Math.min(2, turn + 1)
    }
    await shows(reel, 5, 480)
    reel.close()
  })
})
