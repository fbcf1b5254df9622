import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heardKey, spokenKey, voiceKey } from '../../modules/media/keys.ts'
import { chores } from '../../src/server/parts.ts'
import { voice as recorded, samples } from '../support/media.ts'
import { assignedFolder, type Person, refused, reviewOf, type Stage, stage } from './stage.ts'

let s: Stage
let ana: Person
let ray: Person
let kim: Person
let admin: Awaited<ReturnType<Stage['admin']>>
let file: Uint8Array<ArrayBuffer>
let swing: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  s = await stage({ mediaWorkers: 1 })
  ;[ana, ray, kim, admin] = await Promise.all([s.player(), s.instructor(), s.instructor(), s.admin()])
  ;[file, swing] = await Promise.all([readFile(recorded), readFile(samples.mp4)])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

const type = 'audio/webm'
const spoken = (video: string) => ({ id: randomUUID(), video, frame: 0, milliseconds: 3300, bytes: file.length, type, actions: [] })
type Said = ReturnType<typeof spoken>
const sign = (who: Person, folder: string, { id, bytes }: Pick<Said, 'id' | 'bytes'>) =>
  who.call('POST', `/api/folders/${folder}/voices`, { id, type, bytes })
async function send(folder: string, voice: Said, body = file) {
  const { url } = (await sign(ray, folder, voice)).body
  expect((await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })).status).toBe(200)
  return url as string
}
const sessionOf = async (who: Pick<Person, 'call'>, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body.session
const there = (key: string) => s.deps.objects.head(key)
const until = async (is: () => Promise<boolean>) => {
  while (!(await is())) await sleep(50)
}
const withVoices = (video: string, voices: Said[]) => {
  const review = reviewOf(video)
  return { ...review, notes: [{ ...review.notes[0]!, voice: voices[0]!.id }], voices }
}

test('only the instructor of the open assignment may send what was said, and only they hear it before it is delivered', async () => {
  const { folder, video, assignment } = await assignedFolder(ana, ray, {}, swing)
  const [one, two] = [spoken(video), spoken(video)]
  expect((await sign(ana, folder, one)).status).toBe(403)
  expect((await sign(kim, folder, one)).status).toBe(404)
  expect((await sign(ray, folder, { ...one, bytes: 11 * 1024 * 1024 })).status).toBe(422)
  await send(folder, one)
  await send(folder, two)
  const draft = { ...withVoices(video, [one, two]), summary: '' }
  expect((await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
  const { voices } = await sessionOf(ray, folder)
  expect(voices.map((v: Said) => v.id)).toEqual([one.id, two.id])
  const reply = await fetch(voices[1].url)
  expect([reply.headers.get('content-type'), Buffer.from(await reply.arrayBuffer()).equals(file)]).toEqual([type, true])
  for (const who of [ana, admin]) expect((await sessionOf(who, folder)).voices).toEqual([])

  expect((await ray.call('POST', `/api/folders/${folder}/decline`, { reason: 'Away.' })).status).toBe(204)
  await until(async () => !(await there(voiceKey(assignment, one.id))) && !(await there(voiceKey(assignment, two.id))))
  expect((await sign(ray, folder, one)).status).toBe(404)
}, 30_000)

test('a review is delivered when each of its voices has arrived, and then they stay; every browser gets AAC of them', async () => {
  const { folder, video, assignment } = await assignedFolder(ana, ray, {}, swing)
  const [one, two, unused] = [spoken(video), spoken(video), spoken(video)]
  const review = withVoices(video, [one, two])
  const deliver = () => ray.call('POST', `/api/folders/${folder}/feedback`, review)
  const url = await send(folder, one)
  await send(folder, unused)
  const missing = await deliver()
  refused(missing, 409, 'voice-missing')
  expect(missing.body.message).toContain('The voice-over over the whole review (0:03) has not arrived')
  expect(missing.body.errors ?? missing.body.field).toEqual(expect.anything())
  await send(folder, two, new Uint8Array(file.length).fill(60))
  refused(await deliver(), 409, 'voice-missing')
  await send(folder, two)
  expect((await deliver()).status).toBe(204)
  expect((await deliver()).status).toBe(204)
  refused(await sign(ray, folder, spoken(video)), 409, 'delivered')
  await until(async () => !(await there(voiceKey(assignment, unused.id))))

  // A signature from before changes nothing of what was delivered.
  await fetch(url, { method: 'PUT', body: new Uint8Array(file.length), headers: { 'content-type': type } })
  expect(Buffer.from((await s.deps.objects.read(spokenKey(assignment, one.id), 0, 1e6))!).equals(file)).toBe(true)

  await until(async () => (await sessionOf(ana, folder)).voices.every((v: { type: string }) => v.type === 'audio/mp4'))
  for (const who of [ana, ray, admin]) {
    const { voices } = await sessionOf(who, folder)
    expect(voices.map((v: Said) => v.id)).toEqual([one.id, two.id])
    expect((await fetch(voices[0].url)).headers.get('content-type')).toBe('audio/mp4')
  }
  expect((await kim.call('GET', `/api/folders/${folder}`)).status).toBe(404)

  s.pass(25 * 3600_000)
  const sweep = chores(s.deps).find(c => c.name === 'sweeping everything')!
  await sweep.run(new AbortController().signal)
  s.pass(-25 * 3600_000)
  for (const { id } of [one, two]) {
    expect(await Promise.all([voiceKey, spokenKey, heardKey].map(async key => Boolean(await there(key(assignment, id)))))).toEqual([
      ...[false, true, true],
    ])
  }
}, 60_000)

test('what was recorded and is in no draft goes after a day; what is in one stays', async () => {
  const { folder, video, assignment } = await assignedFolder(ana, ray, {}, swing)
  const [kept, dropped] = [spoken(video), spoken(video)]
  await send(folder, kept)
  await send(folder, dropped)
  const stranger = [randomUUID(), randomUUID()] as const
  await s.deps.objects.put(spokenKey(...stranger), type, file)
  await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft: { notes: [], summary: '', grades: [], voices: [kept] } })
  await s.deps.objects.put(spokenKey(assignment, kept.id), type, file)
  s.pass(25 * 3600_000)
  await chores(s.deps)
    .find(c => c.name === 'sweeping everything')!
    .run(new AbortController().signal)
  s.pass(-25 * 3600_000)
  expect(Boolean(await there(voiceKey(assignment, kept.id)))).toBe(true)
  // Kept for a delivery that did not come about.
  expect(await there(spokenKey(assignment, kept.id))).toBeNull()
  expect(await there(voiceKey(assignment, dropped.id))).toBeNull()
  // Nobody knows this assignment: it is not ours to judge.
  expect(Boolean(await there(spokenKey(...stranger)))).toBe(true)
}, 30_000)
