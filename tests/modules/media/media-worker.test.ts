import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deleteRenditionJobAndFiles } from '../../../modules/media/media-job-queue.ts'
import { filmstripKey, frameTableKey, posterKey, renditionKey, videoKey } from '../../../modules/media/object-keys.ts'
import { haveSameFrames } from '../../../modules/media/preparation-process/frame-parity.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { minimalMp4File } from './container-builders.ts'
import { type MediaWorkerTestbed, preparationPids, startMediaWorkerTestbed } from './media-worker-testbed.ts'

let testbed: MediaWorkerTestbed
beforeAll(async () => {
  testbed = await startMediaWorkerTestbed()
})
afterEach(() => testbed.clear())
afterAll(() => testbed.end())

const whole = async (key: string) => (await testbed.objects.read(key, 0, 100_000_000))!

test('an MP4, MOV or WEBM becomes a rendition, frame table, poster and filmstrip', async () => {
  const { end } = await testbed.worker({ loud: true })
  const dir = await mkdtemp(join(tmpdir(), 'rendition-'))
  for (const [name, codec] of [
    ['mp4', 'avc'],
    ['mov', 'avc'],
    ['webm', 'vp9'],
  ] as const) {
    const { folder, video } = await testbed.add(sampleVideos[name])
    const work = await testbed.settled(video)
    expect(work).toMatchObject({ state: 'ready', progress: 1, tries: 1, code: null, error: null })
    expect(work.media).toMatchObject({
      container: name,
      codec,
      width: 320,
      height: 240,
      frames: 60,
      rate: [30, 1],
      sound: false,
      hdr: false,
    })
    const file = join(dir, 'rendition.mp4')
    await writeFile(file, await whole(renditionKey(folder, video)))
    const [original, rendition] = [
      JSON.parse(`${Buffer.from(await whole(frameTableKey(folder, video)))}`),
      await readContainerFile(file, 'video/mp4'),
    ]
    expect(rendition.table.first).toBe(0)
    expect(haveSameFrames(original, rendition.table)).toBe(true)
    expect(rendition.media).toMatchObject({ codec: 'avc', width: 320, height: 240, rotation: 0 })
    expect([...(await whole(filmstripKey(folder, video))).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
    expect(Buffer.from(await whole(posterKey(folder, video))).toString('latin1', 0, 12)).toMatch(/^RIFF.{4}WEBP$/s)
    expect(work.made).toMatchObject({ filmstrip: { count: 60, columns: 10, width: 120, height: 90 } })
    expect((await testbed.keys()).filter(key => key.includes(video))).toHaveLength(5)
    expect(videoKey(folder, video)).toBe(work.key)
  }
  await rm(dir, { recursive: true })
  await end()
  expect((await readdir(tmpdir())).filter(name => name.startsWith(`diamondlink-media-${process.pid}-`))).toEqual([])
})

test.skipIf(process.platform !== 'linux')('preparation processes have a lower priority than the server', async () => {
  const added = await Promise.all([sampleVideos.mp4, sampleVideos.mov].map(file => testbed.add(file)))
  const { end } = await testbed.worker()
  expect(await prioritiesUntilReady(added.map(({ video }) => video))).toEqual([expectedPriority(10), expectedPriority(10)])
  await end()
})

test.skipIf(process.platform !== 'linux')('long work has a lower priority than short work', async () => {
  const [long, short] = [await testbed.add(sampleVideos.mp4), await testbed.add(sampleVideos.mov)]
  await testbed.sql`update media_work set long = true where video = ${long.video}`
  const { end } = await testbed.worker({ atOnce: 1, shortBeside: 1 })
  expect(await prioritiesUntilReady([long.video, short.video])).toEqual([expectedPriority(10), expectedPriority(19)])
  await end()
})

/** Waits until these videos are ready. @returns the priority that each process had when last seen, the highest priority first */
async function prioritiesUntilReady(videos: string[]) {
  const priorities = new Map<number, Awaited<ReturnType<typeof priorityOf>>>()
  let areReady = false
  const settling = Promise.all(videos.map(video => testbed.settled(video))).finally(() => {
    areReady = true
  })
  while (!areReady) {
    for (const pid of await preparationPids()) {
      // The process may have ended in the meantime.
      const priority = await priorityOf(pid).catch(() => undefined)
      if (priority) priorities.set(pid, priority)
    }
    await sleep(20)
  }
  expect((await settling).map(work => work.state)).toEqual(videos.map(() => 'ready'))
  return [...priorities.values()].sort((a, b) => a.nice - b.nice || Number(a.session) - Number(b.session))
}

/** Whether Linux schedules by sessions, each with a `nice` value of its own. */
const hasSessionPriorities = existsSync('/proc/self/autogroup')
/** The `nice` values of a process, and of its session if there is one. @throws Error if the process has ended */
async function priorityOf(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const group = hasSessionPriorities ? await readFile(`/proc/${pid}/autogroup`, 'utf8') : null
  return { nice: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]), session: group && Number(/nice (-?\d+)/.exec(group)?.[1]) }
}
/** A process adds its `nice` value to that of the tests, up to 19; a session has a value of its own. */
const expectedPriority = (by: number) => ({
  nice: Math.min(19, getPriority() + by),
  session: hasSessionPriorities ? by : null,
})

test('a stopping worker returns its work, and the work of a dead worker is taken over', async () => {
  const { folder, video } = await testbed.add(sampleVideos.mp4)
  const first = await testbed.worker()
  while ((await testbed.work.of([video])).get(video)!.state === 'waiting') await sleep(10)
  await first.end()
  expect((await testbed.work.of([video])).get(video)).toMatchObject({ state: 'waiting', tries: 0 })
  // Claim the work with a lease of 50 ms that is never renewed, as if the worker had died.
  const [taken] = await testbed.work.take(1, 50)
  expect(taken).toMatchObject({ video, state: 'preparing' })
  const second = await testbed.worker()
  expect(await testbed.settled(video)).toMatchObject({ state: 'ready', tries: 1 })
  expect(await testbed.work.finish(taken!, {} as never)).toBe(false)

  const gone = await testbed.add(sampleVideos.mp4)
  while ((await testbed.work.of([gone.video])).get(gone.video)!.state === 'waiting') await sleep(10)
  await deleteRenditionJobAndFiles(testbed.sql, testbed.objects, gone.folder, gone.video)
  await second.end()
  expect((await testbed.keys()).filter(key => key.includes(gone.video))).toEqual([videoKey(gone.folder, gone.video)])
  await deleteRenditionJobAndFiles(testbed.sql, testbed.objects, folder, video)
  expect((await testbed.keys()).filter(key => key.includes(video))).toEqual([videoKey(folder, video)])
})

test('a refused video leaves no partial results', async () => {
  const { folder, video } = await testbed.add(minimalMp4File())
  // These files simulate a try that was killed while it stored its results.
  for (const key of [renditionKey, filmstripKey, posterKey]) await testbed.objects.put(key(folder, video), 'video/mp4', minimalMp4File())
  const { end } = await testbed.worker()
  expect(await testbed.settled(video)).toMatchObject({ state: 'refused' })
  expect((await testbed.keys()).filter(key => key.includes(video))).toEqual([videoKey(folder, video)])
  await end()
})

test('a worker without a sandbox logs one warning at startup, unless it has no slots', async () => {
  const warnings: string[] = []
  const warn = (_: object, what: string) => warnings.push(what)
  const { PATH } = process.env
  process.env.PATH = await mkdtemp(join(tmpdir(), 'no-programs-'))
  try {
    await (await testbed.worker({ warn })).end()
    expect(warnings).toEqual([expect.stringMatching(/^Videos are opened without a sandbox: [^\n]+$/)])
    await (await testbed.worker({ warn, atOnce: 0 })).end()
    expect(warnings).toHaveLength(1)
  } finally {
    await rm(process.env.PATH!, { recursive: true })
    process.env.PATH = PATH
  }
})
