import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { frameTableKey, videoKey } from '../../modules/media/object-keys.ts'
import type { Progress } from '../../modules/progress/contract.ts'
import { createAssignedFolder, type FullServer, newReviewInput, startFullServer } from './full-server.ts'

let s: FullServer
beforeAll(async () => {
  s = await startFullServer()
})
afterAll(() => s.end())

test('only a few frame tables are in memory at once, however many sessions there are', async () => {
  const [ana, ray] = await s.playerAndInstructor()
  const { objects } = s.deps
  for (let i = 0; i < 7; i++) {
    const { folder, video } = await createAssignedFolder(ana, ray)
    const checkpoints = [
      { video, skill: 'hitting', name: 'load', frame: 1, by: 'hand' },
      { video, skill: 'hitting', name: 'contact', frame: 2, by: 'hand' },
    ]
    expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { checkpoints }))).status).toBe(204)
    // A variable frame rate: with 1,000 ticks a second, the three frames start at 0, 10 and 40 ms.
    const table = { version: 1, scale: 1000, first: 0, runs: [[1, 10], [1, 30], [1, 5]] } // biome-ignore format: one line
    await objects.put(frameTableKey(folder, video), 'application/json', Buffer.from(JSON.stringify(table)))
    await mediaJobQueue(s.sql).add({ kind: 'rendition', video, folder, key: videoKey(folder, video), type: 'video/mp4', bytes: 9 })
    const media = { container: 'mp4', codec: 'avc', width: 2, height: 2, rotation: 0, milliseconds: 45, frames: 3, rate: null, variable: true } // biome-ignore format: one line
    await s.sql`update media_work set media = ${s.sql.json({ ...media, hdr: false, sound: false, captureRate: null })} where video = ${video}`
  }
  const { read } = objects
  let [now, most, all] = [0, 0, 0]
  objects.read = async (key, start, end) => {
    if (!key.startsWith('tables/')) return read(key, start, end)
    most = Math.max(most, ++now)
    all++
    return read(key, start, end).finally(() => now--)
  }
  const { status, body } = await ana.call('GET', '/api/progress')
  objects.read = read
  expect(status).toBe(200)
  const { sessions } = body as Progress
  expect(sessions.map(x => x.swings[0]!.positions.map(p => p.after))).toEqual(Array(7).fill([0, 30]))
  expect(sessions.map(x => x.given)).toEqual(sessions.map(x => x.given).toSorted())
  expect([all, most]).toEqual([7, 2])
})
