import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FrameTable } from '../../../modules/media/frames.ts'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import type { ContainerFacts } from '../../../modules/media/read-container.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { ensureTestClip, ffmpegPath, readBurnedInFrameNumbers } from '../../support/test-clips.ts'

// These tests check what the engine does with frames that are in the frame table but missing from the file.

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'engines-'))
})
afterAll(() => rm(dir, { recursive: true }))

let count = 0
const newFilePath = (name: string) => join(dir, `${count++}-${name}`)
async function encodeClip(name: string, ...args: string[]) {
  const to = newFilePath(name)
  await promisify(execFile)(ffmpegPath!, ['-v', 'error', ...args, to])
  return to
}
const tone = (seconds: number, layout = 'stereo', rate = 44_100) => [
  ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${rate}:duration=${seconds},aformat=channel_layouts=${layout}`],
]

const code = (work: Promise<unknown>) => work.then(() => 'made').catch(error => error.code)

describe.skipIf(!ffmpegPath)('a video with missing frames', () => {
  /** Renders the video with a changed frame table and changed start times. @returns the numbers burned into the rendition's frames */
  async function renderWithTable(
    file: string,
    runs: (table: FrameTable) => FrameTable['runs'],
    changedStarts: Partial<ContainerFacts['starts']> = {},
  ) {
    const facts = await readContainerFile(file, 'video/mp4')
    const { render } = await loadMediaEngine()
    const out = newFilePath('rendition.mp4')
    const table = { ...facts.table, runs: runs(facts.table) }
    await render(file, out, { ...facts, table, starts: { ...facts.starts, ...changedStarts } }, () => {})
    return readBurnedInFrameNumbers(out)
  }
  const all = (frames: number) => Array.from({ length: frames }, (_, n) => n)
  const withMoreFrames = (by: number) => (table: FrameTable) => table.runs.map(([n, d]): [number, number] => [n + by, d])

  test('shows a neighboring frame longer for each missing frame', async () => {
    const file = await ensureTestClip('all-key.mp4')
    expect(await renderWithTable(file, withMoreFrames(1))).toEqual([...all(60), 59])
    const split = ([run]: FrameTable['runs']): FrameTable['runs'] => [
      ...([
        [30, run![1]],
        [2, run![1] / 2],
        [29, run![1]],
      ] satisfies FrameTable['runs']),
    ]
    expect(await renderWithTable(file, table => split(table.runs))).toEqual([...all(31), 30, ...all(60).slice(31)])
    const { starts, table } = await readContainerFile(file, 'video/mp4')
    const late = { video: starts.video + table.runs[0]![1] / table.scale }
    expect(await renderWithTable(file, withMoreFrames(1), late)).toEqual([0, ...all(60)])
  })

  test('is refused as damaged if more than two frames and more than 2 % are missing', async () => {
    const [short, long] = [await ensureTestClip('all-key.mp4'), await ensureTestClip('120.mp4')]
    expect(await code(renderWithTable(short, withMoreFrames(2)))).toBe('made')
    expect(await code(renderWithTable(short, withMoreFrames(3)))).toBe('damaged')
    expect(await code(renderWithTable(long, withMoreFrames(3)))).toBe('made')
    const [result] = await Promise.allSettled([renderWithTable(long, withMoreFrames(4))])
    expect(result.status === 'rejected' && result.reason).toMatchObject({ code: 'damaged', cause: '4 of 184 frames until 183 are missing' })
  })

  test('shows the previous frame longer if frames come too late', async () => {
    // The timestamp of frame 10 is later than that of frame 11.
    const late = "setts=pts='if(eq(N,10),PTS+40,PTS)':dts=N"
    const file = await encodeClip('late.webm', '-i', await ensureTestClip('vp8.webm'), '-c', 'copy', '-an', '-bsf:v', late)
    const out = newFilePath('rendition.mp4')
    await (await loadMediaEngine()).render(file, out, await readContainerFile(file, 'video/webm'), () => {})
    expect(await readBurnedInFrameNumbers(out)).toEqual([...all(10), 9, 10, ...all(75).slice(12)])
  })

  test('is refused for its size if its frames are larger than declared', async () => {
    const file = newFilePath('field.webm')
    const bytes = await readFile(await ensureTestClip('vp8.webm'))
    const start = Buffer.from([0x9d, 0x01, 0x2a])
    for (let at = bytes.indexOf(start); at > 0; at = bytes.indexOf(start, at + 1)) bytes.writeUInt32LE((9000 << 16) | 9000, at + 3)
    await writeFile(file, bytes)
    const { render } = await loadMediaEngine()
    expect(await code(render(file, newFilePath('rendition.mp4'), await readContainerFile(file, 'video/webm'), () => {}))).toBe('other-size')
  })

  test('is refused if no frame can be decoded', async () => {
    const facts = await readContainerFile(sampleVideos.mp4, 'video/mp4')
    const sound = await encodeClip('sound.mp4', ...tone(1), '-c:a', 'aac')
    const { render, stills } = await loadMediaEngine()
    expect(await code(render(sound, newFilePath('out.mp4'), facts, () => {}))).toBe('no-picture')
    const out = { poster: newFilePath('poster.jpg'), filmstrip: newFilePath('strip.jpg') }
    expect(await code(stills(sampleVideos.mp4, { ...facts.media, frames: 61 }, out))).toBe('different')
  })
})
