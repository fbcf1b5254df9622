import { randomUUID } from 'node:crypto'
import type { ISql, Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteMediaWork, isRefused, type MediaJob, type MediaWork, mediaWork, renditionOf } from '../../../modules/media/media-work.ts'
import { filmstripKey, frameTableKey, posterKey, renditionKey, videoKey } from '../../../modules/media/object-keys.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { MAX_KILLED_TRIES } from '../../../modules/media/policy.ts'
import { connectPostgres } from '../../../src/server/postgres-pool.ts'
import { database } from '../../support/postgres.ts'

/** The queue itself, without a worker. */

let db: Awaited<ReturnType<typeof database>>
let sql: ISql
let work: MediaWork
beforeAll(async () => {
  db = await database()
  sql = db.sql
  work = mediaWork(db.sql)
})
afterAll(() => db.end())
beforeEach(() => db.sql`truncate media_work`)

/** Runs the test in one transaction, in which the database's clock stands still. */
const still = (test: () => Promise<void>) => () =>
  db.sql.begin(async tx => {
    sql = tx
    work = mediaWork(tx as unknown as Sql)
    try {
      await test()
    } finally {
      sql = db.sql
      work = mediaWork(db.sql)
    }
  })

const LEASE = 60_000
const media = { codec: 'hevc', frames: 75 } as MediaJob['media'] & object
const made = {
  rendition: { bytes: 900, width: 720, height: 1280 },
  poster: { bytes: 30 },
  filmstrip: { bytes: 40, count: 60, columns: 10, width: 90, height: 160 },
} as MediaJob['made'] & object
/** Adds work as if it had been requested this many minutes ago. */
async function added(minutes: number, more: Partial<Parameters<MediaWork['add']>[0]> = {}) {
  const [folder, video] = [randomUUID(), randomUUID()]
  const its = { kind: 'rendition' as const, video, folder, key: videoKey(folder, video), type: 'video/mp4', bytes: 1000, ...more }
  await work.add(its)
  await sql`update media_work set asked = now() - ${minutes} * interval '1 min' where video = ${its.video}`
  return its
}
const rowOf = async (video: string, kind?: MediaJob['kind']) => (await work.of([video], kind)).get(video)!
const take = async (count = 1, longCount = count) => await work.take(count, LEASE, longCount)
/** Takes work one at a time, in order. */
const takeEach = async (count: number) => {
  const taken: MediaJob[] = []
  for (let i = 0; i < count; i++) taken.push((await take())[0]!)
  return taken
}
/** Seconds until the work may be taken. */
const rests = async (video: string) => {
  const [row] = await sql`select extract(epoch from due - now())::float8 as seconds from media_work where video = ${video}`
  return Math.round(row!.seconds) + 0
}
const isNow = (time: string | null) => time !== null && Math.abs(Date.parse(time) - Date.now()) < 60_000

test('work that is asked for waits once; a voice-over is apart from a video of its id', async () => {
  const its = await added(1, { media })
  const other = await added(1)
  expect(await rowOf(its.video)).toMatchObject({ ...its, state: 'waiting', progress: 0, taken: 0, tries: 0, losses: 0, media, made: null })
  expect((await rowOf(other.video)).media).toBeNull()
  await work.add({ ...its, type: 'video/webm' })
  expect((await rowOf(its.video)).type).toBe('video/mp4')
  await work.add({ ...its, kind: 'voice', type: 'audio/webm' })
  expect([(await rowOf(its.video)).type, (await rowOf(its.video, 'voice')).type]).toEqual(['video/mp4', 'audio/webm'])
  expect([...(await work.of([its.video, other.video, randomUUID()])).keys()].sort()).toEqual([its.video, other.video].sort())
  expect(await work.of([])).toEqual(new Map())
})

test(
  'the oldest is taken first, as many as are asked for, and each by one worker',
  still(async () => {
    const [young, old, middle] = [await added(1), await added(9), await added(5)]
    const taken = [await take(2), await take(2), await take(2)]
    expect(taken.map(some => some.map(its => its.video).sort())).toEqual([[old.video, middle.video].sort(), [young.video], []])
    expect(taken[1]![0]).toMatchObject({ state: 'preparing', taken: 1, tries: 1, losses: 0, error: null })
    expect(await rests(young.video)).toBe(60)
  }),
)

test(
  'how long until the next is due',
  still(async () => {
    expect(await work.untilNext()).toBeNull()
    const [one, two] = [await added(2), await added(1)]
    await sql`update media_work set due = now() + interval '40 s' where video = ${one.video}`
    await sql`update media_work set due = now() + interval '20 s' where video = ${two.video}`
    expect(await work.untilNext()).toBe(20_000)
    await sql`update media_work set state = 'ready' where video = ${two.video}`
    expect(await work.untilNext()).toBe(40_000)
  }),
)

test(
  'a heartbeat tells how far it is, and renews the lease',
  still(async () => {
    const [its, other] = [await added(2), await added(1)]
    const [mine] = await take()
    await take()
    expect(await work.beat(mine!, 0.25, 120_000)).toBe(true)
    expect([(await rowOf(its.video)).progress, (await rowOf(other.video)).progress]).toEqual([0.25, 0])
    expect([await rests(its.video), await rests(other.video)]).toEqual([120, 60])
    await work.looked(mine!, media)
    expect([(await rowOf(its.video)).media, (await rowOf(other.video)).media]).toEqual([media, null])
  }),
)

test('it is ready, or refused, when its holder says so; nobody else has the word', async () => {
  const [good, bad, third] = [await added(3), await added(2), await added(1)]
  const [first, second] = await takeEach(2)
  expect(await work.ready(first!, made)).toBe(true)
  expect(await rowOf(good.video)).toMatchObject({ state: 'ready', progress: 1, made, code: null, error: null })
  await work.refuse(second!, 'damaged', 'What\0 it said')
  expect(await rowOf(bad.video)).toMatchObject({ state: 'refused', code: 'damaged', error: 'What it said', made: null })
  for (const { video } of [good, bad]) expect(isNow((await rowOf(video)).ended)).toBe(true)
  expect(await rowOf(third.video)).toMatchObject({ state: 'waiting', ended: null })
  // What ended has no holder any more.
  for (const over of [first!, second!]) {
    expect([await work.beat(over, 0.5, LEASE), await work.ready(over, made)]).toEqual([false, false])
    await work.refuse(over, 'too-much')
    await work.looked(over, { ...media, frames: 1 })
    await work.lost(over, 'killed')
  }
  expect([(await rowOf(good.video)).state, (await rowOf(bad.video)).code]).toEqual(['ready', 'damaged'])
})

test(
  'whoever let the lease run out says nothing about what another has taken since',
  still(async () => {
    const { video } = await added(1)
    const [old] = await take()
    await sql`update media_work set due = now() - interval '1 hour' where video = ${video}`
    const [its] = await take()
    expect(its).toMatchObject({ video, taken: 2 })
    const before = await rowOf(video)
    expect([await work.beat(old!, 0.5, 2 * LEASE), await work.ready(old!, made)]).toEqual([false, false])
    await work.refuse(old!, 'damaged')
    await work.looked(old!, media)
    await work.failed(old!, 'late', 'crashed', 9)
    await work.lost(old!, 'late')
    await work.giveBack(old!, 'late', 0)
    expect([await rowOf(video), await rests(video)]).toEqual([before, 60])
    expect(await work.ready(its!, made)).toBe(true)
  }),
)

test(
  'a try that the file ended is repeated after doubling pauses, until the last',
  still(async () => {
    const { video } = await added(1)
    for (const pause of [2, 4]) {
      const [its] = await take()
      await work.failed(its!, `${pause}`, 'too-much', 3)
      expect(await rowOf(video)).toMatchObject({ state: 'waiting', error: `${pause}`, code: null })
      expect(await rests(video)).toBe(pause)
      await sql`update media_work set due = now()`
    }
    const [last] = await take()
    await work.failed(last!, 'again', 'too-much', 3)
    expect(await rowOf(video)).toMatchObject({ state: 'refused', code: 'too-much', error: 'again', tries: 3 })
  }),
)

test('a loss does not count as a try, until there were too many', async () => {
  const [{ video }, other] = [await added(2), await added(1)]
  for (let losses = 1; losses < MAX_KILLED_TRIES; losses++) {
    const [its] = await take()
    await work.lost(its!, 'killed')
    expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses, error: 'killed' })
    await sql`update media_work set due = now()`
  }
  const [its] = await take()
  await work.lost(its!, 'killed again')
  expect(await rowOf(video)).toMatchObject({ state: 'refused', code: 'crashed', error: 'killed again' })
  expect(await rowOf(other.video)).toMatchObject({ state: 'waiting', losses: 0 })
})

test(
  'work given back counts as no try, keeps its findings, and waits as told',
  still(async () => {
    const { video } = await added(1)
    await work.giveBack((await take())[0]!, 'The store is away', 5000)
    expect(await rowOf(video)).toMatchObject({ state: 'waiting', tries: 0, losses: 0, error: 'The store is away' })
    expect(await rests(video)).toBe(5)
    await sql`update media_work set due = now()`
    await work.giveBack((await take())[0]!, null, 0)
    expect(await rowOf(video)).toMatchObject({ tries: 0, error: 'The store is away' })
    expect(await rests(video)).toBe(0)
  }),
)

test(
  'an administrator restarts refused or resting work, but no ready or running work',
  still(async () => {
    const [refused, resting, ready, busy] = [await added(4), await added(3), await added(2), await added(1)]
    const [one, two, three] = await takeEach(4)
    await work.refuse(one!, 'damaged', 'broken')
    await work.failed(two!, 'slow', 'too-much', 5)
    await work.ready(three!, made)
    await sql`update media_work set losses = 2 where video = ${refused.video}`
    const answers = []
    for (const { video } of [refused, resting, ready, busy]) answers.push(await work.again(video))
    expect([...answers, await work.again(randomUUID())]).toEqual([true, true, false, false, false])
    for (const { video } of [refused, resting]) {
      expect(await rowOf(video)).toMatchObject({
        ...{ state: 'waiting', tries: 0, losses: 0, progress: 0, code: null, error: null, made: null, ended: null },
      })
      expect(await rests(video)).toBe(0)
    }
    expect([(await rowOf(ready.video)).state, (await rowOf(busy.video)).state]).toEqual(['ready', 'preparing'])
  }),
)

test('the administrator sees running before refused work, newest first, with totals', async () => {
  const all = [await added(9), await added(7), await added(5), await added(3), await added(1)]
  const [one, two, three] = await takeEach(3)
  await work.refuse(one!, 'damaged')
  await work.refuse(two!, 'damaged')
  await sql`update media_work set ended = now() - interval '1 h' where video = ${two!.video}`
  await work.ready(three!, made)
  const { counts, works } = await work.queue(10)
  expect(counts).toEqual({ refused: 2, ready: 1, waiting: 2 })
  expect(works.map(w => w.video)).toEqual([all[3]!, all[4]!, all[0]!, all[1]!].map(v => v.video))
  expect((await work.queue(2)).works).toHaveLength(2)
})

test('listeners are notified of all work that may be taken', async () => {
  let heard = 0
  const hear = () => heard++
  await db.sql.listen('media', hear, hear)
  const next = async (act: () => Promise<unknown>) => {
    const before = heard
    const answer = await act()
    await expect.poll(() => heard).toBe(before + 1)
    return answer
  }
  await expect.poll(() => heard).toBe(1)
  let its!: Awaited<ReturnType<typeof added>>
  await next(async () => {
    its = await added(1)
  })
  await next(async () => work.lost((await take())[0]!, 'killed'))
  await next(async () => work.giveBack((await take())[0]!, null, 0))
  await next(() => work.again(its.video))
})

test('is read by one statement for any number of videos, so that one plan is cached', async () => {
  const one = connectPostgres(db.url, { max: 1 })
  const alone = mediaWork(one)
  const { video } = await added(1)
  for (const others of [0, 1, 2]) {
    const all = [video, ...Array.from({ length: others }, () => randomUUID())]
    expect([...(await alone.of(all)).keys()]).toEqual([video])
  }
  const prepared = one.unsafe("select 1 from pg_prepared_statements where statement like '%from media_work where%'")
  expect(await prepared).toHaveLength(1)
  await one.end()
})

test('no instructor sees a video that was refused: originals are not for them', () => {
  const states: MediaJob['state'][] = ['waiting', 'preparing', 'ready', 'refused']
  expect(states.map(state => isRefused({ state }))).toEqual([false, false, false, true])
})

test('what the API tells of it: addresses only of what is there', async () => {
  const { video, folder } = await added(1)
  const waiting = await rowOf(video)
  const sign = async (key: string) => `signed:${key}`
  const nothing = { url: null, bytes: null, width: null, height: null, filmstrip: null }
  expect(await renditionOf({ ...waiting, progress: 0.5 }, sign)).toEqual({
    ...{ state: 'waiting', progress: 0.5, reason: null, unseen: false, table: null, ...nothing },
  })
  const refused: MediaJob = { ...waiting, state: 'refused', code: 'damaged', media, made }
  expect(await renditionOf(refused, sign)).toEqual({
    ...{ state: 'refused', progress: 0, unseen: true, table: `signed:${frameTableKey(folder, video)}`, ...nothing },
    reason: { code: 'damaged', message: expect.stringMatching(/^[A-Z].*\.$/) },
  })
  const unknown = await renditionOf({ ...refused, code: 'of tomorrow' as never }, sign)
  expect(unknown.reason!.message).toBe((await renditionOf({ ...refused, code: 'crashed' }, sign)).reason!.message)
  expect(await renditionOf({ ...waiting, state: 'ready', progress: 0.9, media, made }, sign)).toEqual({
    ...{ state: 'ready', progress: 1, reason: null, unseen: false, table: `signed:${frameTableKey(folder, video)}` },
    ...{ url: `signed:${renditionKey(folder, video)}`, bytes: 900, width: 720, height: 1280 },
    filmstrip: { url: `signed:${filmstripKey(folder, video)}`, count: 60, columns: 10, width: 90, height: 160 },
  })
})

test('a video that left takes all that was made of it along, and nothing of another', async () => {
  const [gone, stays] = [await added(2), await added(1)]
  const removed: string[] = []
  const objects = { remove: async (key: string) => void removed.push(key) } as Pick<ObjectStore, 'remove'> as ObjectStore
  await deleteMediaWork(db.sql, objects, gone.folder, gone.video)
  expect(removed.sort()).toEqual([renditionKey, frameTableKey, filmstripKey, posterKey].map(key => key(gone.folder, gone.video)).sort())
  expect([...(await work.of([gone.video, stays.video])).keys()]).toEqual([stays.video])
})

test('a player who sends hundreds takes turns with others: the last served comes last', async () => {
  const [ana, ben, cleo] = [randomUUID(), randomUUID(), randomUUID()]
  const many: string[] = []
  for (let i = 0; i < 5; i++) many.push((await added(100 - i, { player: ana })).video)
  const [one, two] = [await added(3, { player: ben }), await added(2, { player: ben })]
  const his = await added(1, { player: cleo })
  const nobodys = await added(50)
  const taken: string[] = []
  for (let i = 0; i < 9; i++) {
    const [its] = await take()
    taken.push(its!.video)
    // However it ends: what failed has had its turn, too.
    if (i === 0) await work.failed(its!, 'It ended by SIGSEGV.', 'crashed', 2)
    else await work.ready(its!, made)
  }
  expect(taken).toEqual([many[0], nobodys.video, one.video, his.video, many[1], two.video, ...many.slice(2)])
})

test('no player gets all places while others wait', async () => {
  const [ana, ben] = [randomUUID(), randomUUID()]
  const many: string[] = []
  for (let i = 0; i < 4; i++) many.push((await added(100 - i, { player: ana })).video)
  const other = await added(1, { player: ben })
  expect((await take(2)).map(w => w.video).sort()).toEqual([many[0]!, other.video].sort())
  const last = await added(0, { player: ben })
  // Each has one under way.
  expect((await take(2)).map(w => w.video).sort()).toEqual([many[1]!, last.video].sort())
  expect((await take(9)).map(w => w.video).sort()).toEqual(many.slice(2).sort())
})

/** More bytes than short work may have, and not yet probed. */
const long = { bytes: 1_000_000_000 }

test('no more long work is taken than is allowed, and short work goes past what waits', async () => {
  const [film, other] = [await added(9, long), await added(8, long)]
  const [clip, voice] = [await added(2), await added(1, { kind: 'voice', ...long })]
  expect((await take(9, 0)).map(w => w.video).sort()).toEqual([clip.video, voice.video].sort())
  expect((await take(9, 1)).map(w => [w.video, w.long])).toEqual([[film.video, true]])
  expect((await take(9, 1)).map(w => w.video)).toEqual([other.video])
})

test('a short clip goes before the long ones of its own player', async () => {
  const ana = randomUUID()
  const film = await added(9, { player: ana, ...long })
  const clip = await added(1, { player: ana })
  expect((await takeEach(2)).map(w => w.video)).toEqual([clip.video, film.video])
})

test(
  'how long until the next short work is due, whatever long work waits',
  still(async () => {
    await added(2, long)
    expect([await work.untilNext('short'), await work.untilNext()]).toEqual([null, 0])
    const { video } = await added(1)
    await sql`update media_work set due = now() + interval '20 s' where video = ${video}`
    expect([await work.untilNext('short'), await work.untilNext()]).toEqual([20_000, 0])
  }),
)

test('work is long by what is inside, once somebody has looked, and stays so', async () => {
  const inside = { ...media, frames: 36_000, width: 1920, height: 1080 }
  await added(1)
  const [its] = await take()
  expect(its!.long).toBe(false)
  await work.looked(its!, inside)
  expect((await rowOf(its!.video)).long).toBe(true)
  await work.looked(its!, { ...inside, frames: 1 })
  expect((await rowOf(its!.video)).long).toBe(true)
})

test(
  'work that moves to the long lane waits there at once, and was not tried',
  still(async () => {
    const { video } = await added(1)
    await work.moveToLongLane((await take())[0]!)
    expect(await rowOf(video)).toMatchObject({ state: 'waiting', long: true, tries: 0, losses: 0, taken: 1, error: null })
    expect([await rests(video), await take(9, 0)]).toEqual([0, []])
    expect((await take(9, 1)).map(w => w.video)).toEqual([video])
  }),
)
