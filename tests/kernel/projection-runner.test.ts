import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Sql } from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projection } from '../../modules/kernel/projection.ts'
import { projectionRunner } from '../../modules/kernel/projection-runner.ts'
import { abortableSleep } from '../../modules/kernel/sleep.ts'
import { Conflict, type EventStore, idOf } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { connectPostgres } from '../../src/server/postgres-pool.ts'
import { database } from '../support/postgres.ts'
import { event } from './store-contract.ts'

type Game =
  | { type: 'RunScored'; data: { team: string; runs: number } }
  | { type: 'RunsTraded'; data: { from: string; to: string } }
  | { type: 'TeamLeft'; data: { team: string } }

const quiet = { info: () => {}, error: () => {} }

/** The runs of a team and their previous value: a handler sees every column type as it was written. */
const scores = projection<Game>()({
  name: 'scores',
  version: 1,
  row: { team: 'text', runs: 'int', total: 'bigint', hot: 'bool', since: 'timestamptz', last: 'timestamptz?', past: 'jsonb' },
  index: ['runs desc, team', 'last'],
  key: e => (e.type === 'RunsTraded' ? [e.data.from, e.data.to] : e.data.team),
  on: {
    RunScored: (row, e) => ({
      team: e.data.team,
      runs: (row?.runs ?? 0) + e.data.runs,
      total: (row?.total ?? 9007199254740993n) + BigInt(e.data.runs),
      hot: e.data.runs > 3,
      since: row?.since ?? e.at,
      last: row ? e.at : null,
      past: [row?.since ?? null, row?.last ?? null, row ? `${row.total}` : null],
    }),
    RunsTraded: (row, e, key) => (row && key === e.data.from ? { ...row, runs: row.runs - 1 } : row && { ...row, runs: row.runs + 1 }),
    TeamLeft: () => null,
  },
})

const count = (name: string, version = 1) =>
  projection<Game>()({
    name,
    version,
    row: { id: 'text', n: 'int' },
    key: e => idOf(e.stream),
    on: { RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + e.data.runs }) },
  })

const scored = (team = 'a', runs = 1) => event({ team, runs }, { type: 'RunScored' })

let db: Awaited<ReturnType<typeof database>>
let sql: Sql
let store: EventStore & { close?: () => Promise<void> }
let ending: AbortController
const pools: Sql[] = []

beforeEach(async () => {
  db = await database()
  sql = db.sql
  ending = new AbortController()
  store = memoryStore()
})
afterEach(async () => {
  ending.abort()
  await store.close?.()
  await Promise.all(pools.splice(0).map(pool => pool.end({ timeout: 5 })))
  await db.end()
})

const onPostgres = async () => {
  store = postgresStore(sql)
}
/** Simulates another process with separate connections and memory. */
const elsewhere = () => {
  const pool = connectPostgres(db.url, { max: 3 })
  pools.push(pool)
  return pool
}

describe('a read model', () => {
  test('is the fold of the log, row by row, with every type of column as it was', async () => {
    const views = projectionRunner(sql, store, [scores], { log: quiet })
    await views.start(ending.signal)
    await store.append('game-1', -1n, [scored('a', 2), scored('b', 5)])
    await store.append('game-1', 1n, [scored('a', 1)])
    await views.caughtUp(['scores'], 2n)
    const at = await store.append('game-1', 2n, [scored('a', 1), event({ from: 'a', to: 'b' }, { type: 'RunsTraded' })])
    expect(await views.caughtUp(['scores'], at)).toBe(true)
    const times = (await store.read('game-1')).map(e => e.at)
    expect([...(await sql`select * from scores_v1 order by team`)]).toEqual([
      {
        team: 'a',
        runs: 3,
        total: 9007199254740997n,
        hot: false,
        since: times[0],
        last: times[3],
        past: [times[0], times[2], '9007199254740996'],
      },
      { team: 'b', runs: 6, total: 9007199254740998n, hot: true, since: times[1], last: null, past: [null, null, null] },
    ])
    const left = await store.append('game-1', 4n, [event({ team: 'a' }, { type: 'TeamLeft' }), event({}, { type: 'Unheard' })])
    await views.caughtUp(['scores'], left)
    expect((await sql`select team from scores_v1`).map(r => r.team)).toEqual(['b'])
  })

  test('is the same however the log is cut into batches', async () => {
    const team = fc.constantFrom('a', 'b', 'c')
    const game = fc.oneof(
      fc.record({ type: fc.constant('RunScored'), data: fc.record({ team, runs: fc.nat(9) }) }),
      fc.record({ type: fc.constant('RunsTraded'), data: fc.record({ from: team, to: team }) }),
      fc.record({ type: fc.constant('TeamLeft'), data: fc.record({ team }) }),
    )
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(game, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }), async batches => {
        const log = memoryStore(() => new Date(Date.UTC(2026, 0, 1) + 1234567))
        const views = (n: string) => projectionRunner(sql, log, [{ ...scores, name: `scores_${n}_${round}` }], { log: quiet })
        const [whole, parts] = [views('whole'), views('parts')]
        round++
        const stop = new AbortController()
        await parts.start(stop.signal)
        let revision = -1n
        for (const batch of batches) {
          const at = await log.append(
            'game-1',
            revision,
            batch.map(({ type, data }) => event(data, { type })),
          )
          revision += BigInt(batch.length)
          expect(await parts.caughtUp([`scores_parts_${round - 1}`], at)).toBe(true)
        }
        await whole.start(stop.signal)
        expect(await whole.caughtUp([`scores_whole_${round - 1}`], revision)).toBe(true)
        stop.abort()
        const rows = (n: string) => sql`select * from ${sql(`scores_${n}_${round - 1}_v1`)} order by team`
        expect([...(await rows('whole'))]).toEqual([...(await rows('parts'))])
      }),
      { numRuns: 10 },
    )
  })

  test('is the same in bulk as one by one, whatever its text', async () => {
    const odd = [
      '\\N',
      '\\.',
      'a\tb',
      'a\nb',
      'a\r\nb',
      'back\\slash',
      '"quoted"',
      "it's",
      '',
      ' ',
      'null',
      '{}',
      '\u2028',
      '\u{1f94e}',
      '\\n',
      ';--',
    ]
    const notes = projection<Game>()({
      name: 'notes',
      version: 1,
      row: { team: 'text', note: 'text?', list: 'jsonb', nothing: 'jsonb?', big: 'bigint?', times: 'int', at: 'timestamptz' },
      key: e => (e.type === 'RunScored' ? e.data.team : []),
      on: {
        RunScored: (row, e) => ({
          team: e.data.team,
          note: e.data.runs % 2 ? e.data.team : null,
          list: e.data.runs % 3 ? [e.data.team, { [e.data.team]: null }] : e.data.team,
          nothing: null,
          big: e.data.runs % 5 ? BigInt(e.data.runs) : null,
          times: (row?.times ?? 0) + 1,
          at: e.at,
        }),
      },
    })
    const teams = odd.flatMap(text => Array.from({ length: 30 }, (_, n) => `${text}${n}`)).concat(odd)
    const scores = [...teams, ...teams.slice(0, 200)].map((team, n) => scored(team, n))
    for (const [n, score] of scores.entries()) await store.append('game-1', BigInt(n) - 1n, [score])
    const views = projectionRunner(sql, store, [notes, { ...notes, name: 'bulk' }, { ...notes, name: 'other' }], { log: quiet })
    await views.start(ending.signal)
    expect(await views.caughtUp(['notes', 'bulk', 'other'], BigInt(scores.length) - 1n, 10_000)).toBe(true)
    await views.rebuild('bulk')

    const single = memoryStore()
    const slow = projectionRunner(sql, single, [{ ...notes, name: 'single' }], { log: quiet })
    await slow.start(ending.signal)
    const events = (await store.read('game-1')).map(({ id, type, data, meta }) => ({ id, type, data, meta }))
    for (let n = 0; n < events.length; n += 40) {
      const at = await single.append('game-1', BigInt(n) - 1n, events.slice(n, n + 40))
      expect(await slow.caughtUp(['single'], at)).toBe(true)
    }
    const rows = async (name: string) =>
      (await sql`select team, note, list, nothing, big, times from ${sql(`${name}_v1`)} order by team`).map(r => ({ ...r }))
    const expected = await rows('single')
    expect(expected).toHaveLength(teams.length)
    for (const name of ['notes', 'bulk', 'other']) expect(await rows(name)).toEqual(expected)
  })

  test('writes a batch in statements of a hundred rows, all in one transaction', async () => {
    const notes = projection<Game>()({
      name: 'notes',
      version: 1,
      row: { team: 'text', list: 'jsonb', nothing: 'jsonb?', n: 'int' },
      key: e => (e.type === 'RunScored' ? e.data.team : []),
      on: { RunScored: (row, e) => ({ team: e.data.team, list: [e.data.team], nothing: null, n: (row?.n ?? 0) + 1 }) },
    })
    const views = projectionRunner(sql, store, [notes], { log: quiet })
    await views.start(ending.signal)
    await sql.unsafe(`
      create table statements (n serial, kind text, transaction text);
      create function note_statement() returns trigger language plpgsql as $$ begin
        insert into statements (kind, transaction) values (split_part(current_query(), ' ', 1), pg_current_xact_id()::text); return null;
      end $$;
      create trigger note_statement before insert on notes_v1 for each statement execute function note_statement()`)
    let revision = -1n
    for (const from of [0, 150]) {
      const teams = Array.from({ length: 250 }, (_, n) => scored(`team ${from + n}`))
      const at = await store.append('game-1', revision, teams)
      revision += 250n
      expect(await views.caughtUp(['notes'], at, 5000)).toBe(true)
      const rows = await sql`with gone as (delete from statements returning *) select * from gone order by n`
      expect(rows.map(r => r.kind)).toEqual(['insert', 'insert', 'insert'])
      expect(new Set(rows.map(r => r.transaction)).size).toBe(1)
    }
    expect(await sql`select n, count(*)::int as teams from notes_v1 group by n order by n`).toEqual([
      { n: 1, teams: 300 },
      { n: 2, teams: 100 },
    ])
  })

  test('leaves out the one poison event of a large batch', async () => {
    const strict = projection<Game>()({
      name: 'strict',
      version: 1,
      row: { id: 'uuid', n: 'int' },
      key: e => (e.type === 'RunScored' ? idOf(e.stream) : []),
      on: { RunScored: (_, e, id) => ({ id, n: e.data.runs === 777 ? (null as never) : e.data.runs }) },
    })
    for (let n = 0; n < 1000; n++) await store.append(`game-${randomUUID()}`, -1n, [scored('a', n)])
    const views = projectionRunner(sql, store, [strict, count('other')], { log: quiet })
    await views.start(ending.signal)
    expect(await views.caughtUp(['other'], 999n, 10_000)).toBe(true)
    expect(await views.caughtUp(['strict'], 999n, 10_000)).toBe(true)
    expect((await sql`select count(*)::int as n from strict_v1`)[0]!.n).toBe(999)
    expect((await views.status())[0]!.parked.streams.map(p => p.position)).toEqual(['777'])
  })

  test('counts every event once where several processes catch up at the same time', async () => {
    const [teams, games, long] = [60, 100, 600]
    for (let g = 0; g < games; g++)
      await store.append(
        `game-${g}`,
        -1n,
        Array.from({ length: long }, (_, n) => scored(`team ${Math.floor(n / 10) % teams}`)),
      )
    /** Delivers the log to each process in batches of a different size. */
    const by = (size: number): EventStore => ({
      ...store,
      async *follow(from, signal, types) {
        for await (const batch of store.follow(from, signal, types))
          for (let i = 0; i < batch.length; i += size) yield batch.slice(i, i + size)
      },
    })
    const workers = [400, 700, 1100].map(size => projectionRunner(elsewhere(), by(size), [scores], { log: quiet }))
    await Promise.all(workers.map(w => w.start(ending.signal)))
    for (const w of workers) expect(await w.caughtUp(['scores'], BigInt(games * long - 1), 30_000)).toBe(true)
    expect((await sql`select runs from scores_v1`).map(r => r.runs)).toEqual(Array.from({ length: teams }, () => (games * long) / teams))
  })

  test('counts every event once, with many workers whose connections are cut', async () => {
    await onPostgres()
    const names = ['first', 'second', 'third']
    const workers = Array.from({ length: 4 }, () =>
      projectionRunner(
        elsewhere(),
        store,
        names.map(n => count(n)),
        { log: quiet },
      ),
    )
    await Promise.all(workers.map(w => w.start(ending.signal)))
    /** Retries like a person: checks whether the event was written after all, then tries again. */
    const append = async (stream: string, n: number): Promise<bigint> => {
      try {
        return await store.append(stream, BigInt(n) - 1n, [scored('x', 1)])
      } catch (error) {
        if (error instanceof Conflict) return (await store.read(stream))[n]!.position
        await abortableSleep(20, ending.signal)
        return append(stream, n)
      }
    }
    const write = Promise.all(
      Array.from({ length: 16 }, async (_, w) => {
        let at = 0n
        for (let n = 0; n < 30 && !ending.signal.aborted; n++) at = await append(`game-${w}`, n)
        return at
      }),
    )
    const admin = connectPostgres(process.env.TEST_DATABASE_URL!, { max: 1 })
    pools.push(admin)
    for (let cut = 0; cut < 3; cut++) {
      await workers[0]!.caughtUp(['first'], BigInt(100 * (cut + 1)))
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${new URL(db.url).pathname.slice(1)}`
    }
    const at = (await write).sort((a, b) => (a < b ? 1 : -1))[0]!
    for (const w of workers) expect(await w.caughtUp(names, at, 10_000)).toBe(true)
    // A connection cut while idle fails only at its next use.
    const whole = elsewhere()
    for (const name of names) {
      expect((await whole`select sum(n)::int as n, count(*)::int as rows from ${sql(`${name}_v1`)}`)[0]).toEqual({ n: 16 * 30, rows: 16 })
    }
  })

  test('that is up to date moves with the others, in one transaction', async () => {
    await onPostgres()
    const names = ['one', 'two', 'three']
    const views = projectionRunner(
      sql,
      store,
      names.map(n => count(n)),
      { log: quiet },
    )
    await views.start(ending.signal)
    const first = await store.append('game-1', -1n, [scored()])
    expect(await views.caughtUp(names, first)).toBe(true)
    const second = await store.append('game-1', 0n, [scored()])
    expect(await views.caughtUp(names, second)).toBe(true)
    expect((await sql`select count(distinct xmin::text)::int as n from checkpoints`)[0]!.n).toBe(1)
  })

  test('added to an old log catches up by itself and then keeps up', async () => {
    for (let n = 0; n < 50; n++) await store.append(`game-${n}`, -1n, [scored('a', 2)])
    const before = projectionRunner(sql, store, [count('old')], { log: quiet })
    const stop = new AbortController()
    await before.start(stop.signal)
    await before.caughtUp(['old'], 49n)
    stop.abort()
    await store.append('game-50', -1n, [scored('a', 2)])
    const views = projectionRunner(sql, store, [count('old'), count('new')], { log: quiet })
    await views.start(ending.signal)
    expect(await views.caughtUp(['old', 'new'], 50n)).toBe(true)
    const at = await store.append('game-51', -1n, [scored('a', 2)])
    expect(await views.caughtUp(['old', 'new'], at)).toBe(true)
    for (const name of ['old', 'new']) expect((await sql`select sum(n)::int as n from ${sql(`${name}_v1`)}`)[0]!.n).toBe(104)
  })
})

describe('reading your own writes', () => {
  test('waits for the read models that are read, also in a process that keeps none', async () => {
    await onPostgres()
    const keeper = projectionRunner(elsewhere(), store, [count('mine')], { log: quiet })
    const asker = projectionRunner(elsewhere(), store, [count('mine')], { log: quiet })
    await keeper.start(ending.signal)
    for (let n = 0; n < 20; n++) {
      const at = await store.append('game-1', BigInt(n) - 1n, [scored()])
      expect(await asker.caughtUp(['mine'], at)).toBe(true)
      expect((await sql`select n from mine_v1`)[0]!.n).toBe(n + 1)
    }
  })

  test('answers after its time that it is not there yet', async () => {
    const views = projectionRunner(sql, store, [count('late')], { log: quiet })
    await views.start(ending.signal)
    expect(await views.caughtUp(['late'], 5n, 30)).toBe(false)
    expect(await views.caughtUp(['late'], -1n, 30)).toBe(true)
    expect(() => views.caughtUp(['unknown'], 0n)).toThrow('There is no projection "unknown".')
  })
})

describe('an event that a read model cannot take', () => {
  const careful = count('careful')
  const naive = (bad: () => never, name = 'naive') =>
    projection<Game>()({
      ...count(name),
      on: { RunScored: (row, e, id) => (e.data.runs === 13 ? bad() : { id, n: (row?.n ?? 0) + e.data.runs }) },
    })
  const unlucky = () => {
    throw new Error('unlucky')
  }
  const rows = (name: string) => sql`select * from ${sql(`${name}_v1`)} order by 1`.then(all => [...all])
  const parked = async (views: ReturnType<typeof projectionRunner>) =>
    (await views.status()).map(({ parked }) => parked.streams.map(p => [p.stream, Number(p.position), p.error]))

  test('parks its stream: everything else is read on, and what parked it is told', async () => {
    const views = projectionRunner(sql, store, [naive(unlucky), careful], { log: quiet })
    await views.start(ending.signal)
    await store.append('game-1', -1n, [scored('a', 1), scored('a', 2), scored('a', 13), scored('a', 4)])
    await store.append('game-2', -1n, [scored('a', 7)])
    await store.append('game-3', -1n, [scored('a', 1), scored('a', 13)])
    const at = await store.append('game-1', 3n, [scored('a', 5)])
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
    const told = { reader: 'naive_v1', type: 'RunScored', error: 'Error: unlucky', at: expect.stringMatching(/Z$/) }
    expect(await views.status()).toEqual([
      {
        ...{ name: 'naive', version: 1, position: at, logEnd: null, rebuilding: null },
        parked: {
          count: 2,
          streams: [
            { ...told, stream: 'game-1', position: '2', event: one![2]!.id },
            { ...told, stream: 'game-3', position: '6', event: three![1]!.id },
          ],
        },
      },
      { name: 'careful', version: 1, position: at, logEnd: null, rebuilding: null, parked: { count: 0, streams: [] } },
    ])
  })

  test('stays parked for every process that follows, also one that starts later', async () => {
    await onPostgres()
    const [one, two] = [0, 1].map(() => projectionRunner(elsewhere(), store, [naive(unlucky)], { log: quiet, code: 'same' }))
    await one!.start(ending.signal)
    await two!.start(ending.signal)
    await store.append('game-1', -1n, [scored('a', 1), scored('a', 13)])
    for (let n = 0; n < 20; n++) await store.append('game-1', BigInt(n) + 1n, [scored('a', 1)])
    const late = projectionRunner(elsewhere(), store, [naive(unlucky)], { log: quiet, code: 'same' })
    await late.start(ending.signal)
    const at = await store.append('game-2', -1n, [scored('a', 2)])
    for (const views of [one!, two!, late]) expect(await views.caughtUp(['naive'], at, 10_000)).toBe(true)
    expect(await rows('naive')).toEqual([
      { id: '1', n: 1 },
      { id: '2', n: 2 },
    ])
    expect(await parked(late)).toEqual([[['game-1', 1, 'Error: unlucky']]])
  })

  test('may also be what the database will not take', async () => {
    const strict = projection<Game>()({
      name: 'strict',
      version: 1,
      row: { id: 'uuid', n: 'int' },
      key: e => (e.type === 'RunScored' ? e.data.team : []),
      on: { RunScored: (_, e, id) => ({ id, n: e.data.runs }) },
    })
    const views = projectionRunner(sql, store, [strict, careful], { log: quiet })
    await views.start(ending.signal)
    await store.append('game-1', -1n, [scored(randomUUID()), scored('not-a-uuid'), scored(randomUUID())])
    const at = await store.append('game-2', -1n, [scored(randomUUID())])
    expect(await views.caughtUp(['careful', 'strict'], at, 10_000)).toBe(true)
    expect(await rows('strict')).toHaveLength(2)
    expect(await parked(views)).toEqual([[['game-1', 1, expect.stringContaining('uuid')]], []])
  })

  test('is found in bulk, however many there are', async () => {
    for (let n = 0; n < 1000; n++) await store.append(`game-${n}`, -1n, [scored('a', n % 250 === 13 ? 13 : 1), scored('a', 1)])
    const views = projectionRunner(sql, store, [naive(unlucky)], { log: quiet })
    await views.start(ending.signal)
    expect(await views.caughtUp(['naive'], 1999n, 30_000)).toBe(true)
    expect(await sql`select count(*)::int as count, sum(n)::int as n from naive_v1`).toEqual([{ count: 996, n: 2 * 996 }])
    expect((await parked(views))[0]!.map(([stream]) => stream)).toEqual(['game-13', 'game-263', 'game-513', 'game-763'])
  })

  test('is retried by new code at once, without a gap, and not again by the same code', async () => {
    const first = new AbortController()
    const wrong = projectionRunner(sql, store, [naive(unlucky), careful], { log: quiet, code: 'one' })
    await wrong.start(first.signal)
    const at = await store.append('game-1', -1n, [scored('a', 1), scored('a', 13), scored('a', 4)])
    await wrong.caughtUp(['naive'], at, 10_000)
    first.abort()
    let tries = 0
    const second = new AbortController()
    const counting = naive(() => {
      tries++
      return unlucky()
    })
    const same = projectionRunner(sql, store, [counting, careful], { log: quiet, code: 'one' })
    await same.start(second.signal)
    const next = await store.append('game-2', -1n, [scored('a', 3)])
    expect(await same.caughtUp(['naive'], next, 10_000)).toBe(true)
    expect(tries).toBe(0)
    second.abort()
    const right = projectionRunner(sql, store, [{ ...count('naive') }, careful], { log: quiet, code: 'two' })
    await right.start(ending.signal)
    await expect.poll(() => parked(right)).toEqual([[], []])
    expect(await rows('naive')).toEqual([
      { id: '1', n: 18 },
      { id: '2', n: 3 },
    ])
  })

  test('lifted gives the rows of a rebuild, even in shared rows and while the log grows', async () => {
    await onPostgres()
    let good = false
    const strict = projection<Game>()({
      ...scores,
      name: 'strict',
      on: {
        ...scores.on,
        RunScored: (row, e, key) => {
          if (!good && e.data.runs === 13) throw new Error('not yet')
          return scores.on.RunScored!(row, e, key)
        },
      },
    })
    const views = projectionRunner(sql, store, [strict, scores], { log: quiet })
    await views.start(ending.signal)
    for (let n = 0; n < 30; n++) await store.append(`game-${n % 3}`, BigInt(Math.floor(n / 3)) - 1n, [scored('ab'[n % 2], n)])
    await expect.poll(() => parked(views)).toEqual([[['game-1', 13, 'Error: not yet']], []])
    expect(await rows('strict')).not.toEqual(await rows('scores'))
    good = true
    const more = (async () => {
      let at = 0n
      for (let n = 10; n < 40; n++) at = await store.append('game-1', BigInt(n) - 1n, [scored('a', n)])
      return at
    })()
    const under = views.rebuild('strict')
    expect(views.rebuild('strict')).toBe(under)
    await under
    expect(await views.caughtUp(['strict', 'scores'], await more, 10_000)).toBe(true)
    expect(await parked(views)).toEqual([[], []])
    expect(await rows('strict')).toEqual(await rows('scores'))
  })

  test('is not parked for a database that cancels, refuses or is full: the reader waits', async () => {
    await onPostgres()
    const views = projectionRunner(elsewhere(), store, [careful, scores], { log: quiet })
    await views.start(ending.signal)
    await views.caughtUp(['careful', 'scores'], await store.append('game-1', -1n, [scored('a', 1)]))
    // as pg_cancel_backend, a deadlock, a full disk, a stop, a missing right and a read-only follower would answer
    for (const [n, state] of ['57014', '40P01', '53100', '57P01', '42501', '25006'].entries()) {
      await sql.unsafe(`
        create sequence tries_${n};
        create or replace function fail() returns trigger language plpgsql as $$ begin
          if nextval('tries_${n}') <= 2 then raise exception using errcode = '${state}', message = 'not now'; end if; return new; end $$;
        create or replace trigger fail before insert on careful_v1 for each row execute function fail()`)
      const at = await store.append('game-1', BigInt(n), [scored('a', 1)])
      expect([state, await views.caughtUp(['careful', 'scores'], at, 10_000)]).toEqual([state, true])
      expect((await sql`select last_value::int as n from ${sql(`tries_${n}`)}`)[0]!.n).toBe(3)
    }
    expect(await rows('careful')).toEqual([{ id: '1', n: 7 }])
    expect(await parked(views)).toEqual([[], []])
  })
})

describe('ids in another spelling', () => {
  const id = '0190a6e8-1b2c-7d3e-8f4a-5b6c7d8e9fab'
  const byId = (name: string) =>
    projection<Game>()({
      name,
      version: 1,
      row: { id: 'uuid', n: 'int' },
      key: e => idOf(e.stream),
      on: { RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + e.data.runs }) },
    })
  /** Writes a log from before such streams were refused. */
  const old = async (stream: string, revision: number, runs: number) => {
    const { id, type, data, meta } = scored('a', runs)
    await sql`
      with placed as (update head set position = position + 1 returning position, pg_notify('events', ''))
      insert into events select position, ${stream}, ${revision}, ${id}, ${type}, ${sql.json(data as never)}, ${sql.json(meta as never)}, now() from placed`
  }

  test.each(['one by one', 'in bulk'])('in an old log come to one row, %s', async how => {
    await onPostgres()
    const views = projectionRunner(sql, store, [byId('games')], { log: quiet })
    if (how === 'one by one') await views.start(ending.signal)
    for (let n = 0; n < 6; n++) {
      await old(`game-${n % 2 ? id.toUpperCase() : id}`, Math.floor(n / 2), 10 ** n)
      if (how === 'one by one') await views.caughtUp(['games'], BigInt(n), 10_000)
    }
    if (how === 'in bulk') {
      for (let n = 0; n < 700; n++) await store.append(`game-${randomUUID()}`, -1n, [scored()])
      await views.start(ending.signal)
    }
    const { position } = (await sql`select position from head`)[0]!
    expect(await views.caughtUp(['games'], position, 10_000)).toBe(true)
    expect(await sql`select n from games_v1 where id = ${id}`).toEqual([{ n: 111_111 }])
    expect((await views.status())[0]!.parked.count).toBe(0)
  })
})

describe('a rebuild', () => {
  const fill = async (streams: number) => {
    for (let n = 0; n < streams; n++) await store.append(`game-${n}`, -1n, [scored('a', n), scored('b', 1)])
  }
  const all = (name: string) => sql`select * from ${sql(`${name}_v1`)} order by 1`.then(rows => [...rows])

  test('gives the same rows, while the old ones are read and the log grows', async () => {
    await onPostgres()
    await fill(30)
    const views = projectionRunner(sql, store, [count('totals'), scores], { log: quiet })
    await views.start(ending.signal)
    await views.caughtUp(['totals', 'scores'], 59n)
    const [before, beforeScores] = [await all('totals'), await all('scores')]
    await views.rebuild('scores')
    expect(await all('scores')).toEqual(beforeScores)

    let at = 0n
    let rebuilding = true
    const reader = elsewhere()
    const reads: number[] = []
    const read = (async () => {
      while (rebuilding) reads.push((await reader`select sum(n)::int as n from totals_v1`)[0]!.n)
    })()
    const write = (async () => {
      for (let n = 0; rebuilding; n++) at = await store.append('game-extra', BigInt(n) - 1n, [scored()])
    })()
    for (let n = 0; n < 3; n++) await views.rebuild('totals')
    rebuilding = false
    await Promise.all([read, write])
    expect(await views.caughtUp(['totals'], at)).toBe(true)
    const after = await all('totals')
    expect(after.filter(r => r.id !== 'extra')).toEqual(before)
    expect(after.find(r => r.id === 'extra')!.n).toBe((await store.read('game-extra')).length)
    expect(reads.length).toBeGreaterThan(3)
    expect(reads).toEqual([...reads].sort((a, b) => a - b))
    expect((await sql`select indexdef from pg_indexes where tablename = 'scores_v1'`).length).toBe(3)
  })

  test('by a new version fills beside the old one, and servers of each read their own', async () => {
    await onPostgres()
    await fill(20)
    const old = projectionRunner(elsewhere(), store, [count('totals')], { log: quiet })
    await old.start(ending.signal)
    await old.caughtUp(['totals'], 39n)

    const doubled = projection<Game>()({
      ...count('totals', 2),
      row: { id: 'text', n: 'int', teams: 'jsonb' },
      on: {
        RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + 2 * e.data.runs, teams: [...((row?.teams as string[]) ?? []), e.data.team] }),
      },
    })
    const fresh = projectionRunner(elsewhere(), store, [doubled], { log: quiet })
    const none = { count: 0, streams: [] }
    expect(await fresh.status()).toEqual([{ name: 'totals', version: 2, position: -1n, logEnd: null, rebuilding: null, parked: none }])
    await fresh.start(ending.signal)
    // Nothing is missing once it has started.
    expect(await sql`select count(*)::int as rows, sum(n)::int as n from totals_v2`).toEqual([{ rows: 20, n: 2 * (190 + 20) }])
    const at = await store.append('game-0', 1n, [scored('c', 7)])
    for (const views of [old, fresh]) expect(await views.caughtUp(['totals'], at, 10_000)).toBe(true)
    expect(await sql`select * from totals_v2 where id = '0'`).toEqual([{ id: '0', n: 16, teams: ['a', 'b', 'c'] }])
    expect(await sql`select * from totals_v1 where id = '0'`).toEqual([{ id: '0', n: 8 }])
  })

  test('by a new version leaves the old table for a day after its last server', async () => {
    await fill(3)
    const stop = new AbortController()
    const old = projectionRunner(sql, store, [count('totals')], { log: quiet })
    await old.start(stop.signal)
    await old.caughtUp(['totals'], 5n, 10_000)
    const views = projectionRunner(sql, store, [count('totals', 2)], { log: quiet })
    await views.start(ending.signal)
    const hoursAgo = (hours: number, name: string) =>
      sql`update checkpoints set used = now() - ${hours} * interval '1 hour', at = now() - interval '2 days' where name = ${name}`
    stop.abort()
    await hoursAgo(23, 'totals_v1')
    expect(await views.dropUnusedTables()).toEqual([])
    await hoursAgo(25, 'totals_v1')
    // A server that reads it says so.
    expect(await old.dropUnusedTables()).toEqual([])
    expect(await views.dropUnusedTables()).toEqual([])
    await hoursAgo(25, 'totals_v1')
    expect(await views.dropUnusedTables()).toEqual(['totals_v1'])
    expect(await sql`select to_regclass('totals_v1') as old, to_regclass('totals_v2')::text as now`).toEqual([
      { old: null, now: 'totals_v2' },
    ])
    expect((await sql`select name from checkpoints`).map(r => r.name)).toEqual(['totals_v2'])
  })

  test('keeps the tables read by servers that predate versioned names', async () => {
    await fill(3)
    await sql.unsafe(`
      create table totals_1 (id text primary key, n int not null); create view totals as select * from totals_1;
      comment on view totals is 'totals_1'; insert into totals_1 values ('0', 1); insert into checkpoints (name, position) values ('totals_1', 5)`)
    const views = projectionRunner(sql, store, [count('totals')], { log: quiet })
    await views.start(ending.signal)
    expect(await all('totals')).toEqual([0, 1, 2].map(n => ({ id: `${n}`, n: n + 1 })))
    await views.dropUnusedTables()
    expect(await sql`select * from totals`).toEqual([{ id: '0', n: 1 }])
  })

  test('happens by itself when columns change', async () => {
    const stop = new AbortController()
    const old = projectionRunner(sql, store, [count('totals')], { log: quiet })
    await old.start(stop.signal)
    await fill(5)
    await old.caughtUp(['totals'], 9n)
    stop.abort()
    const wider = projection<Game>()({
      ...count('totals'),
      row: { id: 'text', n: 'int', late: 'bool?' },
      on: { RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + e.data.runs, late: row ? true : null }) },
    })
    const views = projectionRunner(sql, store, [wider], { log: quiet })
    await views.start(ending.signal)
    expect(await views.caughtUp(['totals'], 9n, 10_000)).toBe(true)
    const at = await store.append('game-9', -1n, [scored()])
    expect(await views.caughtUp(['totals'], at)).toBe(true)
    expect((await all('totals')).slice(-2)).toEqual([
      { id: '4', n: 5, late: true },
      { id: '9', n: 1, late: null },
    ])
  })

  test('for new columns is shown even if it fails on some events, and reports them', async () => {
    await fill(3)
    const stop = new AbortController()
    const old = projectionRunner(sql, store, [count('totals')], { log: quiet })
    await old.start(stop.signal)
    await old.caughtUp(['totals'], 5n)
    stop.abort()
    const wider = projection<Game>()({
      ...count('totals'),
      row: { id: 'text', n: 'int', team: 'text' },
      on: {
        RunScored: (_, e, id) => {
          if (id === '1') throw new Error('not this one')
          return { id, n: e.data.runs, team: e.data.team }
        },
      },
    })
    const views = projectionRunner(sql, store, [wider], { log: quiet })
    await views.start(ending.signal)
    await expect.poll(() => all('totals')).toEqual(['0', '2'].map(id => ({ id, n: 1, team: 'b' })))
    expect(await views.status()).toMatchObject([
      { rebuilding: null, parked: { count: 1, streams: [{ reader: 'totals_v1', stream: 'game-1', position: '2' }] } },
    ])
  })

  test('goes back to the version before, with what came meanwhile', async () => {
    await onPostgres()
    await fill(3)
    for (const [n, version] of [1, 2, 1, 2].entries()) {
      const stop = new AbortController()
      const views = projectionRunner(sql, store, [count('totals', version)], { log: quiet })
      await views.start(stop.signal)
      if (!n) await views.caughtUp(['totals'], 5n, 10_000)
      const rows = await sql`select * from ${sql(`totals_v${version}`)} order by 1`
      expect([...rows]).toEqual([0, 1, 2, 3, 4, 5].slice(0, 3 + n).map(n => ({ id: `${n}`, n: n < 3 ? n + 1 : 1 })))
      const at = await store.append(`game-${3 + n}`, -1n, [scored()])
      expect(await views.caughtUp(['totals'], at, 10_000)).toBe(true)
      stop.abort()
    }
  })

  test('under many workers at once ends in one table, complete', async () => {
    await onPostgres()
    await fill(30)
    const first = projectionRunner(elsewhere(), store, [count('totals')], { log: quiet })
    await first.start(ending.signal)
    await first.caughtUp(['totals'], 59n)
    const told: string[] = []
    const log = { info() {}, error: (about: object) => told.push(`${(about as { err: unknown }).err}`) }
    const workers = Array.from({ length: 4 }, () => projectionRunner(elsewhere(), store, [count('totals', 2)], { log }))
    await Promise.all(workers.map(w => w.start(ending.signal)))
    const at = await store.append('game-last', -1n, [scored('z', 3)])
    for (const w of workers) expect(await w.caughtUp(['totals'], at, 10_000)).toBe(true)
    const [row] = await sql`select sum(n)::int as n, count(*)::int as rows from totals_v2`
    expect(row).toEqual({ n: (29 * 30) / 2 + 30 + 3, rows: 31 })
    expect(told).toEqual([])
  })

  test('that fails on a visible row leaves it as it was; a correct one brings it up', async () => {
    let good = true
    const moody = projection<Game>()({
      ...count('moody'),
      on: {
        RunScored: (row, e, id) => {
          if (!good && id === '1') throw new Error('not today')
          return { id, n: (row?.n ?? 0) + e.data.runs }
        },
      },
    })
    const views = projectionRunner(sql, store, [moody], { log: quiet })
    await views.start(ending.signal)
    await views.caughtUp(['moody'], await store.append('game-1', -1n, [scored(), scored()]))
    await views.caughtUp(['moody'], await store.append('game-2', -1n, [scored()]))
    good = false
    await expect(views.rebuild('moody')).rejects.toThrow('cannot take an event that was taken before')
    expect(await views.status()).toMatchObject([{ position: 2n, rebuilding: null, parked: { count: 0 } }])
    const at = await store.append('game-1', 1n, [scored()])
    expect(await views.caughtUp(['moody'], at, 10_000)).toBe(true)
    expect(await all('moody')).toEqual([
      { id: '1', n: 2 },
      { id: '2', n: 1 },
    ])
    // Still parked at the same event: a failed retry loses nothing, and the code version that tried is recorded.
    const newer = projectionRunner(sql, store, [moody], { log: quiet, code: 'newer' })
    await newer.rebuild('moody').catch(() => {})
    expect(await sql`select reader, code from parked`).toEqual([{ reader: 'moody_v1', code: 'newer' }])
    good = true
    await views.rebuild('moody')
    const next = await store.append('game-1', 2n, [scored()])
    expect(await views.caughtUp(['moody'], next, 10_000)).toBe(true)
    expect(await all('moody')).toEqual([
      { id: '1', n: 4 },
      { id: '2', n: 1 },
    ])
    expect(await views.status()).toMatchObject([{ rebuilding: null, parked: { count: 0 } }])
  })

  test('that drops a table waits for its writers, locking in the same order', async () => {
    const [old, now] = [count('counts', 1), count('counts', 2)]
    const at = await store.append('game-1', -1n, [scored()])
    for (const view of [old, now]) {
      const views = projectionRunner(elsewhere(), store, [view], { log: quiet })
      await views.start(ending.signal)
      expect(await views.caughtUp(['counts'], at, 10_000)).toBe(true)
    }
    await sql`update checkpoints set used = now() - interval '2 days', at = now() - interval '2 days' where name = 'counts_v1'`
    let dropping: Promise<string[]> | undefined
    // What read the old one still does so, as it would: the checkpoint, then the rows.
    await sql.begin(async tx => {
      await tx`select 1 from checkpoints where name = 'counts_v1' for update`
      dropping = projectionRunner(elsewhere(), store, [now], { log: quiet }).dropUnusedTables()
      dropping.catch(() => {})
      await expect.poll(() => sql`select 1 from pg_locks where not granted`).toHaveLength(1)
      await tx`update counts_v1 set n = n + 1`
    })
    await dropping
    expect(await sql`select to_regclass('counts_v1')::text as old, to_regclass('counts_v2')::text as now`).toEqual([
      { old: null, now: 'counts_v2' },
    ])
  })
  test('that was interrupted resumes at the next start', async () => {
    await onPostgres()
    await fill(30)
    const first = new AbortController()
    const views = projectionRunner(elsewhere(), store, [count('totals')], { log: quiet })
    await views.start(first.signal)
    await views.caughtUp(['totals'], 59n, 10_000)
    const [before] = await sql`select pg_relation_filenode('totals_v1') as file`
    first.abort()
    await expect(views.rebuild('totals')).rejects.toThrow('was stopped')
    const again = projectionRunner(sql, store, [count('totals')], { log: quiet })
    await again.start(ending.signal)
    await expect.poll(async () => (await sql`select pg_relation_filenode('totals_v1') as file`)[0]).not.toEqual(before)
    expect((await again.status())[0]!.rebuilding).toBe(null)
    expect((await all('totals')).length).toBe(30)
  })
})
