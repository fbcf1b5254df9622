import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_SINGLE_UPLOAD_BYTES, UPLOAD_PART_BYTES } from '../../modules/media/policy.ts'
import {
  ebmlHeader,
  fillerBytes,
  fillerWebmCluster,
  fillerWebmTracks,
  ftypBox,
  joinBytes,
  minimalMp4File,
  movFile,
  mp4Box,
  mvhdBox,
  mvhdBoxVersion1,
  WEBM_SEGMENT_ID,
  webmElement,
  webmFile,
  webmInfoOfDuration,
} from '../modules/media/container-builders.ts'
import { createFolder, expectRefusal, type FullServer, startFullServer, startUploadAndSendParts, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ana = await s.player()
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

const clips = async (folder: string) => (await ana.call('GET', `/api/folders/${folder}`)).body.clips
const large = () => joinBytes(minimalMp4File(), mp4Box('free', new Uint8Array(MAX_SINGLE_UPLOAD_BYTES)))
const text = new TextEncoder().encode('This is a shopping list: sunflower seeds, chalk, a new glove.\n'.repeat(200))

// @spec:4.25 @spec:5.25
test('MP4, MOV and WEBM are added to a folder; completing again changes nothing', async () => {
  const folder = await createFolder(ana)
  for (const [file, type] of [
    [minimalMp4File(), 'video/mp4'],
    [movFile(), 'video/quicktime'],
    [webmFile(), 'video/webm'],
  ] as const) {
    const { id, complete } = await startUploadAndSendParts(ana, folder, file, { type })
    expect((await complete()).body).toEqual({ video: id })
    expect((await complete()).body).toEqual({ video: id })
  }
  expect((await clips(folder)).map((c: { type: string }) => c.type)).toEqual(['video/mp4', 'video/quicktime', 'video/webm'])
  expect((await ana.call('GET', `/api/uploads?folder=${folder}`)).body.uploads).toEqual([])
})

test('an interrupted multipart upload continues with the missing parts', async () => {
  const folder = await createFolder(ana)
  const file = large()
  const { id, started, complete } = await startUploadAndSendParts(ana, folder, file, {}, [1, 3])
  expect(started.body).toMatchObject({ parts: 4, partBytes: UPLOAD_PART_BYTES, arrived: [] })
  const missing = await complete()
  expectRefusal(missing, 409, 'part-missing')
  expect(missing.body.message).toBe('Part 2 of 4 has not arrived. Choose the file again, and the upload continues where it stopped.')
  const { uploads } = (await ana.call('GET', `/api/uploads?folder=${folder}`)).body
  expect(uploads[0].arrived.map((p: { number: number }) => p.number)).toEqual([1, 3])
  expect((await ana.call('GET', `/api/uploads/${id}`)).body).toEqual(uploads[0])

  const { body } = await ana.call('POST', `/api/uploads/${id}/sign`, { numbers: [2, 4] })
  expect(Date.parse(body.expires)).toBeGreaterThan(Date.now())
  for (const { number, url, bytes } of body.parts) {
    const from = (number - 1) * UPLOAD_PART_BYTES
    await fetch(url, { method: 'PUT', body: file.slice(from, from + bytes) as Uint8Array<ArrayBuffer> })
  }
  expect((await complete()).status).toBe(200)
  const [clip] = await clips(folder)
  expect(Buffer.compare(Buffer.from(await (await fetch(clip.url)).arrayBuffer()), file)).toBe(0)
})

const browserMeasurements = {
  media: {
    container: 'mp4',
    codec: 'hevc',
    width: 1080,
    height: 1920,
    rotation: 90,
    milliseconds: 2500,
    frames: 75,
    rate: [30, 1],
    variable: false,
    hdr: false,
    sound: true,
    captureRate: null,
  },
  table: { version: 1, scale: 600, first: 0, runs: [[75, 20]] },
}
const probed = { milliseconds: 2500, width: 320, height: 240, poster: false }

test("the browser's measurements are shown until the server has read the file", async () => {
  const folder = await createFolder(ana)
  const { id, complete } = await startUploadAndSendParts(ana, folder)
  expect((await complete({ ...probed, inside: browserMeasurements })).status).toBe(200)
  await expect.poll(() => s.sql`update media_work set state = 'waiting' where video = ${id} returning 1`).toHaveLength(1)
  const [clip] = await clips(folder)
  expect(clip).toMatchObject({ media: browserMeasurements.media, width: 1080, height: 1920, rendition: { url: null } })
  expect(await (await fetch(clip.rendition.table)).json()).toEqual(browserMeasurements.table)
})

test.each([
  ['a frame count that differs from the frame table', { ...browserMeasurements, media: { ...browserMeasurements.media, frames: 76 } }],
  [
    'more frames than allowed',
    { media: { ...browserMeasurements.media, frames: 60_001 }, table: { ...browserMeasurements.table, runs: [[60_001, 1]] } },
  ],
  [
    'a frame table without frames',
    { media: { ...browserMeasurements.media, frames: 0 }, table: { ...browserMeasurements.table, runs: [] } },
  ],
  ['frames of zero length', { ...browserMeasurements, table: { ...browserMeasurements.table, runs: [[75, 0]] } }],
  [
    'a frame table that is too long',
    { ...browserMeasurements, table: { ...browserMeasurements.table, runs: Array(10_001).fill([1, 20]) } },
  ],
  ['an unknown field', { ...browserMeasurements, media: { ...browserMeasurements.media, by: 'me' } }],
  [
    'a capture rate set by a person',
    { ...browserMeasurements, media: { ...browserMeasurements.media, captureRate: { rate: 240, by: 'person' } } },
  ],
])('false measurements by the browser are not trusted: %s', async (_, seen) => {
  const { complete } = await startUploadAndSendParts(ana, await createFolder(ana))
  expectRefusal(await complete({ ...probed, inside: seen }), 422, 'invalid')
  expect((await complete()).status).toBe(200)
})

test('a text file named .mp4 is refused', async () => {
  const folder = await createFolder(ana)
  const { id, complete } = await startUploadAndSendParts(ana, folder, text)
  const answer = await complete()
  expectRefusal(answer, 422, 'not-a-video')
  expect(answer.body.message).toBe('This is not a video that we can read. Choose an MP4, MOV or WEBM video.')
  expect(answer.body.errors[0].field).toBe('file')
  expect((await ana.call('GET', `/api/uploads/${id}`)).status).toBe(404)
  expect(await clips(folder)).toEqual([])
  expect((await (await startUploadAndSendParts(ana, folder)).complete()).status).toBe(200)
})

test('a truncated video and one whose type is not the declared one are refused', async () => {
  const folder = await createFolder(ana)
  expectRefusal(await (await startUploadAndSendParts(ana, folder, minimalMp4File().slice(0, -9))).complete(), 422, 'truncated')
  expectRefusal(await (await startUploadAndSendParts(ana, folder, movFile())).complete(), 422, 'wrong-type')
})

const fileOfDuration = (header: Uint8Array) => joinBytes(ftypBox('isom'), mp4Box('moov', header), mp4Box('mdat', fillerBytes()))
test.each([
  ['136 years', fileOfDuration(mvhdBox(1, 0xffffffff)), 'video/mp4'],
  ['the longest duration in 32 bits', fileOfDuration(mvhdBox(1000, 0xffffffff)), 'video/mp4'],
  ['the longest duration in 64 bits', fileOfDuration(mvhdBoxVersion1(600, 0xffffffff, 0xffffffff)), 'video/mp4'],
  [
    '1e300 s',
    joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, webmInfoOfDuration(1e303), fillerWebmTracks, fillerWebmCluster)),
    'video/webm',
  ],
])('a video that claims to last %s is refused and makes room for another', async (_, file, type) => {
  const folder = await createFolder(ana)
  for (let i = 0; i < 2; i++) await (await startUploadAndSendParts(ana, folder)).complete()
  const { complete } = await startUploadAndSendParts(ana, folder, file, { type })
  expectRefusal(await complete({ milliseconds: 4294967295, width: 9, height: 9, poster: false }), 422, 'damaged')
  expect((await ana.call('GET', `/api/uploads?folder=${folder}`)).body.uploads).toEqual([])
  expect((await (await startUploadAndSendParts(ana, folder)).complete()).status).toBe(200)
})

test('an absurd duration measured by the browser is limited to 12 hours', async () => {
  const folder = await createFolder(ana)
  const live = joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, fillerWebmTracks, fillerWebmCluster))
  const { complete } = await startUploadAndSendParts(ana, folder, live, { type: 'video/webm' })
  expect((await complete({ milliseconds: Number.MAX_SAFE_INTEGER, width: 9, height: 9, poster: false })).status).toBe(200)
  expect((await clips(folder))[0].milliseconds).toBe(12 * 3600_000)
})

test('a short video that the browser could not play has the length in its file', async () => {
  const file = joinBytes(ftypBox('isom'), mp4Box('moov', mvhdBox(1000, 900)), mp4Box('mdat', fillerBytes())) as Uint8Array<ArrayBuffer>
  const folder = await createFolder(ana)
  const { complete } = await startUploadAndSendParts(ana, folder, file)
  expect((await complete({ milliseconds: 0, width: 0, height: 0, poster: false })).status).toBe(200)
  expect((await clips(folder))[0].milliseconds).toBe(900)
})

test("the poster is shown; the browser's duration counts if it is close to the file's", async () => {
  for (const [measured, kept] of [
    [2533, 2533],
    [3500, 3500],
    [3501, 2500],
    [1499, 2500],
    [900_000, 2500],
  ]) {
    const folder = await createFolder(ana)
    const { id, complete } = await startUploadAndSendParts(ana, folder)
    const jpeg = joinBytes([0xff, 0xd8, 0xff, 0xda, 0, 2], new Uint8Array(60), [0xff, 0xd9]) as Uint8Array<ArrayBuffer>
    const { url } = (await ana.call('POST', `/api/uploads/${id}/poster`, { bytes: jpeg.length })).body
    expect((await fetch(url, { method: 'PUT', body: new Blob([jpeg], { type: 'image/jpeg' }) })).status).toBe(200)
    expect((await complete({ milliseconds: measured, width: 9, height: 9, poster: true })).status).toBe(200)
    const clip = (await clips(folder)).find((c: { id: string }) => c.id === id)
    expect(clip.milliseconds).toBe(kept)
    // Bytes uploaded later do not replace the checked ones.
    const other = jpeg.slice().fill(9, 4)
    expect((await fetch(url, { method: 'PUT', body: new Blob([other], { type: 'image/jpeg' }) })).status).toBe(200)
    const shown = await fetch(clip.poster)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect(Buffer.from(await shown.arrayBuffer()).equals(jpeg)).toBe(true)
  }
  const [listed] = (await ana.call('GET', '/api/folders')).body.folders
  expect((await fetch(listed.poster)).status).toBe(200)
})

test('a signed upload URL accepts only the announced part', async () => {
  const folder = await createFolder(ana)
  const { id } = await startUploadAndSendParts(ana, folder, minimalMp4File(), {}, [1])
  const { body } = await ana.call('POST', `/api/uploads/${id}/sign`, { numbers: [1, 1] })
  expect(body.parts).toHaveLength(1)
  const lives = Date.parse(body.expires) - Date.now()
  expect([lives > 3500_000, lives <= 3600_000]).toEqual([true, true])
  const put = (bytes: Uint8Array) => fetch(body.parts[0].url, { method: 'PUT', body: bytes as Uint8Array<ArrayBuffer> })
  expect((await put(large())).status).toBe(403)
  expect((await put(minimalMp4File())).status).toBe(200)
  expectRefusal(await ana.call('POST', `/api/uploads/${id}/sign`, { numbers: [2] }), 409, 'no-part')
})
