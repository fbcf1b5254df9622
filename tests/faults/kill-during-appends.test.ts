import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EventStore, RecordedEvent } from '../../modules/kernel/store.ts'
import { newTestEvent } from '../kernel/test-events.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { type AcknowledgedEvent, countLostAndReorderedEvents } from './count-lost-and-reordered-events.ts'
import { killDuringAppends } from './kill-during-appends.ts'
import { createNaiveStore } from './naive-store.ts'

const SLOW = { timeout: 300_000 }

const entry = (position: number, stream = 'ledger-1', revision = position): RecordedEvent => ({
  ...newTestEvent(),
  stream,
  position: BigInt(position),
  revision: BigInt(revision),
  at: new Date().toISOString(),
})
/** The event as its writer knows it. By default, appends are sent and confirmed in the order of positions. */
const acknowledge = (e: RecordedEvent, sentAt = Number(e.position) * 10): AcknowledgedEvent => ({
  ...e,
  sentAt: BigInt(sentAt),
  confirmedAt: BigInt(sentAt + 5),
})

describe('the checker of the log', () => {
  const log = [0, 1, 2, 3].map(n => entry(n))
  const [a, b, c, d] = log as [RecordedEvent, RecordedEvent, RecordedEvent, RecordedEvent]
  const confirmed = log.map(e => acknowledge(e))
  const none = { lost: 0, doubled: 0, reordered: 0 }

  test('finds nothing wrong in a correct log, even with unconfirmed appends', () => {
    expect(countLostAndReorderedEvents(confirmed, log, log)).toEqual(none)
    expect(countLostAndReorderedEvents(confirmed.slice(0, 2), log, log)).toEqual(none)
  })

  test.each([
    ['that is missing from the log', 'lost', confirmed, [a, b, c], [a, b, c]],
    ['that a follower missed', 'lost', confirmed, log, [a, b, d]],
    ['that was not confirmed and that a follower missed', 'lost', confirmed.slice(1), log, [b, c, d]],
    ['that was written twice', 'doubled', confirmed, [...log, { ...d, position: 4n, revision: 4n }], log],
    ['that a follower received twice', 'doubled', confirmed, log, [a, b, b, c, d]],
    ['that was confirmed twice', 'doubled', [...confirmed, confirmed[3]!], log, log],
    ['that a follower received too late', 'reordered', confirmed, log, [a, c, b, d]],
    ['at another position than confirmed', 'reordered', [{ ...confirmed[0]!, position: 9n }], log, log],
    ['at another revision than confirmed', 'reordered', [{ ...confirmed[0]!, revision: 9n }], log, log],
    ['before one that was confirmed before it was sent', 'reordered', [acknowledge(a, 50), acknowledge(b, 10)], log, log],
  ] as const)('reports an event %s', (_, fault, confirmedEvents, wholeLog, live) => {
    expect(countLostAndReorderedEvents([...confirmedEvents], [...wholeLog], [...live])[fault]).toBeGreaterThan(0)
  })
})

describe('a naive store without ordered commits', () => {
  let db: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.end())

  test('hides an event from followers if a later one commits first, which is reported', async () => {
    const [inserted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const store: EventStore = await createNaiveStore(db.sql, async stream => {
      if (stream !== 'ledger-slow') return
      inserted.resolve()
      await commit.promise
    })
    const ending = new AbortController()
    const live: RecordedEvent[] = []
    const follower = store.follow(-1n, ending.signal)[Symbol.asyncIterator]()
    const readNext = async () => live.push(...(await follower.next()).value!)
    const confirmed: AcknowledgedEvent[] = []
    const append = async (stream: string) => {
      const sentAt = process.hrtime.bigint()
      const event = newTestEvent()
      const position = await store.append(stream, -1n, [event])
      confirmed.push({ id: event.id, stream, revision: 0n, position, sentAt, confirmedAt: process.hrtime.bigint() })
    }

    const slow = append('ledger-slow')
    await inserted.promise
    await append('ledger-fast')
    await readNext()
    commit.resolve()
    await slow
    await append(`ledger-${randomUUID()}`)
    await readNext()
    const log = (await store.follow(-1n, ending.signal)[Symbol.asyncIterator]().next()).value!
    ending.abort()
    expect(log).toHaveLength(3)
    expect(countLostAndReorderedEvents(confirmed, log, live)).toEqual({ lost: 1, doubled: 0, reordered: 0 })
  })
})

test('killing connections, app and Postgres loses, duplicates or reorders no event', SLOW, async () => {
  const { acknowledged, ...faults } = await killDuringAppends({
    store: 'ours',
    victims: ['backend', 'app', 'postmaster'],
    entries: () => 300,
  })
  expect(faults).toEqual({ lost: 0, doubled: 0, reordered: 0, kills: 3 })
  expect(acknowledged).toBeGreaterThanOrEqual(1200)
})
