import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleVideos } from '../support/sample-media.ts'
import { createAssignedFolder, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer({ mediaWorkers: 1 })
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

async function exported(): Promise<Record<string, Uint8Array>> {
  expect((await ana.call('POST', '/api/account/export')).status).toBe(204)
  const latest = async () => (await ana.call('GET', '/api/account/export')).body.export
  await expect.poll(async () => (await latest()).made, { timeout: 120_000, interval: 200 }).not.toBeNull()
  const answer = await ana.call('GET', `/api/account/exports/${(await latest()).id}`)
  return unzipSync(new Uint8Array(await (await fetch(answer.headers.get('location')!)).arrayBuffer()))
}
const picturesIn = (pdf: Uint8Array) => strFromU8(pdf, true).match(/\/Subtype \/Image\b/g)?.length ?? 0

test('the feedback PDF in an export has a picture for each note', async () => {
  const { folder, video } = await createAssignedFolder(ana, ray, {}, await readFile(sampleVideos.mp4))
  const shape = { id: crypto.randomUUID(), tool: 'line', color: 3, width: 200, p: [2000, 5000, 6000, 0], from: 10, hold: 12, fade: 0 }
  const note = { video, at: 400, kind: 'technique', text: 'Hands back' }
  const notes = [
    { ...note, id: crypto.randomUUID(), frame: 10, shapes: [shape] },
    { ...note, id: crypto.randomUUID(), at: 1200 },
  ]
  const state = async () => (await ana.call('GET', `/api/folders/${folder}`)).body.session.clips[0].rendition?.state
  // Feedback on a video that nobody can watch yet is refused.
  await expect.poll(state, { timeout: 120_000, interval: 200 }).toBe('ready')
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { notes }))).status).toBe(204)
  const files = await exported()
  expect(picturesIn(files['Folders/Swings/Session 1/Feedback.pdf']!)).toBe(2)
})
