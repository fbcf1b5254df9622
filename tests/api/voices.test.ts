import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { convertedVoiceKey, deliveredVoiceKey, uploadedVoiceKey } from '../../modules/media/object-keys.ts'
import { TRANSFER_URL_SECONDS } from '../../modules/media/policy.ts'
import { deliveredVoiceSources } from '../../src/api/voice-over-upload-and-playback-urls.ts'
import { scheduledJobs } from '../../src/server/module-registry.ts'
import { sampleVoice as recorded } from '../support/sample-media.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
let kim: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
let file: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray, kim, admin] = await Promise.all([s.player(), s.instructor(), s.instructor(), s.admin()])
  file = await readFile(recorded)
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

const type = 'audio/webm'
const newVoice = (video: string) => ({ id: randomUUID(), video, frame: 0, milliseconds: 3300, bytes: file.length, type, actions: [] })
type NewVoice = ReturnType<typeof newVoice>
const sign = (who: TestUser, folder: string, { id, bytes }: Pick<NewVoice, 'id' | 'bytes'>) =>
  who.call('POST', `/api/folders/${folder}/voices`, { id, type, bytes })
async function send(folder: string, voice: NewVoice, body = file) {
  const { url } = (await sign(ray, folder, voice)).body
  expect((await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })).status).toBe(200)
  return url as string
}
const sessionOf = async (who: Pick<TestUser, 'call'>, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body.session
const headObject = (key: string) => s.deps.objects.head(key)
const expectObjectsDeleted = (...keys: string[]) =>
  expect.poll(async () => (await Promise.all(keys.map(headObject))).filter(Boolean)).toEqual([])
async function sweepADayLater() {
  const day = 25 * 3600_000
  s.advanceClock(day)
  // Forget the job's last run: the database's clock, which the test does not move, decides whether a day has passed.
  await s.sql`delete from job_runs`
  try {
    await scheduledJobs(s.deps)
      .find(c => c.name === 'sweeping everything')!
      .run(new AbortController().signal)
  } finally {
    s.advanceClock(-day)
  }
}
const withVoices = (video: string, voices: NewVoice[]) => {
  const review = newReviewInput(video)
  return { ...review, notes: [{ ...review.notes[0]!, voice: voices[0]!.id }], voices }
}

test('before delivery only the assigned instructor uploads and hears voice-overs', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  const [one, two] = [newVoice(video), newVoice(video)]
  expect((await sign(ana, folder, one)).status).toBe(403)
  expect((await sign(kim, folder, one)).status).toBe(404)
  expect((await sign(ray, folder, { ...one, bytes: 11 * 1024 * 1024 })).status).toBe(422)
  const lasts = Date.parse((await sign(ray, folder, one)).body.expires) - Date.now()
  expect(lasts).toBeGreaterThan(TRANSFER_URL_SECONDS * 1000 - 60_000)
  expect(lasts).toBeLessThanOrEqual(TRANSFER_URL_SECONDS * 1000)
  await send(folder, one)
  await send(folder, two)
  const draft = { ...withVoices(video, [one, two]), summary: '' }
  expect((await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
  const { voices } = await sessionOf(ray, folder)
  expect(voices.map((v: NewVoice) => v.id)).toEqual([one.id, two.id])
  const reply = await fetch(voices[1].url)
  expect([reply.headers.get('content-type'), Buffer.from(await reply.arrayBuffer()).equals(file)]).toEqual([type, true])
  for (const who of [ana, admin]) expect((await sessionOf(who, folder)).voices).toEqual([])

  expect((await ray.call('POST', `/api/folders/${folder}/decline`, { reason: 'Away.' })).status).toBe(204)
  await expectObjectsDeleted(uploadedVoiceKey(assignment, one.id), uploadedVoiceKey(assignment, two.id))
  expect((await sign(ray, folder, one)).status).toBe(404)
})

test('a review is refused, naming a missing voice-over, until all of them have arrived', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  const [whole, unused] = [{ ...newVoice(video), milliseconds: 65_900 }, newVoice(video)]
  const [first, second] = [newVoice(video), { ...newVoice(video), milliseconds: 3900 }]
  const notes = [first, second].map(({ id }) => ({ ...newReviewInput(video).notes[0]!, id: randomUUID(), voice: id }))
  const deliver = () =>
    ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { notes, voices: [whole, first, second] }))
  const missing = async (which: string, field: string) => {
    const answer = await deliver()
    expectRefusal(answer, 409, 'voice-missing')
    const todo = 'Open the review where you recorded it and let it upload, or delete it.'
    expect(answer.body).toMatchObject({
      message: `The voice-over ${which} has not arrived yet. ${todo}`,
      field,
    })
  }
  await missing('over the whole review (1:05)', 'voices.0')
  await send(folder, whole)
  await send(folder, unused)
  await missing('of note 1 (0:03)', 'voices.1')
  await send(folder, first)
  await send(folder, second, new Uint8Array(file.length).fill(60))
  await missing('of note 2 (0:03)', 'voices.2')
  await send(folder, second)
  expect((await deliver()).status).toBe(204)
  expectRefusal(await sign(ray, folder, newVoice(video)), 409, 'delivered')
  await expectObjectsDeleted(uploadedVoiceKey(assignment, unused.id))
  // A repeated delivery gets the same response, and the server does not check its voice-overs again.
  for (const { id } of [whole, first, second]) await s.deps.objects.remove(deliveredVoiceKey(assignment, id))
  expect((await deliver()).status).toBe(204)
  const other = await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { voices: [newVoice(video)] }))
  expect(other.body.code).not.toBe('voice-missing')
  // A review without voice-overs is delivered without a check of uploads.
  const silent = await createAssignedFolder(ana, ray)
  expect((await ray.call('POST', `/api/folders/${silent.folder}/feedback`, newReviewInput(silent.video))).status).toBe(204)
})

test('a delivered voice-over never changes, and every browser gets AAC once it is made', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  const [one, two] = [newVoice(video), newVoice(video)]
  const url = await send(folder, one)
  await send(folder, two)
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, withVoices(video, [one, two]))).status).toBe(204)
  // An upload through a URL signed before the delivery does not change the delivered file.
  await fetch(url, { method: 'PUT', body: new Uint8Array(file.length), headers: { 'content-type': type } })

  const heard = async (who: Pick<TestUser, 'call'>) =>
    Promise.all(
      (await sessionOf(who, folder)).voices.map(async (v: { id: string; url: string | null; type: string }) => {
        if (v.url === null) return [v.id, 'is being prepared']
        const answer = await fetch(v.url)
        return [v.id, v.type, answer.headers.get('content-type'), Buffer.from(await answer.arrayBuffer()).equals(file)]
      }),
    )
  const asRecorded = (its: NewVoice) => [its.id, type, type, true]
  const awaited = (its: NewVoice) => [its.id, 'is being prepared']
  for (const who of [ray, admin]) expect(await heard(who)).toEqual([one, two].map(asRecorded))
  // The player waits for the conversion, which removes the metadata of the program that recorded the sound.
  expect(await heard(ana)).toEqual([one, two].map(awaited))
  const work = mediaJobQueue(s.sql)
  const ids = [one.id, two.id]
  const orders = async () => ids.map(async id => (await work.of([id], 'voice')).get(id))
  await expect
    .poll(async () => Promise.all(await orders()))
    .toMatchObject(ids.map(id => ({ key: deliveredVoiceKey(assignment, id), type, bytes: file.length, state: 'waiting' })))
  // Simulates the result of the worker's conversion.
  await s.deps.objects.put(convertedVoiceKey(assignment, two.id), 'audio/mp4', new Uint8Array(100))
  await s.sql`update media_work set state = 'ready' where video = ${two.id} and kind = 'voice'`
  const prepared = [two.id, 'audio/mp4', 'audio/mp4', false]
  for (const who of [ray, admin]) expect(await heard(who)).toEqual([asRecorded(one), prepared])
  expect(await heard(ana)).toEqual([awaited(one), prepared])
  // A recording that cannot be converted is played as it was uploaded.
  await s.sql`update media_work set state = 'refused', code = 'no-encoder' where video = ${one.id} and kind = 'voice'`
  expect(await heard(ana)).toEqual([asRecorded(one), prepared])
  expect((await kim.call('GET', `/api/folders/${folder}`)).status).toBe(404)

  await sweepADayLater()
  const kept = (id: string) =>
    Promise.all([uploadedVoiceKey, deliveredVoiceKey, convertedVoiceKey].map(async key => Boolean(await headObject(key(assignment, id)))))
  expect(await Promise.all(ids.map(kept))).toEqual([
    [false, true, false],
    [false, true, true],
  ])
})

test.each([
  ['player', false],
  ['guardian', false],
  ['guest', false],
  ['instructor', true],
  ['admin', true],
] as const)('before the conversion, a %s has a URL for the recording: %s', async (viewer, hasUrl) => {
  const [source] = await deliveredVoiceSources(s.deps, randomUUID(), [{ ...newVoice(randomUUID()), type }], viewer)
  expect(source!.url !== null).toBe(hasUrl)
})

test('a voice-over plays its own recording even if another one has the same id', async () => {
  const [first, second] = [await createAssignedFolder(ana, ray), await createAssignedFolder(ana, ray)]
  const voice = newVoice(first.video)
  await send(first.folder, voice)
  expect((await ray.call('POST', `/api/folders/${first.folder}/feedback`, withVoices(first.video, [voice]))).status).toBe(204)
  await expect.poll(async () => (await mediaJobQueue(s.sql).of([voice.id], 'voice')).size).toBe(1)
  await s.deps.objects.put(convertedVoiceKey(first.assignment, voice.id), 'audio/mp4', new Uint8Array(100))
  await s.sql`update media_work set state = 'ready' where video = ${voice.id} and kind = 'voice'`
  const again = { ...voice, video: second.video }
  await send(second.folder, again)
  expect((await ray.call('POST', `/api/folders/${second.folder}/feedback`, withVoices(second.video, [again]))).status).toBe(204)
  const [its] = (await sessionOf(ana, second.folder)).voices
  expect([its.type, (await fetch(its.url)).status]).toEqual([type, 200])
})

test('a recording stays while its review is open, even if no saved draft names it', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  const [drafted, elsewhere] = [newVoice(video), newVoice(video)]
  await send(folder, drafted)
  await send(folder, elsewhere)
  await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft: { notes: [], summary: '', grades: [], voices: [drafted] } })
  const strange = [randomUUID(), randomUUID()] as const
  await s.deps.objects.put(deliveredVoiceKey(...strange), type, file)
  await sweepADayLater()
  for (const { id } of [drafted, elsewhere]) expect(Boolean(await headObject(uploadedVoiceKey(assignment, id)))).toBe(true)
  // The log has no such assignment, so the sweeper must not delete its objects.
  expect(Boolean(await headObject(deliveredVoiceKey(...strange)))).toBe(true)

  // A refused delivery leaves its copies of recordings in place, because another delivery may be about to use them.
  const late = newVoice(video)
  expectRefusal(
    await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { voices: [drafted, elsewhere, late] })),
    ...([409, 'voice-missing'] as const),
  )
  await sweepADayLater()
  expect(Boolean(await headObject(deliveredVoiceKey(assignment, elsewhere.id)))).toBe(true)
  const delivered = await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { voices: [elsewhere] }))
  expect(delivered.status).toBe(204)
  await sweepADayLater()
  expect(await Promise.all([deliveredVoiceKey, uploadedVoiceKey].map(key => headObject(key(assignment, drafted.id))))).toEqual([null, null])
  expect(Boolean(await headObject(deliveredVoiceKey(assignment, elsewhere.id)))).toBe(true)

  // Recordings that arrive after the end of an assignment are deleted, too.
  const declined = await createAssignedFolder(ana, ray)
  const after = newVoice(declined.video)
  const { url } = (await sign(ray, declined.folder, after)).body
  expect((await ray.call('POST', `/api/folders/${declined.folder}/decline`, { reason: 'Away.' })).status).toBe(204)
  await fetch(url, { method: 'PUT', body: file, headers: { 'content-type': type } })
  await sweepADayLater()
  expect(await headObject(uploadedVoiceKey(declined.assignment, after.id))).toBeNull()
})

test('a sweep keeps recordings of a delivery that runs at the same time', async () => {
  const { folder, video, assignment } = await createAssignedFolder(ana, ray)
  const [one, late] = [newVoice(video), newVoice(video)]
  await send(folder, one)
  const deliver = () => ray.call('POST', `/api/folders/${folder}/feedback`, withVoices(video, [one, late]))
  expectRefusal(await deliver(), 409, 'voice-missing')
  // A delivery happens between the sweeper's listing and its deletion.
  const { objects } = s.deps
  const { list } = objects
  let delivered: Awaited<ReturnType<typeof deliver>> | undefined
  objects.list = async function* (prefix) {
    yield* list(prefix)
    if (prefix !== 'heard/') return
    await send(folder, late)
    delivered = await deliver()
  }
  try {
    await sweepADayLater()
  } finally {
    objects.list = list
  }
  expect(delivered?.status).toBe(204)
  expect(Boolean(await headObject(deliveredVoiceKey(assignment, one.id)))).toBe(true)
})
