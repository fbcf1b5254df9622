import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MediaRefusal } from '../../../modules/media/preparation-process/media-refusal.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { buildMp4, type Mp4Track } from './mp4-builder.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'look-'))
})
afterAll(() => rm(dir, { recursive: true }))

test('a file is read as its declared type, and is damaged if it has another type', async () => {
  const container = async (path: string, type: string) =>
    (await readContainerFile(path, type).catch(error => ({ media: { container: error instanceof MediaRefusal && error.code } }))).media
      .container
  expect([await container(sampleVideos.webm, 'video/webm'), await container(sampleVideos.webm, 'video/mp4')]).toEqual(['webm', 'damaged'])
  expect([await container(sampleVideos.mp4, 'video/mp4'), await container(sampleVideos.mp4, 'video/webm')]).toEqual(['mp4', 'damaged'])
  const garbage = join(dir, 'garbage.mp4')
  await writeFile(garbage, 'no video at all')
  const refused = await readContainerFile(garbage, 'video/mp4').catch(error => error)
  expect([refused.code, refused.cause]).toEqual(['damaged', expect.any(Error)])
})

test('a file that cannot be opened is not reported as damaged', async () => {
  await expect(readContainerFile(join(dir, 'nowhere'), 'video/mp4')).rejects.toMatchObject({ code: 'ENOENT' })
})

test.skipIf(process.platform !== 'linux')('a file is closed after reading', async () => {
  await readContainerFile(sampleVideos.mp4, 'video/mp4')
  const open = async () => Promise.all((await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  await expect.poll(open).not.toContain(sampleVideos.mp4)
})

test.each<[string, Mp4Track['edits'], boolean]>([
  ['one part', [[1000, 200]], true],
  [
    'a pause and then one part',
    [
      [300, -1],
      [1000, 0],
    ],
    true,
  ],
  [
    'one part in pieces that follow each other',
    [
      [400, 0],
      [399, 400],
      [400, 800],
    ],
    true,
  ],
  [
    'two parts',
    [
      [400, 0],
      [400, 800],
    ],
    false,
  ],
  [
    'one part shown twice',
    [
      [400, 0],
      [400, 0],
    ],
    false,
  ],
  [
    'a pause in the middle',
    [
      [400, 0],
      [100, -1],
      [400, 400],
    ],
    false,
  ],
  ['half the speed', [[1200, 0, 0.5]], false],
])('an edit list is applied, or the video is refused as edited: %s', async (_, edits, isRead) => {
  const file = join(dir, 'edited.mp4')
  await writeFile(file, buildMp4({ lengths: Array(60).fill(20), edits: edits! }))
  const outcome = await readContainerFile(file, 'video/mp4').then(
    () => 'read',
    error => error.code,
  )
  expect(outcome).toBe(isRead ? 'read' : 'edited')
})

test('a video that an edit list cuts short has only the frames before the cut', async () => {
  const file = join(dir, 'trimmed.mp4')
  const framesWith = async (edits: Mp4Track['edits']) => {
    await writeFile(file, buildMp4({ lengths: Array(60).fill(20), edits: edits! }))
    const { media, table } = await readContainerFile(file, 'video/mp4')
    return [media.frames, media.milliseconds, table.runs]
  }
  expect(await framesWith([[1200, 0]])).toEqual([60, 2000, [[60, 20]]])
  // The end of an edit may be rounded to a tick. The last frame begins at tick 1180, before this end, so it is kept whole.
  expect(await framesWith([[1199, 0]])).toEqual([60, 2000, [[60, 20]]])
  expect(await framesWith([[800, 0]])).toEqual([40, 1334, [[40, 20]]])
  expect(await framesWith([[800, 200]])).toEqual([40, 1334, [[40, 20]]])
  expect(
    await framesWith([
      [300, -1],
      [800, 0],
    ]),
  ).toEqual([40, 1334, [[40, 20]]])
  expect(await framesWith([[0, 0]])).toEqual([60, 2000, [[60, 20]]])
  await writeFile(file, buildMp4({ lengths: Array(60).fill(20), edits: [[20, 0]] }))
  await expect(readContainerFile(file, 'video/mp4')).rejects.toMatchObject({ code: 'still' })
})
