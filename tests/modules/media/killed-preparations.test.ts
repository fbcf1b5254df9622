import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sampleVideos } from '../../support/sample-media.ts'
import { type MediaWorkerTestbed, preparationPids, startMediaWorkerTestbed } from './media-worker-testbed.ts'

let testbed: MediaWorkerTestbed
beforeAll(async () => {
  testbed = await startMediaWorkerTestbed()
})
afterEach(() => testbed.clear())
afterAll(() => testbed.end())

test.skipIf(process.platform !== 'linux')('killed preparations are restarted and leave no files behind', async () => {
  const before = new Set(await testbed.keys())
  const added = await Promise.all([sampleVideos.mp4, sampleVideos.mov, sampleVideos.webm].map(file => testbed.add(file)))
  const { end } = await testbed.worker({ atOnce: 2, lease: 1000 })
  for (let kills = 0; kills < 4; ) {
    const [pid] = await preparationPids()
    if (pid) process.kill(pid, 'SIGKILL')
    if (pid) kills++
    await sleep(60)
  }
  const works = await Promise.all(added.map(({ video }) => testbed.settled(video)))
  expect(works.map(work => [work.state, work.tries, work.losses])).toEqual(added.map(() => ['ready', 1, 0]))
  await end()
  for (const { video } of added) {
    expect((await testbed.keys()).filter(key => key.includes(video) && !before.has(key))).toHaveLength(5)
  }
})
