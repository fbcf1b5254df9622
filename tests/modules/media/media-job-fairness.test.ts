import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  addMediaJobAskedAgo,
  claimMediaJobs,
  claimMediaJobsOneByOne,
  inTransactionWithConstantNow,
  mediaJobOf,
  queueUnderTest,
  samplePreparedFiles,
  sampleVideoProperties,
  secondsUntilDue,
  setUpDatabaseWithEmptyMediaJobQueue,
  sql,
} from './media-job-queue-testbed.ts'

setUpDatabaseWithEmptyMediaJobQueue()

test('a player with hundreds of videos takes turns with other players', async () => {
  const [ana, ben, cleo] = [randomUUID(), randomUUID(), randomUUID()]
  const many: string[] = []
  for (let i = 0; i < 5; i++) many.push((await addMediaJobAskedAgo(100 - i, { player: ana })).video)
  const [one, two] = [await addMediaJobAskedAgo(3, { player: ben }), await addMediaJobAskedAgo(2, { player: ben })]
  const his = await addMediaJobAskedAgo(1, { player: cleo })
  const nobodys = await addMediaJobAskedAgo(50)
  const taken: string[] = []
  for (let i = 0; i < 9; i++) {
    const [job] = await claimMediaJobs()
    taken.push(job!.video)
    // Failed work counts as a turn, too.
    if (i === 0) await queueUnderTest.recordFailure(job!, 'It ended by SIGSEGV.', 'crashed', 2)
    else await queueUnderTest.finish(job!, samplePreparedFiles)
  }
  expect(taken).toEqual([many[0], nobodys.video, one.video, his.video, many[1], two.video, ...many.slice(2)])
})

test('no player gets all slots of a worker while others wait', async () => {
  const [ana, ben] = [randomUUID(), randomUUID()]
  const many: string[] = []
  for (let i = 0; i < 4; i++) many.push((await addMediaJobAskedAgo(100 - i, { player: ana })).video)
  const other = await addMediaJobAskedAgo(1, { player: ben })
  expect((await claimMediaJobs(2)).map(w => w.video).sort()).toEqual([many[0]!, other.video].sort())
  const last = await addMediaJobAskedAgo(0, { player: ben })
  // Each player has one video in preparation.
  expect((await claimMediaJobs(2)).map(w => w.video).sort()).toEqual([many[1]!, last.video].sort())
  expect((await claimMediaJobs(9)).map(w => w.video).sort()).toEqual(many.slice(2).sort())
})

/** Makes a job long: it has more bytes than short work may have, and has not been probed. */
const long = { bytes: 1_000_000_000 }

test('long work is limited, and short work overtakes waiting long work', async () => {
  const [film, other] = [await addMediaJobAskedAgo(9, long), await addMediaJobAskedAgo(8, long)]
  const [clip, voice] = [await addMediaJobAskedAgo(2), await addMediaJobAskedAgo(1, { kind: 'voice', ...long })]
  expect((await claimMediaJobs(9, 0)).map(w => w.video).sort()).toEqual([clip.video, voice.video].sort())
  expect((await claimMediaJobs(9, 1)).map(w => [w.video, w.long])).toEqual([[film.video, true]])
  expect((await claimMediaJobs(9, 1)).map(w => w.video)).toEqual([other.video])
})

test('a short clip goes before long clips of the same player', async () => {
  const ana = randomUUID()
  const film = await addMediaJobAskedAgo(9, { player: ana, ...long })
  const clip = await addMediaJobAskedAgo(1, { player: ana })
  expect((await claimMediaJobsOneByOne(2)).map(w => w.video)).toEqual([clip.video, film.video])
})

test(
  'the time until the next short work ignores long work',
  inTransactionWithConstantNow(async () => {
    await addMediaJobAskedAgo(2, long)
    expect([await queueUnderTest.untilNext('short'), await queueUnderTest.untilNext()]).toEqual([null, 0])
    const { video } = await addMediaJobAskedAgo(1)
    await sql`update media_work set due = now() + interval '20 s' where video = ${video}`
    expect([await queueUnderTest.untilNext('short'), await queueUnderTest.untilNext()]).toEqual([20_000, 0])
  }),
)

test('work classified as long stays long, whatever a later probe finds', async () => {
  const inside = { ...sampleVideoProperties, frames: 36_000, width: 1920, height: 1080 }
  await addMediaJobAskedAgo(1)
  const [job] = await claimMediaJobs()
  expect(job!.long).toBe(false)
  await queueUnderTest.recordProbe(job!, inside)
  expect((await mediaJobOf(job!.video)).long).toBe(true)
  await queueUnderTest.recordProbe(job!, { ...inside, frames: 1 })
  expect((await mediaJobOf(job!.video)).long).toBe(true)
})

test(
  'work moved to the long lane is due immediately, and its try does not count',
  inTransactionWithConstantNow(async () => {
    const { video } = await addMediaJobAskedAgo(1)
    await queueUnderTest.moveToLongLane((await claimMediaJobs())[0]!)
    expect(await mediaJobOf(video)).toMatchObject({ state: 'waiting', long: true, tries: 0, losses: 0, taken: 1, error: null })
    expect([await secondsUntilDue(video), await claimMediaJobs(9, 0)]).toEqual([0, []])
    expect((await claimMediaJobs(9, 1)).map(w => w.video)).toEqual([video])
  }),
)
