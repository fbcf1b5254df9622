import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MAX_KILLED_TRIES } from '../../../modules/media/policy.ts'
import {
  addMediaJobAskedAgo,
  claimMediaJobs,
  claimMediaJobsOneByOne,
  inTransactionWithConstantNow,
  isAboutNow,
  LEASE_MS,
  mediaJobOf,
  queueUnderTest,
  samplePreparedFiles,
  sampleVideoProperties,
  secondsUntilDue,
  setUpDatabaseWithEmptyMediaJobQueue,
  sql,
} from './media-job-queue-testbed.ts'

setUpDatabaseWithEmptyMediaJobQueue()

test(
  'a heartbeat stores the progress and renews the lease',
  inTransactionWithConstantNow(async () => {
    const [job, other] = [await addMediaJobAskedAgo(2), await addMediaJobAskedAgo(1)]
    const [mine] = await claimMediaJobs()
    await claimMediaJobs()
    expect(await queueUnderTest.renewLease(mine!, 0.25, 120_000)).toBe(true)
    expect([(await mediaJobOf(job.video)).progress, (await mediaJobOf(other.video)).progress]).toEqual([0.25, 0])
    expect([await secondsUntilDue(job.video), await secondsUntilDue(other.video)]).toEqual([120, 60])
    await queueUnderTest.recordProbe(mine!, sampleVideoProperties)
    expect([(await mediaJobOf(job.video)).media, (await mediaJobOf(other.video)).media]).toEqual([sampleVideoProperties, null])
  }),
)

test('only the worker with the lease can finish or refuse the work', async () => {
  const [good, bad, third] = [await addMediaJobAskedAgo(3), await addMediaJobAskedAgo(2), await addMediaJobAskedAgo(1)]
  const [first, second] = await claimMediaJobsOneByOne(2)
  expect(await queueUnderTest.finish(first!, samplePreparedFiles)).toBe(true)
  expect(await mediaJobOf(good.video)).toMatchObject({ state: 'ready', progress: 1, made: samplePreparedFiles, code: null, error: null })
  await queueUnderTest.refuse(second!, 'damaged', 'What\0 it said')
  expect(await mediaJobOf(bad.video)).toMatchObject({ state: 'refused', code: 'damaged', error: 'What it said', made: null })
  for (const { video } of [good, bad]) expect(isAboutNow((await mediaJobOf(video)).ended)).toBe(true)
  expect(await mediaJobOf(third.video)).toMatchObject({ state: 'waiting', ended: null })
  // No worker holds a lease on work that has ended.
  for (const over of [first!, second!]) {
    expect([await queueUnderTest.renewLease(over, 0.5, LEASE_MS), await queueUnderTest.finish(over, samplePreparedFiles)]).toEqual([
      false,
      false,
    ])
    await queueUnderTest.refuse(over, 'too-much')
    await queueUnderTest.recordProbe(over, { ...sampleVideoProperties, frames: 1 })
    await queueUnderTest.recordLoss(over, 'killed')
  }
  expect([(await mediaJobOf(good.video)).state, (await mediaJobOf(bad.video)).code]).toEqual(['ready', 'damaged'])
})

test(
  'a worker whose lease expired cannot change work that another has claimed',
  inTransactionWithConstantNow(async () => {
    const { video } = await addMediaJobAskedAgo(1)
    const [old] = await claimMediaJobs()
    await sql`update media_work set due = now() - interval '1 hour' where video = ${video}`
    const [job] = await claimMediaJobs()
    expect(job).toMatchObject({ video, taken: 2 })
    const before = await mediaJobOf(video)
    expect([await queueUnderTest.renewLease(old!, 0.5, 2 * LEASE_MS), await queueUnderTest.finish(old!, samplePreparedFiles)]).toEqual([
      false,
      false,
    ])
    await queueUnderTest.refuse(old!, 'damaged')
    await queueUnderTest.recordProbe(old!, sampleVideoProperties)
    await queueUnderTest.recordFailure(old!, 'late', 'crashed', 9)
    await queueUnderTest.recordLoss(old!, 'late')
    await queueUnderTest.giveBack(old!, 'late', 0)
    expect([await mediaJobOf(video), await secondsUntilDue(video)]).toEqual([before, 60])
    expect(await queueUnderTest.finish(job!, samplePreparedFiles)).toBe(true)
  }),
)

test(
  'failed tries are repeated after doubling pauses; the last one refuses the file',
  inTransactionWithConstantNow(async () => {
    const { video } = await addMediaJobAskedAgo(1)
    for (const pause of [2, 4]) {
      const [job] = await claimMediaJobs()
      await queueUnderTest.recordFailure(job!, `${pause}`, 'too-much', 3)
      expect(await mediaJobOf(video)).toMatchObject({ state: 'waiting', error: `${pause}`, code: null })
      expect(await secondsUntilDue(video)).toBe(pause)
      await sql`update media_work set due = now()`
    }
    const [last] = await claimMediaJobs()
    await queueUnderTest.recordFailure(last!, 'again', 'too-much', 3)
    expect(await mediaJobOf(video)).toMatchObject({ state: 'refused', code: 'too-much', error: 'again', tries: 3 })
  }),
)

test('a lost worker does not count as a try, but too many losses refuse the file', async () => {
  const [{ video }, other] = [await addMediaJobAskedAgo(2), await addMediaJobAskedAgo(1)]
  for (let losses = 1; losses < MAX_KILLED_TRIES; losses++) {
    const [job] = await claimMediaJobs()
    await queueUnderTest.recordLoss(job!, 'killed')
    expect(await mediaJobOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses, error: 'killed' })
    await sql`update media_work set due = now()`
  }
  const [job] = await claimMediaJobs()
  await queueUnderTest.recordLoss(job!, 'killed again')
  expect(await mediaJobOf(video)).toMatchObject({ state: 'refused', code: 'crashed', error: 'killed again' })
  expect(await mediaJobOf(other.video)).toMatchObject({ state: 'waiting', losses: 0 })
})

test(
  'returned work does not count as a try, keeps its error, and waits for its pause',
  inTransactionWithConstantNow(async () => {
    const { video } = await addMediaJobAskedAgo(1)
    await queueUnderTest.giveBack((await claimMediaJobs())[0]!, 'The store is unavailable', 5000)
    expect(await mediaJobOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0, error: 'The store is unavailable' })
    expect(await secondsUntilDue(video)).toBe(5)
    await sql`update media_work set due = now()`
    await queueUnderTest.giveBack((await claimMediaJobs())[0]!, null, 0)
    expect(await mediaJobOf(video)).toMatchObject({ tries: 0, error: 'The store is unavailable' })
    expect(await secondsUntilDue(video)).toBe(0)
  }),
)

test(
  'an administrator can retry refused or waiting, but not ready or running work',
  inTransactionWithConstantNow(async () => {
    const [refused, waiting, ready, running] = [
      await addMediaJobAskedAgo(4),
      await addMediaJobAskedAgo(3),
      await addMediaJobAskedAgo(2),
      await addMediaJobAskedAgo(1),
    ]
    const [one, two, three] = await claimMediaJobsOneByOne(4)
    await queueUnderTest.refuse(one!, 'damaged', 'broken')
    await queueUnderTest.recordFailure(two!, 'slow', 'too-much', 5)
    await queueUnderTest.finish(three!, samplePreparedFiles)
    await sql`update media_work set losses = 2 where video = ${refused.video}`
    const answers = []
    for (const { video } of [refused, waiting, ready, running]) answers.push(await queueUnderTest.retry(video, 'rendition'))
    expect([...answers, await queueUnderTest.retry(randomUUID(), 'rendition')]).toEqual([true, true, false, false, false])
    for (const { video } of [refused, waiting]) {
      expect(await mediaJobOf(video)).toMatchObject({
        state: 'waiting',
        tries: 0,
        losses: 0,
        progress: 0,
        code: null,
        error: null,
        made: null,
        ended: null,
      })
      expect(await secondsUntilDue(video)).toBe(0)
    }
    expect([(await mediaJobOf(ready.video)).state, (await mediaJobOf(running.video)).state]).toEqual(['ready', 'preparing'])
  }),
)

test('an administrator sees waiting work, then refused work latest first, and totals', async () => {
  const all = [
    await addMediaJobAskedAgo(9),
    await addMediaJobAskedAgo(7),
    await addMediaJobAskedAgo(5),
    await addMediaJobAskedAgo(3),
    await addMediaJobAskedAgo(1),
  ]
  const [one, two, three] = await claimMediaJobsOneByOne(3)
  await queueUnderTest.refuse(one!, 'damaged')
  await queueUnderTest.refuse(two!, 'damaged')
  await sql`update media_work set ended = now() - interval '1 h' where video = ${two!.video}`
  await queueUnderTest.finish(three!, samplePreparedFiles)
  const { counts, works } = await queueUnderTest.queue(10)
  expect(counts).toEqual({ refused: 2, waiting: 2 })
  expect(works.map(w => w.video)).toEqual([all[3]!, all[4]!, all[0]!, all[1]!].map(v => v.video))
  expect((await queueUnderTest.queue(2)).works).toHaveLength(2)
})
