import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSweepRun } from '../support/is-sweep-run.ts'
import { sampleVideos, writePaddedVideo } from '../support/sample-media.ts'
import { manualUpload, startTestInstallation, type TestInstallation } from './test-installation.ts'

let w: TestInstallation
beforeAll(async () => {
  w = await startTestInstallation()
}, 120_000)
afterAll(() => w?.server.stop())

/** The number of kills at random moments, for benchmark U2. */
const KILLS = Number(process.env.UPLOAD_KILLS ?? 0)
/** Milliseconds between each request and its kill: random in the benchmark; early, halfway and late in `npm run sweep`. */
const MOMENTS = KILLS ? Array.from({ length: Math.ceil(KILLS / 2) }, () => 2 + Math.random() * 100) : isSweepRun ? [4, 15, 45] : [15]
const SLOW = { timeout: 300_000 + MOMENTS.length * 30_000 }
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const clipsOf = async (folder: string) => (await w.player.call('GET', `/api/folders/${folder}`)).body.clips

test('killing the server during an upload loses no stored part; the rest can follow', SLOW, async () => {
  const file = await readFile(await writePaddedVideo(sampleVideos.mp4, 26 * 1024 * 1024))
  const folder = await w.newFolder()
  const up = manualUpload(w.player, folder, file)
  const { partBytes, parts } = (await up.start()).body
  expect(parts).toBe(4)
  await up.put([1], partBytes)
  await w.killDuring(() => up.put([3], partBytes), 25)

  const { uploads } = (await w.player.call('GET', `/api/uploads?folder=${folder}`)).body
  const arrived: number[] = uploads[0].arrived.map((p: { number: number }) => p.number)
  expect(arrived).toContain(1)
  await up.put(
    [1, 2, 3, 4].filter(n => !arrived.includes(n)),
    partBytes,
  )
  expect((await up.complete()).status).toBe(200)
  const [clip] = await clipsOf(folder)
  expect(sha(new Uint8Array(await (await fetch(clip.url)).arrayBuffer()))).toBe(sha(file))
})

test('uploads abandoned after a server crash are deleted, and added videos stay', SLOW, async () => {
  const file = await readFile(await writePaddedVideo(sampleVideos.mp4, 26 * 1024 * 1024))
  const newUpload = async () => manualUpload(w.player, await w.newFolder(), file)
  for (const after of MOMENTS) await w.killDuring((await newUpload()).start, after)
  const abandoned = await newUpload()
  const { partBytes } = (await abandoned.start()).body
  await w.killDuring(() => abandoned.put([1, 2], partBytes), 100)

  const folder = await w.newFolder()
  const kept = manualUpload(w.player, folder, file)
  await kept.start()
  await kept.put([1, 2, 3, 4], partBytes)
  expect((await kept.complete()).status).toBe(200)

  const { videos, unfinished } = await w.keysAfterTomorrowsSweep()
  expect(unfinished).toEqual([])
  expect(videos).toContain(`videos/${folder}/${kept.id}`)
  for (const key of videos) expect(await w.eventTypesOf(`folder-${key.split('/')[1]}`)).toContain('VideoAdded')
  const [clip, ...more] = await clipsOf(folder)
  expect(more).toEqual([])
  expect(sha(new Uint8Array(await (await fetch(clip.url)).arrayBuffer()))).toBe(sha(file))
})

test('a video is added to its folder once, even if a kill interrupts that', SLOW, async () => {
  const folder = await w.newFolder()
  const up = manualUpload(w.player, folder, await readFile(await writePaddedVideo(sampleVideos.mp4, 26 * 1024 * 1024)))
  const { partBytes } = (await up.start()).body
  await up.put([1, 2, 3, 4], partBytes)
  for (const after of MOMENTS) await w.killDuring(up.complete, after)
  expect((await up.complete()).body).toEqual({ video: up.id })
  expect((await w.eventTypesOf(`folder-${folder}`)).filter(type => type === 'VideoAdded')).toHaveLength(1)
  const [clip] = await clipsOf(folder)
  expect((await fetch(clip.url, { headers: { range: 'bytes=0-99' } })).status).toBe(206)
})
