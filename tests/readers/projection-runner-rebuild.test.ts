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

describe('a rebuild of a read model', () => {
  const fill = async (streams: number) => {
    for (let n = 0; n < streams; n++) await store.append(`game-${n}`, -1n, [newRunScoredEvent('a', n), newRunScoredEvent('b', 1)])
  }
  const all = (name: string) => sql`select * from ${sql(`${name}_v1`)} order by 1`.then(rows => [...rows])

  test('produces the same rows, while the old ones can be read and the log grows', async () => {
    await switchLogToPostgres()
    await fill(30)
    const views = projectionRunner(sql, store, [totalRunsProjection('totals'), scoresProjection], { log: silentLog })
    await views.start(testAbort.signal)
    await views.caughtUp(['totals', 'scores'], 59n)
    const [before, beforeScores] = [await all('totals'), await all('scores')]
    await views.rebuild('scores')
    expect(await all('scores')).toEqual(beforeScores)

    let at = 0n
    let rebuilding = true
    const reader = connectAsOtherProcess()
    const reads: number[] = []
    const read = (async () => {
      while (rebuilding) reads.push((await reader`select sum(n)::int as n from totals_v1`)[0]!.n)
    })()
    const write = (async () => {
      for (let n = 0; rebuilding; n++) at = await store.append('game-extra', BigInt(n) - 1n, [newRunScoredEvent()])
    })()
    for (let n = 0; n < 3 || reads.length <= 3; n++) await views.rebuild('totals')
    rebuilding = false
    await Promise.all([read, write])
    expect(await views.caughtUp(['totals'], at, 10_000)).toBe(true)
    const after = await all('totals')
    expect(after.filter(r => r.id !== 'extra')).toEqual(before)
    expect(after.find(r => r.id === 'extra')!.n).toBe((await store.read('game-extra')).length)
    expect(reads).toEqual([...reads].sort((a, b) => a - b))
    expect((await sql`select indexdef from pg_indexes where tablename = 'scores_v1'`).length).toBe(3)
  })

  test('for a new version fills its own table; servers of each version read their own', async () => {
    await switchLogToPostgres()
    await fill(20)
    const old = projectionRunner(connectAsOtherProcess(), store, [totalRunsProjection('totals')], { log: silentLog })
    await old.start(testAbort.signal)
    await old.caughtUp(['totals'], 39n)

    const doubled = projection<GameEvent>()({
      ...totalRunsProjection('totals', 2),
      row: { id: 'text', n: 'int', teams: 'jsonb' },
      on: {
        RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + 2 * e.data.runs, teams: [...((row?.teams as string[]) ?? []), e.data.team] }),
      },
    })
    const fresh = projectionRunner(connectAsOtherProcess(), store, [doubled], { log: silentLog })
    const none = { count: 0, streams: [] }
    expect(await fresh.status()).toEqual([{ name: 'totals', version: 2, position: -1n, logEnd: null, rebuilding: null, parked: none }])
    await fresh.start(testAbort.signal)
    // `start` waits until the new table has caught up.
    expect(await sql`select count(*)::int as rows, sum(n)::int as n from totals_v2`).toEqual([{ rows: 20, n: 2 * (190 + 20) }])
    const at = await store.append('game-0', 1n, [newRunScoredEvent('c', 7)])
    for (const views of [old, fresh]) expect(await views.caughtUp(['totals'], at, 10_000)).toBe(true)
    expect(await sql`select * from totals_v2 where id = '0'`).toEqual([{ id: '0', n: 16, teams: ['a', 'b', 'c'] }])
    expect(await sql`select * from totals_v1 where id = '0'`).toEqual([{ id: '0', n: 8 }])
  })

  test('for a new version keeps the old table for a day after its last server stopped', async () => {
    await fill(3)
    const stop = new AbortController()
    const old = projectionRunner(sql, store, [totalRunsProjection('totals')], { log: silentLog })
    await old.start(stop.signal)
    await old.caughtUp(['totals'], 5n, 10_000)
    const views = projectionRunner(sql, store, [totalRunsProjection('totals', 2)], { log: silentLog })
    await views.start(testAbort.signal)
    const hoursAgo = (hours: number, name: string) =>
      sql`update checkpoints set used = now() - ${hours} * interval '1 hour', at = now() - interval '2 days' where name = ${name}`
    stop.abort()
    await hoursAgo(23, 'totals_v1')
    expect(await views.dropUnusedTables()).toEqual([])
    await hoursAgo(25, 'totals_v1')
    // A server of the old version records that it reads the table.
    expect(await old.dropUnusedTables()).toEqual([])
    expect(await views.dropUnusedTables()).toEqual([])
    await hoursAgo(25, 'totals_v1')
    expect(await views.dropUnusedTables()).toEqual(['totals_v1'])
    expect(await sql`select to_regclass('totals_v1') as old, to_regclass('totals_v2')::text as now`).toEqual([
      { old: null, now: 'totals_v2' },
    ])
    expect((await sql`select name from checkpoints`).map(r => r.name)).toEqual(['totals_v2'])
  })

  test('keeps tables that are read by servers of releases without versioned table names', async () => {
    await fill(3)
    await sql.unsafe(`
      create table totals_1 (id text primary key, n int not null); create view totals as select * from totals_1;
      comment on view totals is 'totals_1'; insert into totals_1 values ('0', 1); insert into checkpoints (name, position) values ('totals_1', 5)`)
    const views = projectionRunner(sql, store, [totalRunsProjection('totals')], { log: silentLog })
    await views.start(testAbort.signal)
    expect(await all('totals')).toEqual([0, 1, 2].map(n => ({ id: `${n}`, n: n + 1 })))
    await views.dropUnusedTables()
    expect(await sql`select * from totals`).toEqual([{ id: '0', n: 1 }])
  })

  test('happens automatically when columns change', async () => {
    const stop = new AbortController()
    const old = projectionRunner(sql, store, [totalRunsProjection('totals')], { log: silentLog })
    await old.start(stop.signal)
    await fill(5)
    await old.caughtUp(['totals'], 9n)
    stop.abort()
    const wider = projection<GameEvent>()({
      ...totalRunsProjection('totals'),
      row: { id: 'text', n: 'int', late: 'bool?' },
      on: { RunScored: (row, e, id) => ({ id, n: (row?.n ?? 0) + e.data.runs, late: row ? true : null }) },
    })
    const views = projectionRunner(sql, store, [wider], { log: silentLog })
    await views.start(testAbort.signal)
    expect(await views.caughtUp(['totals'], 9n, 10_000)).toBe(true)
    const at = await store.append('game-9', -1n, [newRunScoredEvent()])
    expect(await views.caughtUp(['totals'], at, 10_000)).toBe(true)
    expect((await all('totals')).slice(-2)).toEqual([
      { id: '4', n: 5, late: true },
      { id: '9', n: 1, late: null },
    ])
  })

  test('for new columns is used even if some events fail, and reports these events', async () => {
    await fill(3)
    const stop = new AbortController()
    const old = projectionRunner(sql, store, [totalRunsProjection('totals')], { log: silentLog })
    await old.start(stop.signal)
    await old.caughtUp(['totals'], 5n)
    stop.abort()
    const wider = projection<GameEvent>()({
      ...totalRunsProjection('totals'),
      row: { id: 'text', n: 'int', team: 'text' },
      on: {
        RunScored: (_, e, id) => {
          if (id === '1') throw new Error('not this one')
          return { id, n: e.data.runs, team: e.data.team }
        },
      },
    })
    const views = projectionRunner(sql, store, [wider], { log: silentLog })
    await views.start(testAbort.signal)
    await expect.poll(() => all('totals')).toEqual(['0', '2'].map(id => ({ id, n: 1, team: 'b' })))
    expect(await views.status()).toMatchObject([
      { rebuilding: null, parked: { count: 1, streams: [{ reader: 'totals_v1', stream: 'game-1', position: '2' }] } },
    ])
  })

  test('for a previous version catches up with the events written since then', async () => {
    await switchLogToPostgres()
    await fill(3)
    for (const [n, version] of [1, 2, 1, 2].entries()) {
      const stop = new AbortController()
      const views = projectionRunner(sql, store, [totalRunsProjection('totals', version)], { log: silentLog })
      await views.start(stop.signal)
      if (!n) await views.caughtUp(['totals'], 5n, 10_000)
      const rows = await sql`select * from ${sql(`totals_v${version}`)} order by 1`
      expect([...rows]).toEqual([0, 1, 2, 3, 4, 5].slice(0, 3 + n).map(n => ({ id: `${n}`, n: n < 3 ? n + 1 : 1 })))
      const at = await store.append(`game-${3 + n}`, -1n, [newRunScoredEvent()])
      expect(await views.caughtUp(['totals'], at, 10_000)).toBe(true)
      stop.abort()
    }
  })

  test('by many workers at the same time produces one complete table', async () => {
    await switchLogToPostgres()
    await fill(30)
    const first = projectionRunner(connectAsOtherProcess(), store, [totalRunsProjection('totals')], { log: silentLog })
    await first.start(testAbort.signal)
    await first.caughtUp(['totals'], 59n)
    const errors: string[] = []
    const log = { info() {}, error: (details: object) => errors.push(`${(details as { err: unknown }).err}`) }
    const workers = Array.from({ length: 4 }, () =>
      projectionRunner(connectAsOtherProcess(), store, [totalRunsProjection('totals', 2)], { log }),
    )
    await Promise.all(workers.map(w => w.start(testAbort.signal)))
    const at = await store.append('game-last', -1n, [newRunScoredEvent('z', 3)])
    for (const w of workers) expect(await w.caughtUp(['totals'], at, 10_000)).toBe(true)
    const [row] = await sql`select sum(n)::int as n, count(*)::int as rows from totals_v2`
    expect(row).toEqual({ n: (29 * 30) / 2 + 30 + 3, rows: 31 })
    expect(errors).toEqual([])
  })

  test('that fails at an event that was processed before changes no row', async () => {
    let isBroken = false
    const breakable = projection<GameEvent>()({
      ...totalRunsProjection('breakable'),
      on: {
        RunScored: (row, e, id) => {
          if (isBroken && id === '1') throw new Error('not today')
          return { id, n: (row?.n ?? 0) + e.data.runs }
        },
      },
    })
    const views = projectionRunner(sql, store, [breakable], { log: silentLog })
    await views.start(testAbort.signal)
    await views.caughtUp(['breakable'], await store.append('game-1', -1n, [newRunScoredEvent(), newRunScoredEvent()]))
    await views.caughtUp(['breakable'], await store.append('game-2', -1n, [newRunScoredEvent()]))
    isBroken = true
    await expect(views.rebuild('breakable')).rejects.toThrow('fails on an event that was processed before')
    expect(await views.status()).toMatchObject([{ position: 2n, rebuilding: null, parked: { count: 0 } }])
    const at = await store.append('game-1', 1n, [newRunScoredEvent()])
    expect(await views.caughtUp(['breakable'], at, 10_000)).toBe(true)
    expect(await all('breakable')).toEqual([
      { id: '1', n: 2 },
      { id: '2', n: 1 },
    ])
    // A failed rebuild leaves the stream parked, and records which code attempted it.
    const newer = projectionRunner(sql, store, [breakable], { log: silentLog, code: 'newer' })
    await newer.rebuild('breakable').catch(() => {})
    expect(await sql`select reader, code from parked`).toEqual([{ reader: 'breakable_v1', code: 'newer' }])
    isBroken = false
    await views.rebuild('breakable')
    const next = await store.append('game-1', 2n, [newRunScoredEvent()])
    expect(await views.caughtUp(['breakable'], next, 10_000)).toBe(true)
    expect(await all('breakable')).toEqual([
      { id: '1', n: 4 },
      { id: '2', n: 1 },
    ])
    expect(await views.status()).toMatchObject([{ rebuilding: null, parked: { count: 0 } }])
  })

  test('waits for writers of an unused table before dropping it, without a deadlock', async () => {
    const [old, now] = [totalRunsProjection('counts', 1), totalRunsProjection('counts', 2)]
    const at = await store.append('game-1', -1n, [newRunScoredEvent()])
    for (const view of [old, now]) {
      const views = projectionRunner(connectAsOtherProcess(), store, [view], { log: silentLog })
      await views.start(testAbort.signal)
      expect(await views.caughtUp(['counts'], at, 10_000)).toBe(true)
    }
    await sql`update checkpoints set used = now() - interval '2 days', at = now() - interval '2 days' where name = 'counts_v1'`
    let dropping: Promise<string[]> | undefined
    // A server that still writes the old table first locks the checkpoint, then the rows.
    await sql.begin(async tx => {
      await tx`select 1 from checkpoints where name = 'counts_v1' for update`
      dropping = projectionRunner(connectAsOtherProcess(), store, [now], { log: silentLog }).dropUnusedTables()
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
    await switchLogToPostgres()
    await fill(30)
    const first = new AbortController()
    const views = projectionRunner(connectAsOtherProcess(), store, [totalRunsProjection('totals')], { log: silentLog })
    await views.start(first.signal)
    await views.caughtUp(['totals'], 59n, 10_000)
    const [before] = await sql`select pg_relation_filenode('totals_v1') as file`
    first.abort()
    await expect(views.rebuild('totals')).rejects.toThrow('was stopped')
    const again = projectionRunner(sql, store, [totalRunsProjection('totals')], { log: silentLog })
    await again.start(testAbort.signal)
    await expect.poll(async () => (await sql`select pg_relation_filenode('totals_v1') as file`)[0]).not.toEqual(before)
    expect((await again.status())[0]!.rebuilding).toBe(null)
    expect((await all('totals')).length).toBe(30)
  })
})
