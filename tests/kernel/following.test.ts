import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { following, settingUp } from '../../modules/kernel/following.ts'
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
