import { describe, expect, test } from 'vitest'
import { derivedId } from '../../modules/kernel/decider.ts'
import { eventProcess } from '../../modules/kernel/process.ts'
import type { RecordedEvent } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { eventProcessRunner } from '../../modules/readers/event-process-runner.ts'
import {
  abortWorkers,
  connectAsOtherProcess,
  setUpDatabasePerOutboxTest,
  silentLog,
  sql,
  startOutboxWorker,
  testAbort,
} from '../jobs/outbox-testbed.ts'
import { newTestEvent } from '../kernel/test-events.ts'

setUpDatabasePerOutboxTest()

describe('a process', () => {
  type Inning = { type: 'InningPlayed'; data: { home: string; away: string } }
  const telling = eventProcess<Inning>({
    name: 'telling',
    startsFrom: 'beginning',
    on: {
      InningPlayed: e => [e.data.home, e.data.away].map(to => ({ id: derivedId(e.id, to), kind: 'letter.inning', payload: { to } })),
    },
  })
  const played = (home = 'h', away = 'a') => newTestEvent({ home, away }, { type: 'InningPlayed' })

  /** Creates a process whose errand about an away team called `?` is rejected by the outbox, until `isFixed` returns true. */
  const failing = (isFixed = () => false, startsFrom: 'beginning' | 'now' = 'beginning') =>
    eventProcess<Inning>({
      name: 'failing',
      startsFrom,
      on: {
        InningPlayed: e => ({
          id: derivedId(e.id),
          kind: e.data.away === '?' && !isFixed() ? (null as never) : 'letter.score',
          payload: e.data,
        }),
      },
    })
  const homesOfErrands = async () => (await sql`select payload ->> 'home' as home from errands order by 1`).map(r => r.home)

  const start = async (store = memoryStore(), on = sql, signal = testAbort.signal) => {
    const work = eventProcessRunner(on, store, [telling], { log: silentLog })
    await work.start(signal)
    return work
  }

  test('creates errands for events, and many workers create none twice', async () => {
    const store = memoryStore()
    const sent: string[] = []
    await store.append('game-1', -1n, [played('h1', 'a1'), newTestEvent()])
    const work = await start(store)
    const outbox = await startOutboxWorker({ 'letter.inning': async ({ to }) => sent.push(to) })
    const at = await store.append('game-1', 1n, [played('h2', 'a2')])
    expect(await work.caughtUp(at)).toBe(true)
    await outbox.idle()
    expect(sent.toSorted()).toEqual(['a1', 'a2', 'h1', 'h2'])
    expect(await work.status()).toEqual([{ name: 'telling', position: at, logEnd: null, parked: { count: 0, streams: [] } }])
    abortWorkers()

    await sql`delete from checkpoints`
    const again = await Promise.all([1, 2, 3].map(() => start(store, connectAsOtherProcess())))
    const more = await startOutboxWorker({ 'letter.inning': async ({ to }) => sent.push(to) }, { on: connectAsOtherProcess() })
    for (const w of again) expect(await w.caughtUp(at, 10_000)).toBe(true)
    await more.idle()
    expect(sent).toHaveLength(4)
    expect((await sql`select count(*)::int as n from errands`)[0]!.n).toBe(4)
  })

  test('that is new starts at the beginning or at the end of the log, as configured', async () => {
    const store = memoryStore()
    await store.append('game-1', -1n, [played('h1', 'a1')])
    const first = await start(store)
    expect(await first.caughtUp(0n, 10_000)).toBe(true)
    const newProcess = (startsFrom: 'beginning' | 'now') =>
      eventProcess<Inning>({
        name: startsFrom,
        startsFrom,
        on: { InningPlayed: e => ({ id: derivedId(e.id, startsFrom), kind: `${startsFrom} ${e.data.home}`, payload: {} }) },
      })
    const work = eventProcessRunner(sql, store, [newProcess('beginning'), newProcess('now')], { log: silentLog })
    await work.start(testAbort.signal)
    const at = await store.append('game-1', 0n, [played('h2', 'a2')])
    expect(await work.caughtUp(at, 10_000)).toBe(true)
    const errands = await sql`select kind from errands where kind <> 'letter.inning' order by 1`
    expect(errands.map(row => row.kind)).toEqual(['beginning h1', 'beginning h2', 'now h2'])
  })

  describe('in a new version', () => {
    /** Version 2, which also sends a letter of praise. */
    const congratulating = eventProcess<Inning>({
      name: 'telling',
      version: 2,
      startsFrom: 'beginning',
      on: {
        InningPlayed: e => [
          ...[telling.on.InningPlayed!(e)].flat(),
          { id: derivedId(e.id, 'praise'), kind: 'letter.praise', payload: e.data },
        ],
      },
    })
    const startProcess = async (p: typeof telling, store: ReturnType<typeof memoryStore>, signal = testAbort.signal) => {
      const work = eventProcessRunner(sql, store, [p], { log: silentLog })
      await work.start(signal)
      return work
    }
    const praised = async () =>
      (await sql`select payload ->> 'home' as home from errands where kind = 'letter.praise' order by 1`).map(r => r.home)
    const checkpoints = async () => (await sql`select name, position::int from checkpoints order by name`).map(r => [r.name, r.position])

    test("continues from the old version's position, while the old version still runs", async () => {
      const store = memoryStore()
      const old = await startProcess(telling, store)
      const before = await store.append('game-1', -1n, [played('h1')])
      expect(await old.caughtUp(before, 10_000)).toBe(true)
      const next = await startProcess(congratulating, store)
      const after = await store.append('game-1', 0n, [played('h2')])
      for (const work of [old, next]) expect(await work.caughtUp(after, 10_000)).toBe(true)
      expect(await praised()).toEqual(['h2'])
      expect(await sql`select id from errands where kind = 'letter.inning'`).toHaveLength(4)
      expect((await next.status())[0]).toMatchObject({ name: 'telling', position: after })
    })

    test('begins with the parked streams of the old version', async () => {
      const store = memoryStore()
      const old = await startProcess(failing(), store)
      const at = await store.append('game-1', -1n, [played('h1', '?')])
      expect(await old.caughtUp(at, 10_000)).toBe(true)
      const next = await startProcess({ ...failing(() => true), version: 2 }, store)
      await expect.poll(homesOfErrands).toEqual(['h1'])
      await expect.poll(async () => (await next.status())[0]!.parked.count).toBe(0)
      expect((await old.status())[0]!.parked.count).toBe(1)
    })

    test('advances a version that has not run for a day, in case of a rollback', async () => {
      const store = memoryStore()
      const stopped = new AbortController()
      const old = await startProcess(telling, store, stopped.signal)
      expect(await old.caughtUp(await store.append('game-1', -1n, [played()]), 10_000)).toBe(true)
      stopped.abort()
      const next = await startProcess(congratulating, store)
      expect(await next.caughtUp(await store.append('game-1', 0n, [played()]), 10_000)).toBe(true)
      await next.advanceUnusedVersions()
      expect(await checkpoints()).toEqual([
        ['process telling', 0],
        ['process telling v2', 1],
      ])
      await sql`update checkpoints set at = at - interval '25 hours', used = used - interval '25 hours' where name = 'process telling'`
      await next.advanceUnusedVersions()
      expect(await checkpoints()).toEqual([
        ['process telling', 1],
        ['process telling v2', 1],
      ])
    })
  })

  test('that is killed before saving its checkpoint saves no errand, but both later', async () => {
    const store = memoryStore()
    // The trigger ends the connection when the checkpoint moves.
    await sql.unsafe(`
      create function die() returns trigger language plpgsql as $$ begin
        if new.position >= 0 then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$`)
    const stop = new AbortController()
    const work = await start(store, connectAsOtherProcess(), stop.signal)
    await sql`create trigger die before update on checkpoints for each row execute function die()`
    const at = await store.append('game-1', -1n, [played()])
    expect(await work.caughtUp(at, 300)).toBe(false)
    expect(await sql`select id from errands`).toHaveLength(0)
    expect((await sql`select position from checkpoints`)[0]!.position).toBe(-1n)
    stop.abort()
    await sql`drop trigger die on checkpoints`
    const back = await start(store)
    expect(await back.caughtUp(at, 10_000)).toBe(true)
    expect(await sql`select id from errands`).toHaveLength(2)
  })

  test('that resumes on a restored log keeps only parked streams that the log still has', async () => {
    const events: RecordedEvent[] = []
    const store = memoryStore(undefined, events)
    const runnerOf = async (signal: AbortSignal) => {
      const work = eventProcessRunner(sql, store, [failing()], { log: silentLog })
      await work.start(signal)
      return work
    }
    const first = new AbortController()
    const work = await runnerOf(first.signal)
    await store.append('game-1', -1n, [played('1', '?')])
    const at = await store.append('game-2', -1n, [played('2', '?')])
    expect(await work.caughtUp(at, 10_000)).toBe(true)
    expect((await work.status())[0]!.parked.count).toBe(2)
    first.abort()

    events.length = 1
    const restored = await runnerOf(testAbort.signal)
    await expect.poll(async () => (await restored.status())[0]!.logEnd).toBe(0n)
    expect(await restored.resumeAfterTruncation()).toEqual(['failing'])
    expect(await restored.status()).toMatchObject([{ logEnd: null, parked: { count: 1, streams: [{ stream: 'game-1' }] } }])
    const next = await store.append('game-2', -1n, [played('2')])
    expect(await restored.caughtUp(next, 10_000)).toBe(true)
    expect(await homesOfErrands()).toEqual(['2'])
  })

  describe('that fails at an event', () => {
    test("parks the event's stream with the error, skips its errands, and continues", async () => {
      const store = memoryStore()
      const work = eventProcessRunner(sql, store, [failing(), telling], { log: silentLog })
      await work.start(testAbort.signal)
      await store.append('game-1', -1n, [played('1'), played('2', '?'), played('3')])
      await store.append('game-2', -1n, [played('4')])
      const at = await store.append('game-1', 2n, [played('5')])
      expect(await work.caughtUp(at, 10_000)).toBe(true)
      const [one, other] = await work.status()
      expect(one).toMatchObject({ name: 'failing', position: at, parked: { count: 1 } })
      expect(one!.parked.streams).toMatchObject([
        { stream: 'game-1', position: '1', type: 'InningPlayed', error: expect.stringContaining('kind') },
      ])
      expect(other).toMatchObject({ name: 'telling', position: at, parked: { count: 0 } })
      expect((await homesOfErrands()).filter(Boolean)).toEqual(['1', '4'])
      await expect(work.retry('unknown')).rejects.toThrow('There is no process "unknown".')
    })

    test('has the error of the last retry, and keeps it while the log cannot be read', async () => {
      const store = memoryStore()
      let flaw: object = { kind: null }
      let isLogDown = false
      const flawed = eventProcess<Inning>({
        name: 'flawed',
        startsFrom: 'beginning',
        on: { InningPlayed: e => ({ id: derivedId(e.id), kind: 'letter.score', payload: {}, ...flaw }) },
      })
      const outage = Object.assign(new Error('the log is down'), { code: 'ECONNREFUSED' })
      const read: typeof store.read = (...of) => (isLogDown ? Promise.reject(outage) : store.read(...of))
      const work = eventProcessRunner(sql, { ...store, read }, [flawed], { log: silentLog })
      await work.start(testAbort.signal)
      expect(await work.caughtUp(await store.append('game-1', -1n, [played()]), 10_000)).toBe(true)
      const storedError = async () => (await work.status())[0]!.parked.streams[0]!.error
      expect(await storedError()).toContain('"kind"')
      flaw = { id: null }
      await work.retry('flawed')
      expect(await storedError()).toContain('"id"')
      isLogDown = true
      await expect(work.retry('flawed')).rejects.toThrow('the log is down')
      expect(await storedError()).toContain('"id"')
    })

    test('creates no errands for events before its start when it is retried', async () => {
      const store = memoryStore()
      let isFixed = false
      const other = await start(store)
      expect(await other.caughtUp(await store.append('game-1', -1n, [played('before')]), 10_000)).toBe(true)
      const work = eventProcessRunner(sql, store, [failing(() => isFixed, 'now')], { log: silentLog })
      await work.start(testAbort.signal)
      const at = await store.append('game-1', 0n, [played('1', '?')])
      expect(await work.caughtUp(at, 10_000)).toBe(true)
      isFixed = true
      await work.retry('failing')
      expect((await work.status())[0]!.parked.count).toBe(0)
      expect((await homesOfErrands()).filter(Boolean)).toEqual(['1'])
    })

    test.each(['by an administrator', 'by new code'])('creates each errand once when it is retried %s', async who => {
      const store = memoryStore()
      let isFixed = false
      const first = new AbortController()
      const work = eventProcessRunner(sql, store, [failing(() => isFixed)], { log: silentLog, code: 'one' })
      await work.start(first.signal)
      await store.append('game-1', -1n, [played('1'), played('2', '?'), played('3')])
      await store.append('game-2', -1n, [played('4', '?')])
      const at = await store.append('game-1', 2n, [played('5', '?')])
      expect(await work.caughtUp(at, 10_000)).toBe(true)
      await work.retry('failing')
      expect((await work.status())[0]!.parked.streams.map(p => [p.stream, p.position])).toEqual([
        ['game-1', '1'],
        ['game-2', '3'],
      ])
      isFixed = true
      let current = work
      if (who === 'by new code') {
        first.abort()
        current = eventProcessRunner(sql, store, [failing(() => isFixed)], { log: silentLog, code: 'two' })
        await current.start(testAbort.signal)
      } else await Promise.all([work.retry('failing'), work.retry('failing')])
      await expect.poll(async () => (await current.status())[0]!.parked.count).toBe(0)
      const next = await store.append('game-1', 3n, [played('6')])
      expect(await current.caughtUp(next, 10_000)).toBe(true)
      expect(await homesOfErrands()).toEqual(['1', '2', '3', '4', '5', '6'])
      first.abort()
    })
  })
})
