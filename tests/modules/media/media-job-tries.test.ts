import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MAX_KILLED_TRIES } from '../../../modules/media/policy.ts'
import {
  addMediaWork,
  claimMediaWork,
  claimWorkOneByOne,
  isAboutNow,
  LEASE_MS,
  samplePreparedFiles,
  sampleVideoProperties,
  secondsUntilDue,
  setUpMediaWorkTable,
  sql,
  withFrozenClock,
  workRowOf,
  workUnderTest,
} from './media-work-table.ts'

setUpMediaWorkTable()

test(
  'a heartbeat stores the progress and renews the lease',
  withFrozenClock(async () => {
    const [job, other] = [await addMediaWork(2), await addMediaWork(1)]
    const [mine] = await claimMediaWork()
    await claimMediaWork()
    expect(await workUnderTest.renewLease(mine!, 0.25, 120_000)).toBe(true)
    expect([(await workRowOf(job.video)).progress, (await workRowOf(other.video)).progress]).toEqual([0.25, 0])
    expect([await secondsUntilDue(job.video), await secondsUntilDue(other.video)]).toEqual([120, 60])
    await workUnderTest.recordProbe(mine!, sampleVideoProperties)
    expect([(await workRowOf(job.video)).media, (await workRowOf(other.video)).media]).toEqual([sampleVideoProperties, null])
  }),
)

test('only the worker with the lease can finish or refuse the work', async () => {
  const [good, bad, third] = [await addMediaWork(3), await addMediaWork(2), await addMediaWork(1)]
  const [first, second] = await claimWorkOneByOne(2)
  expect(await workUnderTest.finish(first!, samplePreparedFiles)).toBe(true)
  expect(await workRowOf(good.video)).toMatchObject({ state: 'ready', progress: 1, made: samplePreparedFiles, code: null, error: null })
  await workUnderTest.refuse(second!, 'damaged', 'What\0 it said')
  expect(await workRowOf(bad.video)).toMatchObject({ state: 'refused', code: 'damaged', error: 'What it said', made: null })
  for (const { video } of [good, bad]) expect(isAboutNow((await workRowOf(video)).ended)).toBe(true)
  expect(await workRowOf(third.video)).toMatchObject({ state: 'waiting', ended: null })
  // No worker holds a lease of work that has ended.
  for (const over of [first!, second!]) {
    expect([await workUnderTest.renewLease(over, 0.5, LEASE_MS), await workUnderTest.finish(over, samplePreparedFiles)]).toEqual([
      false,
      false,
    ])
    await workUnderTest.refuse(over, 'too-much')
    await workUnderTest.recordProbe(over, { ...sampleVideoProperties, frames: 1 })
    await workUnderTest.recordLoss(over, 'killed')
  }
  expect([(await workRowOf(good.video)).state, (await workRowOf(bad.video)).code]).toEqual(['ready', 'damaged'])
})

test(
  'a worker whose lease expired cannot change work that another has claimed',
  withFrozenClock(async () => {
    const { video } = await addMediaWork(1)
    const [old] = await claimMediaWork()
    await sql`update media_work set due = now() - interval '1 hour' where video = ${video}`
    const [job] = await claimMediaWork()
    expect(job).toMatchObject({ video, taken: 2 })
    const before = await workRowOf(video)
    expect([await workUnderTest.renewLease(old!, 0.5, 2 * LEASE_MS), await workUnderTest.finish(old!, samplePreparedFiles)]).toEqual([
      false,
      false,
    ])
    await workUnderTest.refuse(old!, 'damaged')
    await workUnderTest.recordProbe(old!, sampleVideoProperties)
    await workUnderTest.recordFailure(old!, 'late', 'crashed', 9)
    await workUnderTest.recordLoss(old!, 'late')
    await workUnderTest.giveBack(old!, 'late', 0)
    expect([await workRowOf(video), await secondsUntilDue(video)]).toEqual([before, 60])
    expect(await workUnderTest.finish(job!, samplePreparedFiles)).toBe(true)
  }),
)

test(
  'a failed try is repeated after doubling pauses; the last one refuses the file',
  withFrozenClock(async () => {
    const { video } = await addMediaWork(1)
    for (const pause of [2, 4]) {
      const [job] = await claimMediaWork()
      await workUnderTest.recordFailure(job!, `${pause}`, 'too-much', 3)
      expect(await workRowOf(video)).toMatchObject({ state: 'waiting', error: `${pause}`, code: null })
      expect(await secondsUntilDue(video)).toBe(pause)
      await sql`update media_work set due = now()`
    }
    const [last] = await claimMediaWork()
    await workUnderTest.recordFailure(last!, 'again', 'too-much', 3)
    expect(await workRowOf(video)).toMatchObject({ state: 'refused', code: 'too-much', error: 'again', tries: 3 })
  }),
)

test('a lost worker is no try, but after too many losses the file is refused', async () => {
  const [{ video }, other] = [await addMediaWork(2), await addMediaWork(1)]
  for (let losses = 1; losses < MAX_KILLED_TRIES; losses++) {
    const [job] = await claimMediaWork()
    await workUnderTest.recordLoss(job!, 'killed')
    expect(await workRowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses, error: 'killed' })
    await sql`update media_work set due = now()`
  }
  const [job] = await claimMediaWork()
  await workUnderTest.recordLoss(job!, 'killed again')
  expect(await workRowOf(video)).toMatchObject({ state: 'refused', code: 'crashed', error: 'killed again' })
  expect(await workRowOf(other.video)).toMatchObject({ state: 'waiting', losses: 0 })
})

test(
  'returned work does not count as a try, keeps its probe, and waits for its pause',
  withFrozenClock(async () => {
    const { video } = await addMediaWork(1)
    await workUnderTest.giveBack((await claimMediaWork())[0]!, 'The store is unavailable', 5000)
    expect(await workRowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0, error: 'The store is unavailable' })
    expect(await secondsUntilDue(video)).toBe(5)
    await sql`update media_work set due = now()`
    await workUnderTest.giveBack((await claimMediaWork())[0]!, null, 0)
    expect(await workRowOf(video)).toMatchObject({ tries: 0, error: 'The store is unavailable' })
    expect(await secondsUntilDue(video)).toBe(0)
  }),
)

test(
  'an administrator can retry refused or waiting work, but no ready or running work',
  withFrozenClock(async () => {
    const [refused, waiting, ready, running] = [await addMediaWork(4), await addMediaWork(3), await addMediaWork(2), await addMediaWork(1)]
    const [one, two, three] = await claimWorkOneByOne(4)
    await workUnderTest.refuse(one!, 'damaged', 'broken')
    await workUnderTest.recordFailure(two!, 'slow', 'too-much', 5)
    await workUnderTest.finish(three!, samplePreparedFiles)
    await sql`update media_work set losses = 2 where video = ${refused.video}`
    const answers = []
    for (const { video } of [refused, waiting, ready, running]) answers.push(await workUnderTest.retry(video))
    expect([...answers, await workUnderTest.retry(randomUUID())]).toEqual([true, true, false, false, false])
    for (const { video } of [refused, waiting]) {
      expect(await workRowOf(video)).toMatchObject({
        ...{ state: 'waiting', tries: 0, losses: 0, progress: 0, code: null, error: null, made: null, ended: null },
      })
      expect(await secondsUntilDue(video)).toBe(0)
    }
    expect([(await workRowOf(ready.video)).state, (await workRowOf(running.video)).state]).toEqual(['ready', 'preparing'])
  }),
)

test('an administrator sees running before refused work, newest first, with totals', async () => {
  const all = [await addMediaWork(9), await addMediaWork(7), await addMediaWork(5), await addMediaWork(3), await addMediaWork(1)]
  const [one, two, three] = await claimWorkOneByOne(3)
  await workUnderTest.refuse(one!, 'damaged')
  await workUnderTest.refuse(two!, 'damaged')
  await sql`update media_work set ended = now() - interval '1 h' where video = ${two!.video}`
  await workUnderTest.finish(three!, samplePreparedFiles)
  const { counts, works } = await workUnderTest.queue(10)
  expect(counts).toEqual({ refused: 2, waiting: 2 })
  expect(works.map(w => w.video)).toEqual([all[3]!, all[4]!, all[0]!, all[1]!].map(v => v.video))
  expect((await workUnderTest.queue(2)).works).toHaveLength(2)
})
