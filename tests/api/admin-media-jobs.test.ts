import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { type FullServer, startFullServer } from './full-server.ts'

let s: FullServer
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  admin = await s.admin()
})
afterAll(() => s.end())

test.each([
  ['retry', undefined],
  ['refuse', { reason: 'It shows somebody else.' }],
])('an attempt to %s a video that was never prepared is answered with 404', async (action, body) => {
  expect((await admin.call('POST', `/api/admin/media/${randomUUID()}/${action}`, body)).status).toBe(404)
})

test('refusing a video or retrying a voice-over leaves the other job alone', async () => {
  const [video, folder] = [randomUUID(), randomUUID()]
  const queue = mediaJobQueue(s.sql)
  for (const kind of ['rendition', 'voice'] as const) await queue.add({ kind, video, folder, key: kind, type: 'video/mp4', bytes: 1 })
  const call = (action: string, body?: object) => admin.call('POST', `/api/admin/media/${video}/${action}`, body)
  const states = async () => [(await queue.of([video])).get(video)!.state, (await queue.of([video], 'voice')).get(video)!.state]
  expect(await call('refuse?kind=voice', { reason: 'It is only noise.' })).toMatchObject({ status: 409, body: { code: 'not-a-video' } })
  expect(await states()).toEqual(['waiting', 'waiting'])
  expect((await call('refuse', { reason: 'It is too long.' })).status).toBe(204)
  expect(await states()).toEqual(['refused', 'waiting'])
  // Earlier versions let administrators refuse voice-overs.
  await queue.refuseByAdministrator(video, 'voice', 'It is only noise.', randomUUID())
  expect(await states()).toEqual(['refused', 'refused'])
  expect((await call('retry?kind=voice')).status).toBe(204)
  expect(await states()).toEqual(['refused', 'waiting'])
})
