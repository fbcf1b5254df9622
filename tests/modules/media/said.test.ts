import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Word } from '../../../modules/media/child/words.ts'
import { supervise } from '../../../modules/media/supervise.ts'
import { type Workshop, workshop } from './workshop.ts'

vi.mock('../../../modules/media/supervise.ts', async original => ({ ...(await original<object>()), supervise: vi.fn() }))

let shop: Workshop
beforeAll(async () => {
  shop = await workshop()
})
afterAll(() => shop.end())

const media = {
  ...{ container: 'mp4', codec: 'avc', width: 320, height: 240, rotation: 0, milliseconds: 2000, frames: 60, rate: [30, 1] },
  ...{ variable: false, hdr: false, sound: false, captureRate: null },
}

/** Whoever opens a stranger's file is not believed: everybody who looks at the folder gets what it says. */
test.each([
  ['a number that is none', { milliseconds: null }],
  ['a number past all numbers', { rate: [1, 2 ** 53] }],
  ['half a frame', { frames: 59.5 }],
])('%s is refused as damaged, and kept nowhere', async (_, wrong) => {
  vi.mocked(supervise).mockImplementation((_, on) => {
    const said = { is: 'looked', media: { ...media, ...wrong }, table: { version: 1, scale: 30, first: 0, runs: [[60, 1]] } }
    return { pid: 1, kill: () => {}, outcome: on(said as Word).then(() => new Promise<never>(() => {})) }
  })
  const { video } = await shop.add(new Uint8Array(10))
  const { end } = await shop.worker()
  expect(await shop.settled(video)).toMatchObject({ state: 'refused', code: 'damaged', media: null, losses: 0 })
  expect((await shop.keys()).filter(key => key.startsWith('tables/'))).toEqual([])
  await end()
})
