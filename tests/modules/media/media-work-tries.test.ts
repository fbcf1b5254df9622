import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MAX_KILLED_TRIES } from '../../../modules/media/policy.ts'
import {
  addWork,
  isAboutNow,
  LEASE,
  made,
  media,
  secondsOfRest,
  setUpMediaWorkTable,
  sql,
  takeOneByOne,
  takeWork,
  withFrozenClock,
  work,
  workRowOf,
} from './media-work-table.ts'

setUpMediaWorkTable()

test(
  'a heartbeat tells how far it is, and renews the lease',
  withFrozenClock(async () => {
    const [its, other] = [await addWork(2), await addWork(1)]
    const [mine] = await takeWork()
    await takeWork()
    expect(await work.beat(mine!, 0.25, 120_000)).toBe(true)
    expect([(await workRowOf(its.video)).progress, (await workRowOf(other.video)).progress]).toEqual([0.25, 0])
    expect([await secondsOfRest(its.video), await secondsOfRest(other.video)]).toEqual([120, 60])
    await work.looked(mine!, media)
    expect([(await workRowOf(its.video)).media, (await workRowOf(other.video)).media]).toEqual([media, null])
  }),
)

test('it is ready, or refused, when its holder says so; nobody else has the word', async () => {
  const [good, bad, third] = [await addWork(3), await addWork(2), await addWork(1)]
  const [first, second] = await takeOneByOne(2)
  expect(await work.ready(first!, made)).toBe(true)
  expect(await workRowOf(good.video)).toMatchObject({ state: 'ready', progress: 1, made, code: null, error: null })
  await work.refuse(second!, 'damaged', 'What\0 it said')
  expect(await workRowOf(bad.video)).toMatchObject({ state: 'refused', code: 'damaged', error: 'What it said', made: null })
  for (const { video } of [good, bad]) expect(isAboutNow((await workRowOf(video)).ended)).toBe(true)
  expect(await workRowOf(third.video)).toMatchObject({ state: 'waiting', ended: null })
  // What ended has no holder any more.
  for (const over of [first!, second!]) {
    expect([await work.beat(over, 0.5, LEASE), await work.ready(over, made)]).toEqual([false, false])
    await work.refuse(over, 'too-much')
    await work.looked(over, { ...media, frames: 1 })
    await work.lost(over, 'killed')
  }
  expect([(await workRowOf(good.video)).state, (await workRowOf(bad.video)).code]).toEqual(['ready', 'damaged'])
})

test(
  'whoever let the lease run out says nothing about what another has taken since',
  withFrozenClock(async () => {
    const { video } = await addWork(1)
    const [old] = await takeWork()
    await sql`update media_work set due = now() - interval '1 hour' where video = ${video}`
    const [its] = await takeWork()
    expect(its).toMatchObject({ video, taken: 2 })
    const before = await workRowOf(video)
    expect([await work.beat(old!, 0.5, 2 * LEASE), await work.ready(old!, made)]).toEqual([false, false])
    await work.refuse(old!, 'damaged')
    await work.looked(old!, media)
    await work.failed(old!, 'late', 'crashed', 9)
    await work.lost(old!, 'late')
    await work.giveBack(old!, 'late', 0)
    expect([await workRowOf(video), await secondsOfRest(video)]).toEqual([before, 60])
    expect(await work.ready(its!, made)).toBe(true)
  }),
)

test(
  'a try that the file ended is repeated after doubling pauses, until the last',
  withFrozenClock(async () => {
    const { video } = await addWork(1)
    for (const pause of [2, 4]) {
      const [its] = await takeWork()
      await work.failed(its!, `${pause}`, 'too-much', 3)
      expect(await workRowOf(video)).toMatchObject({ state: 'waiting', error: `${pause}`, code: null })
      expect(await secondsOfRest(video)).toBe(pause)
      await sql`update media_work set due = now()`
    }
    const [last] = await takeWork()
    await work.failed(last!, 'again', 'too-much', 3)
    expect(await workRowOf(video)).toMatchObject({ state: 'refused', code: 'too-much', error: 'again', tries: 3 })
  }),
)

test('a loss does not count as a try, until there were too many', async () => {
  const [{ video }, other] = [await addWork(2), await addWork(1)]
  for (let losses = 1; losses < MAX_KILLED_TRIES; losses++) {
    const [its] = await takeWork()
    await work.lost(its!, 'killed')
    expect(await workRowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses, error: 'killed' })
    await sql`update media_work set due = now()`
  }
  const [its] = await takeWork()
  await work.lost(its!, 'killed again')
  expect(await workRowOf(video)).toMatchObject({ state: 'refused', code: 'crashed', error: 'killed again' })
  expect(await workRowOf(other.video)).toMatchObject({ state: 'waiting', losses: 0 })
})

test(
  'work given back counts as no try, keeps its findings, and waits as told',
  withFrozenClock(async () => {
    const { video } = await addWork(1)
    await work.giveBack((await takeWork())[0]!, 'The store is away', 5000)
    expect(await workRowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0, error: 'The store is away' })
    expect(await secondsOfRest(video)).toBe(5)
    await sql`update media_work set due = now()`
    await work.giveBack((await takeWork())[0]!, null, 0)
    expect(await workRowOf(video)).toMatchObject({ tries: 0, error: 'The store is away' })
    expect(await secondsOfRest(video)).toBe(0)
  }),
)

test(
  'an administrator restarts refused or resting work, but no ready or running work',
  withFrozenClock(async () => {
    const [refused, resting, ready, busy] = [await addWork(4), await addWork(3), await addWork(2), await addWork(1)]
    const [one, two, three] = await takeOneByOne(4)
    await work.refuse(one!, 'damaged', 'broken')
    await work.failed(two!, 'slow', 'too-much', 5)
    await work.ready(three!, made)
    await sql`update media_work set losses = 2 where video = ${refused.video}`
    const answers = []
    for (const { video } of [refused, resting, ready, busy]) answers.push(await work.again(video))
    expect([...answers, await work.again(randomUUID())]).toEqual([true, true, false, false, false])
    for (const { video } of [refused, resting]) {
      expect(await workRowOf(video)).toMatchObject({
        ...{ state: 'waiting', tries: 0, losses: 0, progress: 0, code: null, error: null, made: null, ended: null },
      })
      expect(await secondsOfRest(video)).toBe(0)
    }
    expect([(await workRowOf(ready.video)).state, (await workRowOf(busy.video)).state]).toEqual(['ready', 'preparing'])
  }),
)

test('the administrator sees running before refused work, newest first, with totals', async () => {
  const all = [await addWork(9), await addWork(7), await addWork(5), await addWork(3), await addWork(1)]
  const [one, two, three] = await takeOneByOne(3)
  await work.refuse(one!, 'damaged')
  await work.refuse(two!, 'damaged')
  await sql`update media_work set ended = now() - interval '1 h' where video = ${two!.video}`
  await work.ready(three!, made)
  const { counts, works } = await work.queue(10)
  expect(counts).toEqual({ refused: 2, ready: 1, waiting: 2 })
  expect(works.map(w => w.video)).toEqual([all[3]!, all[4]!, all[0]!, all[1]!].map(v => v.video))
  expect((await work.queue(2)).works).toHaveLength(2)
})
