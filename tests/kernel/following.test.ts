import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { following, parkedFor, reasonOf, settingUp } from '../../modules/kernel/following.ts'
import type { Recorded } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { database } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof database>>
let ending: AbortController
beforeEach(async () => {
  ending = new AbortController()
  db = await database()
})
afterEach(async () => {
  ending.abort()
  await db.end()
})

test('what one reader cannot take is taken once by the others, also where they are still at it when it fails', async () => {
  const { sql } = db
  const store = memoryStore()
  await settingUp(sql, async tx => {
    await tx`create table taken (position bigint)`
    for (const name of ['fails', 'takes']) await tx`insert into checkpoints (name) values (${name})`
  })
  const readers = following(sql, store, { log: pino({ level: 'silent' }) })
  await readers.start(['fails', 'takes'], ending.signal)
  const fails = {
    name: 'fails',
    apply: async (_: unknown, events: Recorded[]) => {
      if (events.some(e => e.type === 'Bad')) throw new RangeError('not this one')
    },
  }
  const takes = {
    name: 'takes',
    apply: async (tx: typeof sql, events: Recorded[]) => {
      // Some queries later than the other fails.
      for (let i = 0; i < 5; i++) await tx`select 1`
      for (const { position } of events) await tx`insert into taken values (${`${position}`})`
    },
  }
  for (const reader of [fails, takes]) readers.join(reader as never, ending.signal)
  const event = (type: string) => ({ id: randomUUID(), type, data: {}, meta: { command: randomUUID(), name: 'a.b', actor: 'system' } })
  const first = await store.append('game-1', -1n, [event('Good')])
  expect(await readers.caughtUp(['fails', 'takes'], first, 10_000)).toBe(true)
  const last = await store.append('game-1', 0n, ['Bad', 'Good'].map(event))
  expect(await readers.caughtUp(['takes'], last, 10_000)).toBe(true)
  expect((await sql`select count(*)::int as n, count(distinct position)::int as each from taken`)[0]).toEqual({ n: 3, each: 3 })
})

test('what is parked is listed by its reader, the oldest first, a hundred of each, with how many there are in all', async () => {
  const { sql } = db
  await settingUp(sql, async tx => {
    await tx`insert into parked (reader, stream, position, revision, event, type, error, code, at)
      select 'many', 'game-' || n, 1000 - n, 0, 'e' || n, 'Bad', 'why', 'old', now() from generate_series(1, 101) n`
    await tx`insert into parked (reader, stream, position, revision, event, type, error, code)
      values ('few', 'game-2', 7, 3, 'e7', 'Bad', 'not this one', 'new'), ('other', 'game-3', 8, 0, 'e8', 'Bad', 'why', 'old')`
  })
  const parked = await parkedFor(sql, ['few', 'many', 'none'])
  expect([...parked.keys()]).toEqual(['few', 'many'])
  const its = { reader: 'few', stream: 'game-2', position: '7', event: 'e7', type: 'Bad', error: 'not this one', at: expect.any(String) }
  expect(parked.get('few')).toEqual({ count: 1, streams: [its] })
  const { count, streams } = parked.get('many')!
  expect([count, streams.length, streams[0]!.stream, streams.at(-1)!.stream]).toEqual([101, 100, 'game-101', 'game-2'])
  const { untried } = following(sql, memoryStore(), { log: pino({ level: 'silent' }), code: 'new' })
  expect([(await untried(['few', 'many'])).sort(), await untried(['few'])]).toEqual([['many'], []])
})

test('an error is kept as far as a database takes it, and a person reads it', () => {
  expect(reasonOf(new RangeError('no\0t this one'))).toBe('RangeError: not this one')
  expect(reasonOf('x'.repeat(2000))).toHaveLength(1000)
})

test('whoever waits for readers hears when they are there, at once where they are, and in time where they are not', async () => {
  const { sql } = db
  const store = memoryStore()
  await settingUp(sql, async tx => {
    for (const name of ['one', 'two', 'still']) await tx`insert into checkpoints (name) values (${name})`
  })
  const log = pino({ level: 'silent' })
  const [here, elsewhere] = [following(sql, store, { log }), following(sql, store, { log })]
  await here.start(['one', 'two'], ending.signal)
  const apply = async () => {}
  for (const name of ['one', 'two']) here.join({ name, apply }, ending.signal)
  const event = { id: randomUUID(), type: 'Good', data: {}, meta: { command: randomUUID(), name: 'a.b', actor: 'system' } }
  const at = await store.append('game-1', -1n, [event])
  for (const who of [here, elsewhere]) {
    expect(await who.caughtUp(['one', 'two'], at, 10_000)).toBe(true)
    expect(await who.caughtUp(['one', 'two'], at, 0)).toBe(true)
    expect(await who.caughtUp(['one', 'still'], at, 50)).toBe(false)
    expect(await who.caughtUp(['still', 'nobody'], -1n, 50)).toBe(true)
    expect(await who.caughtUp(['one'], at + 1n, 50)).toBe(false)
  }
  const waits = elsewhere.caughtUp(['one', 'two'], at + 1n, 10_000)
  await store.append('game-1', 0n, [{ ...event, id: randomUUID() }])
  expect(await waits).toBe(true)
})
