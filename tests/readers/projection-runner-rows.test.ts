import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { projection } from '../../modules/kernel/projection.ts'
import { idOfStream } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { newTestEvent } from '../kernel/test-events.ts'
import {
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

describe('a read model', () => {
  test('equals the fold of the log, row by row, with columns of many types', async () => {
    const views = projectionRunner(sql, store, [scoresProjection], { log: silentLog })
    await views.start(testAbort.signal)
    await store.append('game-1', -1n, [newRunScoredEvent('a', 2), newRunScoredEvent('b', 5)])
    await store.append('game-1', 1n, [newRunScoredEvent('a', 1)])
    await views.caughtUp(['scores'], 2n)
    const at = await store.append('game-1', 2n, [newRunScoredEvent('a', 1), newTestEvent({ from: 'a', to: 'b' }, { type: 'RunsTraded' })])
    expect(await views.caughtUp(['scores'], at, 10_000)).toBe(true)
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
    const left = await store.append('game-1', 4n, [
      newTestEvent({ team: 'a' }, { type: 'TeamLeft' }),
      newTestEvent({}, { type: 'Unheard' }),
    ])
    await views.caughtUp(['scores'], left)
    expect((await sql`select team from scores_v1`).map(r => r.team)).toEqual(['b'])
  })

  test('has the same rows with any batch size', async () => {
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
        const views = (n: string) => projectionRunner(sql, log, [{ ...scoresProjection, name: `scores_${n}_${round}` }], { log: silentLog })
        const [whole, parts] = [views('whole'), views('parts')]
        round++
        const stop = new AbortController()
        await parts.start(stop.signal)
        let revision = -1n
        for (const batch of batches) {
          const at = await log.append(
            'game-1',
            revision,
            batch.map(({ type, data }) => newTestEvent(data, { type })),
          )
          revision += BigInt(batch.length)
          expect(await parts.caughtUp([`scores_parts_${round - 1}`], at, 10_000)).toBe(true)
        }
        await whole.start(stop.signal)
        expect(await whole.caughtUp([`scores_whole_${round - 1}`], revision, 10_000)).toBe(true)
        stop.abort()
        const rows = (n: string) => sql`select * from ${sql(`scores_${n}_${round - 1}_v1`)} order by team`
        expect([...(await rows('whole'))]).toEqual([...(await rows('parts'))])
        // The next round has another log, whose readers must not wait for positions of this one.
        await sql`delete from checkpoints`
      }),
      { numRuns: 10 },
    )
  })

  test('has the same rows with large and small batches, with any text', async () => {
    const oddTexts = [
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
    const notes = projection<GameEvent>()({
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
    const teams = oddTexts.flatMap(text => Array.from({ length: 30 }, (_, n) => `${text}${n}`)).concat(oddTexts)
    const scores = [...teams, ...teams.slice(0, 200)].map((team, n) => newRunScoredEvent(team, n))
    for (const [n, score] of scores.entries()) await store.append('game-1', BigInt(n) - 1n, [score])
    const views = projectionRunner(sql, store, [notes, { ...notes, name: 'bulk' }, { ...notes, name: 'other' }], { log: silentLog })
    await views.start(testAbort.signal)
    expect(await views.caughtUp(['notes', 'bulk', 'other'], BigInt(scores.length) - 1n, 10_000)).toBe(true)
    await views.rebuild('bulk')

    const single = memoryStore()
    const slow = projectionRunner(sql, single, [{ ...notes, name: 'single' }], { log: silentLog })
    await slow.start(testAbort.signal)
    const events = (await store.read('game-1')).map(({ id, type, data, meta }) => ({ id, type, data, meta }))
    for (let n = 0; n < events.length; n += 40) {
      const at = await single.append('game-1', BigInt(n) - 1n, events.slice(n, n + 40))
      expect(await slow.caughtUp(['single'], at, 10_000)).toBe(true)
    }
    const rows = async (name: string) =>
      (await sql`select team, note, list, nothing, big, times from ${sql(`${name}_v1`)} order by team`).map(r => ({ ...r }))
    const expected = await rows('single')
    expect(expected).toHaveLength(teams.length)
    for (const name of ['notes', 'bulk', 'other']) expect(await rows(name)).toEqual(expected)
  })

  test('writes a batch in statements of a hundred rows in one transaction', async () => {
    const notes = projection<GameEvent>()({
      name: 'notes',
      version: 1,
      row: { team: 'text', list: 'jsonb', nothing: 'jsonb?', n: 'int' },
      key: e => (e.type === 'RunScored' ? e.data.team : []),
      on: { RunScored: (row, e) => ({ team: e.data.team, list: [e.data.team], nothing: null, n: (row?.n ?? 0) + 1 }) },
    })
    const views = projectionRunner(sql, store, [notes], { log: silentLog })
    await views.start(testAbort.signal)
    await sql.unsafe(`
      create table statements (n serial, kind text, transaction text);
      create function note_statement() returns trigger language plpgsql as $$ begin
        insert into statements (kind, transaction) values (split_part(current_query(), ' ', 1), pg_current_xact_id()::text); return null;
      end $$;
      create trigger note_statement before insert on notes_v1 for each statement execute function note_statement()`)
    let revision = -1n
    for (const from of [0, 150]) {
      const teams = Array.from({ length: 250 }, (_, n) => newRunScoredEvent(`team ${from + n}`))
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

  test('skips only the poison event of a large batch', async () => {
    const strict = projection<GameEvent>()({
      name: 'strict',
      version: 1,
      row: { id: 'uuid', n: 'int' },
      key: e => (e.type === 'RunScored' ? idOfStream(e.stream) : []),
      on: { RunScored: (_, e, id) => ({ id, n: e.data.runs === 777 ? (null as never) : e.data.runs }) },
    })
    for (let n = 0; n < 1000; n++) await store.append(`game-${randomUUID()}`, -1n, [newRunScoredEvent('a', n)])
    const views = projectionRunner(sql, store, [strict, totalRunsProjection('other')], { log: silentLog })
    await views.start(testAbort.signal)
    expect(await views.caughtUp(['other'], 999n, 10_000)).toBe(true)
    expect(await views.caughtUp(['strict'], 999n, 10_000)).toBe(true)
    expect((await sql`select count(*)::int as n from strict_v1`)[0]!.n).toBe(999)
    expect((await views.status())[0]!.parked.streams.map(p => p.position)).toEqual(['777'])
  })
})

describe('the ids of an old log in different spellings', () => {
  const id = '0190a6e8-1b2c-7d3e-8f4a-5b6c7d8e9fab'
  const byId = (name: string) =>
    projection<GameEvent>()({
      name,
      version: 1,
      row: { id: 'uuid', n: 'int' },
      key: e => idOfStream(e.stream),
      on: { RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + e.data.runs }) },
    })
  /** Writes an event as older releases did, which did not convert ids to lower case. */
  const writeOldEvent = async (stream: string, revision: number, runs: number) => {
    const { id, type, data, meta } = newRunScoredEvent('a', runs)
    await sql`
      with placed as (update head set position = position + 1 returning position, pg_notify('events', ''))
      insert into events select position, ${stream}, ${revision}, ${id}, ${type}, ${sql.json(data as never)}, ${sql.json(meta as never)}, now() from placed`
  }

  test.each(['one by one', 'in bulk'])('lead to one row if read %s', async how => {
    await switchLogToPostgres()
    const views = projectionRunner(sql, store, [byId('games')], { log: silentLog })
    if (how === 'one by one') await views.start(testAbort.signal)
    for (let n = 0; n < 6; n++) {
      await writeOldEvent(`game-${n % 2 ? id.toUpperCase() : id}`, Math.floor(n / 2), 10 ** n)
      if (how === 'one by one') await views.caughtUp(['games'], BigInt(n), 10_000)
    }
    if (how === 'in bulk') {
      for (let n = 0; n < 700; n++) await store.append(`game-${randomUUID()}`, -1n, [newRunScoredEvent()])
      await views.start(testAbort.signal)
    }
    const { position } = (await sql`select position from head`)[0]!
    expect(await views.caughtUp(['games'], position, 10_000)).toBe(true)
    expect(await sql`select n from games_v1 where id = ${id}`).toEqual([{ n: 111_111 }])
    expect((await views.status())[0]!.parked.count).toBe(0)
  })
})
