import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  BlobSource,
  BufferTarget,
  Conversion,
  Input,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  QTFF,
} from 'mediabunny'
import { beforeAll, expect, test, vi } from 'vitest'
import { readContainer } from '../../modules/media/read-container.ts'
import type { VideoEditReply, VideoEditRequest } from '../../src/upload/trim-and-compress.ts'
import { phoneMetadataStrings, sampleVideos } from '../support/sample-media.ts'
import { ensureTestClip, ffmpegPath } from '../support/test-clips.ts'

let handle: (message: { data: VideoEditRequest }) => Promise<void>
let replies: VideoEditReply[]
beforeAll(async () => {
  vi.stubGlobal('addEventListener', (_: string, listener: typeof handle) => {
    handle = listener
  })
  vi.stubGlobal('postMessage', (reply: VideoEditReply) => replies.push(reply))
  await import('../../src/upload/trim-and-compress-worker.ts')
})

const openInput = (file: Blob) => new Input({ source: new BlobSource(file), formats: [MP4, QTFF] })
const fileOf = async (path: string, type: string) => new File([await readFile(path)], basename(path), { type })

/** Has the worker trim a file to the part from `from` to `to`, in seconds. */
async function trim(file: File, from: number, to: number): Promise<File> {
  replies = []
  await handle({ data: { file, type: file.type, edit: 'trim', from, to } })
  const reply = replies.at(-1)
  if (reply?.is !== 'edited') throw new Error(JSON.stringify(reply))
  return new File([reply.edited.bytes], file.name, { type: reply.edited.type })
}

/** Copies a sample and adds a phone's metadata: its location, and the capture rate as Android stores it. */
async function filmedByAndroid(path: string, type: string, format: OutputFormat): Promise<File> {
  const output = new Output({ format, target: new BufferTarget() })
  const tags = { raw: { 'com.android.capture.fps': '240', [phoneMetadataStrings[2]!]: phoneMetadataStrings[0]! } }
  const input = openInput(await fileOf(path, type))
  await (await Conversion.init({ input, output, tracks: 'primary', showWarnings: false, copy: { mode: 'forced' }, tags })).execute()
  return new File([(output.target as BufferTarget).buffer!], basename(path), { type })
}

test.each([
  ['MP4', sampleVideos.mp4, 'video/mp4', new Mp4OutputFormat({ metadataFormat: 'mdta' })],
  ['MOV', sampleVideos.mov, 'video/quicktime', new MovOutputFormat({ metadataFormat: 'mdta' })],
])('a trimmed slow-motion video from Android keeps its capture rate: %s', async (_, path, type, format) => {
  const original = await filmedByAndroid(path, type, format)
  const copy = await trim(original, 0.5, 1.5)
  const { media } = await readContainer(openInput(copy), type)
  expect(media).toMatchObject({ rate: [30, 1], captureRate: { rate: 240, by: 'file' } })
})

test('a trimmed copy keeps no other metadata of the phone', async () => {
  const original = await filmedByAndroid(sampleVideos.mov, 'video/quicktime', new MovOutputFormat({ metadataFormat: 'mdta' }))
  expect(await original.text()).toContain(phoneMetadataStrings[2])
  const copy = await (await trim(original, 0.5, 1.5)).text()
  for (const metadata of phoneMetadataStrings) expect(copy).not.toContain(metadata)
})

test('a trimmed video that plays at its capture rate is not slow motion', async () => {
  const copy = await trim(await fileOf(sampleVideos.mp4, 'video/mp4'), 0.5, 1.5)
  expect((await readContainer(openInput(copy), 'video/mp4')).media).toMatchObject({ rate: [30, 1], captureRate: null })
})

test.skipIf(!ffmpegPath)('slow motion keeps its capture rate when its fast parts are cut (needs ffmpeg)', async () => {
  const original = await fileOf(await ensureTestClip('mixed.mov'), 'video/quicktime')
  const facts = await readContainer(openInput(original), 'video/quicktime')
  expect(facts.media.captureRate).toEqual({ rate: 240, by: 'file' })
  const copy = await trim(original, 800 / 2400, 3200 / 2400)
  const { media } = await readContainer(openInput(copy), 'video/quicktime')
  expect(media).toMatchObject({ rate: [60, 1], captureRate: { rate: 240, by: 'file' } })
})
