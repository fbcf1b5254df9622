import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventStore, RecordedEvent } from '../../modules/kernel/store.ts'
import { newTestEvent } from '../kernel/test-events.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { type AcknowledgedEvent, findLogFaults } from './find-log-faults.ts'
import { killDuringAppends } from './kill-writers.ts'
import { naiveStore } from './naive-store.ts'

const SLOW = { timeout: 300_000 }

const entry = (position: number, stream = 'ledger-1', revision = position): RecordedEvent => ({
  ...newTestEvent(),
  stream,
  position: BigInt(position),
  revision: BigInt(revision),
  at: new Date().toISOString(),
})
/** Pretends that each event was requested and acknowledged at its position. */
const answered = (e: RecordedEvent, at = Number(e.position) * 10): AcknowledgedEvent => ({
  ...e,
  begun: BigInt(at),
  answered: BigInt(at + 5),
})

describe('the checker', () => {
  const log = [0, 1, 2, 3].map(n => entry(n))
  const [a, b, c, d] = log as [RecordedEvent, RecordedEvent, RecordedEvent, RecordedEvent]
  const said = log.map(e => answered(e))
  const none = { lost: 0, doubled: 0, reordered: 0 }

  test('finds nothing in a sound log, even with events whose write was not confirmed', () => {
    expect(findLogFaults(said, log, log)).toEqual(none)
    expect(findLogFaults(said.slice(0, 2), log, log)).toEqual(none)
  })

  test.each([
    ['lost from the log', 'lost', said, [a, b, c], [a, b, c]],
    ['passed over by a follower', 'lost', said, log, [a, b, d]],
    ['that nobody was told of, passed over by a follower', 'lost', said.slice(1), log, [b, c, d]],
    ['written twice', 'doubled', said, [...log, { ...d, position: 4n, revision: 4n }], log],
    ['given twice to a follower', 'doubled', said, log, [a, b, b, c, d]],
    ['acknowledged twice', 'doubled', [...said, said[3]!], log, log],
    ['that a follower had gone past', 'reordered', said, log, [a, c, b, d]],
    ['at another position than was said', 'reordered', [{ ...said[0]!, position: 9n }], log, log],
    ['at another revision than was said', 'reordered', [{ ...said[0]!, revision: 9n }], log, log],
    ['asked for after another was answered, and before it in the log', 'reordered', [answered(a, 50), answered(b, 10)], log, log],
  ] as const)('finds an event %s', (_, fault, said, log, live) => {
    expect(findLogFaults([...said], [...log], [...live])[fault]).toBeGreaterThan(0)
  })
})

describe('a naive store', () => {
  let db: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.end())

  test('loses an event for a follower if a later one commits first, which is found', async () => {
    const [inserted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const store: EventStore = await naiveStore(db.sql, async stream => {
      if (stream !== 'ledger-slow') return
      inserted.resolve()
      await commit.promise
    })
    const ending = new AbortController()
    const live: RecordedEvent[] = []
    const follower = store.follow(-1n, ending.signal)[Symbol.asyncIterator]()
    const seen = async () => live.push(...(await follower.next()).value!)
    const said: AcknowledgedEvent[] = []
    const append = async (stream: string) => {
      const begun = process.hrtime.bigint()
      const news = newTestEvent()
      const position = await store.append(stream, -1n, [news])
      said.push({ id: news.id, stream, revision: 0n, position, begun, answered: process.hrtime.bigint() })
    }

    const slow = append('ledger-slow')
    await inserted.promise
    await append('ledger-fast')
    await seen()
    commit.resolve()
    await slow
    await append(`ledger-${randomUUID()}`)
    await seen()
    const log = (await store.follow(-1n, ending.signal)[Symbol.asyncIterator]().next()).value!
    ending.abort()
    expect(log).toHaveLength(3)
    expect(findLogFaults(said, log, live)).toEqual({ lost: 1, doubled: 0, reordered: 0 })
  })
})

test('kills of connection, app and Postgres lose, double or reorder no event', SLOW, async () => {
  const { acknowledged, ...faults } = await killDuringAppends({
    store: 'ours',
    victims: ['backend', 'app', 'postmaster'],
    entries: () => 300,
  })
  expect(faults).toEqual({ lost: 0, doubled: 0, reordered: 0, kills: 3 })
  expect(acknowledged).toBeGreaterThanOrEqual(1200)
})
