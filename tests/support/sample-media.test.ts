import { readFile, stat } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { expect, test } from 'vitest'
import { sampleVideos, writePaddedVideo, writeTextAsVideo, writeTruncatedVideo } from './sample-media.ts'

/** The name and size in bytes of each top-level box of an MP4, in order. Expects that the boxes fill the file exactly. */
async function boxes(file: string) {
  const bytes = await readFile(file)
  const found: [string, number][] = []
  let at = 0
  for (; at < bytes.length; at += found.at(-1)![1]) found.push([bytes.toString('latin1', at + 4, at + 8), bytes.readUInt32BE(at)])
  expect(at).toBe(bytes.length)
  return found
}

test('each sample video has the format in its name, and a text file has none', async () => {
  const type = async (file: string) => (await fileTypeFromFile(file))?.mime
  expect(await type(sampleVideos.mp4)).toBe('video/mp4')
  expect(await type(sampleVideos.mov)).toBe('video/quicktime')
  expect(await type(sampleVideos.webm)).toBe('video/webm')
  expect(await type(await writeTextAsVideo())).toBeUndefined()
})

test('a padded video has exactly the requested size and is still valid', async () => {
  const file = await writePaddedVideo(sampleVideos.mp4, 26_000_000)
  expect((await stat(file)).size).toBe(26_000_000)
  const { size } = await stat(sampleVideos.mp4)
  expect(await boxes(file)).toEqual([...(await boxes(sampleVideos.mp4)), ['free', 26_000_000 - size]])
  await expect(writePaddedVideo(sampleVideos.mp4, 10)).rejects.toThrow(RangeError)
})

test('a truncated video ends where it was cut', async () => {
  const file = await writeTruncatedVideo(sampleVideos.mp4, 5000)
  expect(await readFile(file)).toEqual((await readFile(sampleVideos.mp4)).subarray(0, 5000))
})
