import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Packets } from '../../../src/islands/compare/packets.ts'
import { Reel } from '../../../src/islands/compare/reel.ts'

const close = vi.fn()
/** Gives a picture for each packet, at once. */
class Decoder {
  state = 'configured'
  decodeQueueSize = 0
  private output: (picture: object) => void
  constructor({ output }: { output: (picture: object) => void }) {
    this.output = output
  }
  configure() {}
  decode({ timestamp }: { timestamp: number }) {
    queueMicrotask(() => this.output({ timestamp, close }))
  }
  async flush() {}
  close() {
    this.state = 'closed'
  }
}
/** What can be drawn on without the page; `null`: not even that. */
let context: object | null
class Canvas {
  getContext = () => context
  transferToImageBitmap = () => ({ by: 'hand', close })
}
const packets = {
  ...{ config: { codec: 'avc1', description: new Uint8Array(), codedWidth: 640, codedHeight: 360 }, count: 3 },
  ...{ keyOf: () => 0, bytes: () => new Uint8Array() },
} as Packets

beforeEach(() => {
  context = { drawImage: vi.fn() }
  vi.stubGlobal('VideoDecoder', Decoder)
  vi.stubGlobal(
    'EncodedVideoChunk',
    class {
      timestamp: number
      constructor({ timestamp }: { timestamp: number }) {
        this.timestamp = timestamp
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
