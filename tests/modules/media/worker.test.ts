import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { look } from '../../../modules/media/child/look.ts'
import { sameFrames } from '../../../modules/media/child/same.ts'
import { filmstripKey, posterKey, renditionKey, tableKey, videoKey } from '../../../modules/media/keys.ts'
import { samples } from '../../support/media.ts'
import { type Workshop, workshop } from './workshop.ts'

let shop: Workshop
beforeAll(async () => {
  shop = await workshop()
})
afterAll(() => shop.end())

const whole = async (key: string) => (await shop.objects.read(key, 0, 100_000_000))!

test('an MP4, a MOV and a WEBM become renditions with their frames, a table, a poster and a filmstrip', { timeout: 60_000 }, async () => {
  const { end } = await shop.worker({ loud: true })
  const dir = await mkdtemp(join(tmpdir(), 'rendition-'))
  for (const [name, codec] of [
    ['mp4', 'avc'],
    ['mov', 'avc'],
    ['webm', 'vp9'],
  ] as const) {
    const { folder, video } = await shop.add(samples[name])
    const its = await shop.settled(video)
    expect(its).toMatchObject({ state: 'ready', progress: 1, tries: 1, code: null, error: null })
    expect(its.media).toMatchObject({
      container: name,
      codec,
      width: 320,
      height: 240,
      frames: 60,
      rate: [30, 1],
      sound: false,
      hdr: false,
    })
    const file = join(dir, 'rendition.mp4')
    await writeFile(file, await whole(renditionKey(folder, video)))
    const [original, rendition] = [JSON.parse(`${Buffer.from(await whole(tableKey(folder, video)))}`), await look(file, 'video/mp4')]
    expect(rendition.table.first).toBe(0)
    expect(sameFrames(original, rendition.table)).toBe(true)
    expect(rendition.media).toMatchObject({ codec: 'avc', width: 320, height: 240, rotation: 0 })
    for (const key of [posterKey, filmstripKey]) expect([...(await whole(key(folder, video))).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
    expect(its.made).toMatchObject({ filmstrip: { count: 60, columns: 10, width: 120, height: 90 } })
    expect((await shop.keys()).filter(key => key.includes(video))).toHaveLength(5)
    expect(videoKey(folder, video)).toBe(its.key)
  }
  await rm(dir, { recursive: true })
  await end()
  expect((await readdir(tmpdir())).filter(name => name.startsWith(`diamondlink-media-${process.pid}-`))).toEqual([])
})
