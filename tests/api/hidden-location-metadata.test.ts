import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaWorker } from '../../modules/media/media-worker.ts'
import { apiRoutes } from '../../src/api/index.ts'
import { reviewVideoScriptAndSourceFiles } from '../../src/api/review-videos.ts'
import { addPhoneMetadata, phoneMetadataStrings, sampleVideos, sampleVoice } from '../support/sample-media.ts'
import { createFolder, type FullServer, newReviewInput, startFullServer, startUploadAndSendParts, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

/** A photo taken with a phone, whose metadata names the place and the device. */
const photo = () =>
  sharp({ create: { width: 600, height: 600, channels: 3, background: '#14532D' } })
    .withExif({ IFD0: { Model: phoneMetadataStrings[1]!, Copyright: phoneMetadataStrings[0]! } })
    .jpeg()
    .toBuffer() as Promise<Buffer<ArrayBuffer>>

/** Assigns a folder to the instructor, with a video from a phone and a still, both with location metadata. */
async function assigned(name: string) {
  const folder = await createFolder(ana, name)
  const [file, still] = [addPhoneMetadata(await readFile(sampleVideos.mov)), await photo()]
  const { id, complete } = await startUploadAndSendParts(ana, folder, file, { name: 'IMG_1.MOV', type: 'video/quicktime' })
  const { url } = (await ana.call('POST', `/api/uploads/${id}/poster`, { bytes: still.length })).body
  expect((await fetch(url, { method: 'PUT', body: still, headers: { 'content-type': 'image/jpeg' } })).status).toBe(200)
  expect((await complete({ milliseconds: 2000, width: 320, height: 240, poster: true })).status).toBe(200)
  const assignment = crypto.randomUUID()
  expect((await ana.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: ray.id })).status).toBe(204)
  return { folder, video: id, assignment }
}
type AssignedFolder = Awaited<ReturnType<typeof assigned>>

/** All URLs of files in a response: signed URLs, and profile pictures. */
const filesIn = (text: string) => [
  ...[...text.matchAll(/"(https?:[^"]*X-Amz-Signature[^"]*)"/g)].map(match => match[1]!),
  ...[...text.matchAll(/"([0-9a-f]{32}\.webp)"/g)].map(match => `/uploads/profile/${match[1]}`),
]

/**
 * Calls every GET route that the role may call, for each of `folders`, and downloads every file named in the responses. Skips routes with
 * other parameters. `token` is that of a private link that the person was given. `telling` has the paths of files with phone metadata.
 */
async function crawl(who: TestUser, role: 'player' | 'instructor', folders: AssignedFolder[], token = '') {
  const answers: string[] = []
  for (const { method, path, endpoint } of apiRoutes) {
    const { access } = endpoint
    if (method !== 'GET' || !(access === 'anyone' || access === 'signed-in' || access.includes(role))) continue
    for (const { folder, assignment, video } of folders) {
      const parameters = { folder, assignment, video, player: ana.id, ...(token && { token }) }
      const named = path.replaceAll(/\{(\w+)\}/g, (all, name: string) => parameters[name as keyof typeof parameters] ?? all)
      if (named.includes('{')) continue
      const asked = { folder, session: assignment }
      const shape = endpoint.query?.shape ?? {}
      const query = new URLSearchParams(Object.entries(asked).filter(([name]) => name in shape))
      answers.push((await who.call('GET', `${named}?${query}`)).text)
    }
  }
  const files = new Map<string, Buffer>()
  for (const url of new Set(answers.flatMap(filesIn))) {
    const reply = url.startsWith('/') ? await s.fetch(new Request(`http://ours.test${url}`)) : await fetch(url)
    if (reply.ok) files.set(new URL(url, 'http://ours.test').pathname, Buffer.from(await reply.arrayBuffer()))
  }
  const telling = [...files].filter(([, bytes]) => phoneMetadataStrings.some(secret => bytes.includes(secret))).map(([path]) => path)
  return { answers, paths: [...files.keys()], telling }
}

test('an instructor never sees where, or with which device, a player filmed', async () => {
  const [june, july] = [await assigned('June'), await assigned('July')]
  const { folder, video } = july
  const image = { 'content-type': 'image/jpeg' }
  for (const who of [ana, ray]) expect((await who.call('PUT', '/api/user/picture', await photo(), image)).status).toBe(200)
  const sound = await readFile(sampleVoice)
  const spoken = {
    id: crypto.randomUUID(),
    video,
    frame: 0,
    milliseconds: 3000,
    type: 'audio/webm',
    bytes: sound.length,
    actions: [],
    shapes: [],
  }
  const { id, bytes, type } = spoken
  const signed = await ray.call('POST', `/api/folders/${folder}/voices`, { id, bytes, type })
  expect((await fetch(signed.body.url, { method: 'PUT', body: sound, headers: { 'content-type': type } })).status).toBe(200)
  const side = (folder: string, of: string) => ({ folder, video: of, origin: 0, offset: 0, scale: 1 })
  const sides = [side(folder, video), side(june.folder, june.video)]
  const comparisons = [{ id: crypto.randomUUID(), title: 'Then and now', sides, mode: 'side', stretch: false }]
  const review = newReviewInput(video, { comparisons, voices: [spoken] })
  expect((await ray.call('POST', `/api/folders/${folder}/feedback`, review)).status).toBe(204)
  const folders = [july, june]

  // The player's own files do contain the metadata, which proves that this test would find it.
  const own = await crawl(ana, 'player', folders)
  expect(own.telling.filter(path => path.includes('/videos/'))).toHaveLength(2)
  const before = await crawl(ray, 'instructor', folders)
  expect(before.telling).toEqual([])
  expect(before.paths.some(path => path.includes(`/posters/${folder}/`))).toBe(true)
  expect((await ray.call('GET', `/api/folders/${folder}/videos/${video}/original`)).status).toBe(403)

  await s.sql`update media_work set state = 'waiting'`
  const ending = new AbortController()
  const worker = mediaWorker({
    sql: s.sql,
    objects: s.deps.objects,
    log: pino({ level: 'silent' }),
    atOnce: 2,
    shortBeside: 0,
    reviewVideos: reviewVideoScriptAndSourceFiles(s.deps),
  })
  // The player requests the review as one video, and gives the instructor a private link, too.
  const inSession = `session=${july.assignment}`
  expect((await ana.call('POST', `/api/folders/${folder}/review-video?${inSession}`)).status).toBe(202)
  const link = await ana.call('POST', `/api/folders/${folder}/links?${inSession}`, { id: crypto.randomUUID(), name: '' })
  const { token } = link.body
  expect(link.status).toBe(201)
  await worker.start(ending.signal)
  try {
    const waiting = () => s.sql`select 1 from media_work where state <> 'ready'`
    while ((await s.sql`select 1 from media_work`).length < 4 || (await waiting()).length) await sleep(100)
  } finally {
    ending.abort()
    await worker.settled()
  }
  const after = await crawl(ray, 'instructor', folders, token)
  expect(after.telling).toEqual([])
  const prefixes = ['posters', 'renditions', 'filmstrips', 'tables', 'heard', 'profile', 'reviews']
  expect(prefixes.filter(prefix => !after.paths.some(path => path.includes(`/${prefix}/`)))).toEqual([])
  expect(after.paths.filter(path => path.includes('/videos/'))).toEqual([])
  for (const text of [...before.answers, ...after.answers]) for (const secret of phoneMetadataStrings) expect(text).not.toContain(secret)
  const player = await crawl(ana, 'player', folders)
  expect(player.telling.filter(path => !path.includes('/videos/'))).toEqual([])
}, 300_000)
