import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REFUSAL_MESSAGES } from '../../../modules/media/preparation-process/media-refusal.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { hostileFileBuilders, hostileUploads } from './hostile-files.ts'
import { type MediaWorkerTestbed, mediaTypeOf, startMediaWorkerTestbed } from './media-worker-testbed.ts'

let testbed: MediaWorkerTestbed
beforeAll(async () => {
  testbed = await startMediaWorkerTestbed()
})
afterAll(() => testbed.end())

test('damaged and hostile files are prepared or refused, and leave no files behind', {
  timeout: 240_000,
}, async () => {
  // Limits are low, so that a preparation that never ends is stopped within the test.
  const { end } = await testbed.worker({ limits: { probeCpuSeconds: 3, memory: 600_000_000 } })
  const before = process.memoryUsage().rss
  const validFiles = Object.values(sampleVideos).map(file => ({ file, type: mediaTypeOf(file) }))
  const files = [...hostileUploads(Object.keys(hostileFileBuilders).length, validFiles.slice(0, 1))]
  const added = await Promise.all(files.map(async ({ name, type, bytes }) => ({ name, ...(await testbed.add(bytes, type)) })))
  for (const { name, video } of added) {
    const work = await testbed.settled(video)
    const answer = work.state === 'ready' ? 'ready' : work.code
    expect([name, answer]).toEqual([name, expect.toSatisfy((a: string) => a === 'ready' || a in REFUSAL_MESSAGES)])
    if (name === 'nothing to be seen' || name.startsWith('a playlist') || name === 'noise')
      expect([name, work.state]).toEqual([name, 'refused'])
  }
  await end()
  // A refused file has no rendition. Only the original is stored and, if the probe succeeded, its frame table.
  const kept = (await testbed.keys()).filter(key => key.startsWith('renditions/')).length
  const works = [...(await testbed.work.of(added.map(a => a.video))).values()]
  expect(kept).toBe(works.filter(work => work.state === 'ready').length)
  expect((await readdir(tmpdir())).filter(name => name.startsWith(`diamondlink-media-${process.pid}-`))).toEqual([])
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
})
