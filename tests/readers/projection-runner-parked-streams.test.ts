import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { projection } from '../../modules/kernel/projection.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import {
  connectAsOtherProcess,
  type GameEvent,
  newRunScoredEvent,
  scoresProjection,
  setUpProjectionRunnerTestbed,
  silentLog,
  sql,
  store,
  switchLogToPostgres,
  testAbort,
  totalRunsProjection,
} from './projection-runner-testbed.ts'

setUpProjectionRunnerTestbed()

describe('an event that a read model cannot process', () => {
  const careful = totalRunsProjection('careful')
  const naive = (bad: () => never, name = 'naive') =>
    projection<GameEvent>()({
      ...totalRunsProjection(name),
      on: { RunScored: (row, e, id) => (e.data.runs === 13 ? bad() : { id, n: (row?.n ?? 0) + e.data.runs }) },
    })
  const unlucky = () => {
    throw new Error('unlucky')
  }
  const rows = (name: string) => sql`select * from ${sql(`${name}_v1`)} order by 1`.then(all => [...all])
  const parked = async (views: ReturnType<typeof projectionRunner>) =>
    (await views.status()).map(({ parked }) => parked.streams.map(p => [p.stream, Number(p.position), p.error]))

  test('parks its stream with the error, and all other streams are processed', async () => {
    const views = projectionRunner(sql, store, [naive(unlucky), careful], { log: silentLog })
    await views.start(testAbort.signal)
    await store.append('game-1', -1n, [
      newRunScoredEvent('a', 1),
      newRunScoredEvent('a', 2),
      newRunScoredEvent('a', 13),
      newRunScoredEvent('a', 4),
    ])
    await store.append('game-2', -1n, [newRunScoredEvent('a', 7)])
    await store.append('game-3', -1n, [newRunScoredEvent('a', 1), newRunScoredEvent('a', 13)])
    const at = await store.append('game-1', 3n, [newRunScoredEvent('a', 5)])
    expect(await views.caughtUp(['naive', 'careful'], at, 10_000)).toBe(true)
    expect(await rows('careful')).toEqual([
      { id: '1', n: 25 },
      { id: '2', n: 7 },
      { id: '3', n: 14 },
    ])
    expect(await rows('naive')).toEqual([
      { id: '1', n: 3 },
      { id: '2', n: 7 },
      { id: '3', n: 1 },
    ])
    const [one, three] = await Promise.all(['game-1', 'game-3'].map(stream => store.read(stream)))
    const common = { reader: 'naive_v1', type: 'RunScored', error: 'Error: unlucky', at: expect.stringMatching(/Z$/) }
    expect(await views.status()).toEqual([
      {
        name: 'naive',
        version: 1,
        position: at,
        logEnd: null,
        rebuilding: null,
        parked: {
          count: 2,
          streams: [
            { ...common, stream: 'game-1', position: '2', event: one![2]!.id },
            { ...common, stream: 'game-3', position: '6', event: three![1]!.id },
          ],
        },
      },
      { name: 'careful', version: 1, position: at, logEnd: null, rebuilding: null, parked: { count: 0, streams: [] } },
    ])
  })

  test('parks its stream for every process, including those that start later', async () => {
    await switchLogToPostgres()
    const [one, two] = [0, 1].map(() =>
      projectionRunner(connectAsOtherProcess(), store, [naive(unlucky)], { log: silentLog, code: 'same' }),
    )
    await one!.start(testAbort.signal)
    await two!.start(testAbort.signal)
    await store.append('game-1', -1n, [newRunScoredEvent('a', 1), newRunScoredEvent('a', 13)])
    for (let n = 0; n < 20; n++) await store.append('game-1', BigInt(n) + 1n, [newRunScoredEvent('a', 1)])
    const late = projectionRunner(connectAsOtherProcess(), store, [naive(unlucky)], { log: silentLog, code: 'same' })
    await late.start(testAbort.signal)
    const at = await store.append('game-2', -1n, [newRunScoredEvent('a', 2)])
    for (const views of [one!, two!, late]) expect(await views.caughtUp(['naive'], at, 10_000)).toBe(true)
    expect(await rows('naive')).toEqual([
      { id: '1', n: 1 },
      { id: '2', n: 2 },
    ])
    expect(await parked(late)).toEqual([[['game-1', 1, 'Error: unlucky']]])
  })

  test('parks its stream even if it is the database that rejects its row', async () => {
    const strict = projection<GameEvent>()({
      name: 'strict',
      version: 1,
      row: { id: 'uuid', n: 'int' },
      key: e => (e.type === 'RunScored' ? e.data.team : []),
      on: { RunScored: (_, e, id) => ({ id, n: e.data.runs }) },
    })
    const views = projectionRunner(sql, store, [strict, careful], { log: silentLog })
    await views.start(testAbort.signal)
    await store.append('game-1', -1n, [newRunScoredEvent(randomUUID()), newRunScoredEvent('not-a-uuid'), newRunScoredEvent(randomUUID())])
    const at = await store.append('game-2', -1n, [newRunScoredEvent(randomUUID())])
    expect(await views.caughtUp(['careful', 'strict'], at, 10_000)).toBe(true)
    expect(await rows('strict')).toHaveLength(2)
    expect(await parked(views)).toEqual([[['game-1', 1, expect.stringContaining('uuid')]], []])
  })

  test('is found in a large batch, even if several events fail', async () => {
    for (let n = 0; n < 1000; n++)
      await store.append(`game-${n}`, -1n, [newRunScoredEvent('a', n % 250 === 13 ? 13 : 1), newRunScoredEvent('a', 1)])
    const views = projectionRunner(sql, store, [naive(unlucky)], { log: silentLog })
    await views.start(testAbort.signal)
    expect(await views.caughtUp(['naive'], 1999n, 30_000)).toBe(true)
    expect(await sql`select count(*)::int as count, sum(n)::int as n from naive_v1`).toEqual([{ count: 996, n: 2 * 996 }])
    expect((await parked(views))[0]!.map(([stream]) => stream)).toEqual(['game-13', 'game-263', 'game-513', 'game-763'])
  })

  test('is retried when new code starts, but not when the same code starts', async () => {
    const first = new AbortController()
    const wrong = projectionRunner(sql, store, [naive(unlucky), careful], { log: silentLog, code: 'one' })
    await wrong.start(first.signal)
    const at = await store.append('game-1', -1n, [newRunScoredEvent('a', 1), newRunScoredEvent('a', 13), newRunScoredEvent('a', 4)])
    await wrong.caughtUp(['naive'], at, 10_000)
    first.abort()
    let tries = 0
    const second = new AbortController()
    const counting = naive(() => {
      tries++
      return unlucky()
    })
    const same = projectionRunner(sql, store, [counting, careful], { log: silentLog, code: 'one' })
    await same.start(second.signal)
    const next = await store.append('game-2', -1n, [newRunScoredEvent('a', 3)])
    expect(await same.caughtUp(['naive'], next, 10_000)).toBe(true)
    expect(tries).toBe(0)
    second.abort()
    const right = projectionRunner(sql, store, [{ ...totalRunsProjection('naive') }, careful], { log: silentLog, code: 'two' })
    await right.start(testAbort.signal)
    await expect.poll(() => parked(right)).toEqual([[], []])
    expect(await rows('naive')).toEqual([
      { id: '1', n: 18 },
      { id: '2', n: 3 },
    ])
  })

  test('leaves no trace in the rows after a successful rebuild, even if the log grows', async () => {
    await switchLogToPostgres()
    let isFixed = false
    const strict = projection<GameEvent>()({
      ...scoresProjection,
      name: 'strict',
      on: {
        ...scoresProjection.on,
        RunScored: (row, e, key) => {
          if (!isFixed && e.data.runs === 13) throw new Error('not yet')
          return scoresProjection.on.RunScored!(row, e, key)
        },
      },
    })
    const views = projectionRunner(sql, store, [strict, scoresProjection], { log: silentLog })
    await views.start(testAbort.signal)
    let last = 0n
    for (let n = 0; n < 30; n++)
      last = await store.append(`game-${n % 3}`, BigInt(Math.floor(n / 3)) - 1n, [newRunScoredEvent('ab'[n % 2], n)])
    expect(await views.caughtUp(['strict', 'scores'], last, 10_000)).toBe(true)
    expect(await parked(views)).toEqual([[['game-1', 13, 'Error: not yet']], []])
    expect(await rows('strict')).not.toEqual(await rows('scores'))
    isFixed = true
    const appending = (async () => {
      let at = 0n
      for (let n = 10; n < 40; n++) at = await store.append('game-1', BigInt(n) - 1n, [newRunScoredEvent('a', n)])
      return at
    })()
    const rebuild = views.rebuild('strict')
    expect(views.rebuild('strict')).toBe(rebuild)
    await rebuild
    expect(await views.caughtUp(['strict', 'scores'], await appending, 10_000)).toBe(true)
    expect(await parked(views)).toEqual([[], []])
    expect(await rows('strict')).toEqual(await rows('scores'))
  })

  test('parks nothing if the database caused the error: the reader waits', async () => {
    await switchLogToPostgres()
    const views = projectionRunner(connectAsOtherProcess(), store, [careful, scoresProjection], { log: silentLog })
    await views.start(testAbort.signal)
    await views.caughtUp(['careful', 'scores'], await store.append('game-1', -1n, [newRunScoredEvent('a', 1)]))
    // The SQLSTATEs of a canceled query, a deadlock, a full disk, a shutdown, a missing privilege and a read-only standby.
    for (const [n, state] of ['57014', '40P01', '53100', '57P01', '42501', '25006'].entries()) {
      await sql.unsafe(`
        create sequence tries_${n};
        create or replace function fail() returns trigger language plpgsql as $$ begin
          if nextval('tries_${n}') <= 2 then raise exception using errcode = '${state}', message = 'not now'; end if; return new; end $$;
        create or replace trigger fail before insert on careful_v1 for each row execute function fail()`)
      const at = await store.append('game-1', BigInt(n), [newRunScoredEvent('a', 1)])
      expect([state, await views.caughtUp(['careful', 'scores'], at, 10_000)]).toEqual([state, true])
      expect((await sql`select last_value::int as n from ${sql(`tries_${n}`)}`)[0]!.n).toBe(3)
    }
    expect(await rows('careful')).toEqual([{ id: '1', n: 7 }])
    expect(await parked(views)).toEqual([[], []])
  })
})
