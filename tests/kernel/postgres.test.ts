import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type NewEvent, type RecordedEvent, RevisionConflict } from '../../modules/kernel/store.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { testStoreContract } from './store-contract.ts'
import { newTestEvent, readUntilCount, uniqueStreamNoun } from './test-events.ts'

async function open() {
  const { sql, url, end } = await createTestDatabase()
  return {
    sql,
    url,
    open: () => postgresStore(sql),
    /** Cuts every other connection to this database. */
    drop: async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    },
    plant: (stream: string, events: NewEvent[]) => {
      const news = events.map(({ id, type, data, meta }, i) => ({ n: 0, i, id, type, data, meta }))
      const appends = [{ n: 0, stream, expected: -1, size: news.length }]
      return sql`select append_events(${sql.json(appends)}::json, ${sql.json(news as never)}::json)`
    },
    end,
  }
}

testStoreContract('the log in Postgres', open)

describe('a reader of the log in Postgres', () => {
  let db: Awaited<ReturnType<typeof open>>
  const stores: ReturnType<typeof postgresStore>[] = []
  beforeEach(async () => {
    db = await open()
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await Promise.all(stores.splice(0).map(store => store.close()))
    await db.end()
  })

  /** Writes many events in one statement; every ten-thousandth is of a rare type. */
  const grow = (count: number) => db.sql`
    with grown as (update head set position = position + ${count} returning position - ${count} as before)
    insert into events
    select before + n, 'grown-1', before + n, gen_random_uuid(), case when (before + n) % 10000 = 9999 then 'Rare' else 'Thrown' end, '{}', '{}', now()
    from grown, generate_series(1, ${count}::int) n`

  /** Returns a store and counts of how often it has listened and read events. @param firstReadError the error of its first read */
  function countingStore(firstReadError?: Error) {
    const counts = { listened: 0, reads: 0 }
    let pendingError = firstReadError
    const sql = new Proxy(db.sql, {
      get: (of, name) => {
        if (name === 'listen') counts.listened++
        return Reflect.get(of, name)
      },
      apply: (of, self, args) => {
        const isRead = `${args[0]}`.includes('from events where')
        if (isRead) counts.reads++
        if (!pendingError || !isRead) return Reflect.apply(of, self, args)
        const failed = Promise.reject(pendingError)
        pendingError = undefined
        return { values: () => failed }
      },
    })
    const store = postgresStore(sql)
    stores.push(store)
    return { store, counts }
  }

  test('reads 5,000 positions at a time, and reports the last even if no type matches', async () => {
    const { store } = countingStore()
    await grow(25_000)
    const rare: bigint[] = []
    const ends: bigint[] = []
    let read = 0
    for await (const batch of store.follow(-1n, new AbortController().signal, ['Rare'])) {
      rare.push(...batch.filter(e => e.type === 'Rare').map(e => e.position))
      ends.push(batch.at(-1)!.position)
      read += batch.length
      if (ends.at(-1) === 24_999n) break
    }
    expect(rare).toEqual([9_999n, 19_999n])
    expect(ends).toEqual([4_999n, 9_999n, 14_999n, 19_999n, 24_999n])
    expect(read).toBe(5)
  })

  test('is woken by each new event, and does not poll the database', async () => {
    const { store, counts } = countingStore()
    const writer = db.open()
    stores.push(writer)
    await grow(100)
    // Timers of a second or longer never run their callbacks, so only a notification can wake the reader.
    const { setTimeout: set } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) =>
      set(ms < 1000 ? work : () => {}, ms)) as typeof set)
    const over = new AbortController()
    const begin = async () => {
      const reader = store.follow(-1n, over.signal)[Symbol.asyncIterator]()
      expect((await reader.next()).value).toHaveLength(100)
      return reader
    }
    /** Makes 20 queries, in which time a reader that polled without sleeping would read several times. */
    const waitForTwoPolls = async () => {
      for (let n = 0; n < 20; n++) await db.sql`select 1`
    }
    const first = await begin()
    expect(counts.listened).toBe(1)
    const second = await begin()
    const later = [first.next(), second.next()]
    const { reads } = counts
    await waitForTwoPolls()
    expect(counts.reads).toBeLessThan(reads + 5)
    const readsBefore = counts.reads
    for (const n of [0, 1, 2]) {
      await writer.append('woken-1', BigInt(n) - 1n, [newTestEvent(n)])
      for (const [i, each] of [first, second].entries()) {
        expect((await later[i])!.value.map((e: RecordedEvent) => e.data)).toEqual([n])
        later[i] = each.next()
      }
    }
    // Each of the two readers reads once for each of the three events: six reads. With an empty read after each one, it would be twelve.
    expect(counts.reads - readsBefore).toBeLessThan(9)
    await waitForTwoPolls()
    over.abort()
    expect(await Promise.all(later)).toEqual([1, 2].map(() => ({ done: true, value: undefined })))
    expect(counts.listened).toBe(1)
  })

  test('resumes after a lost connection, but throws errors that are not transient', async () => {
    await grow(250)
    const { store } = countingStore(Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }))
    expect((await readUntilCount(store, -1n, '', 250)).map(e => e.position)).toEqual(Array.from({ length: 250 }, (_, n) => BigInt(n)))
    const broken = countingStore(Object.assign(new Error('no such column'), { code: '42703' }))
    await expect(readUntilCount(broken.store, -1n, '', 250)).rejects.toThrow('no such column')
    await db.sql`alter table events rename to elsewhere`
    await expect(readUntilCount(store, -1n, '', 1)).rejects.toThrow('"events" does not exist')
  })
})

describe('the log in Postgres', () => {
  let db: Awaited<ReturnType<typeof open>>
  let store: ReturnType<typeof postgresStore>
  beforeAll(async () => {
    db = await open()
  })
  beforeEach(() => {
    store = db.open()
  })
  afterEach(() => store.close())
  afterAll(() => db.end())

  test('refuses to update or delete events', async () => {
    const s = `${uniqueStreamNoun()}-1`
    await store.append(s, -1n, [newTestEvent(), newTestEvent()])
    await expect(db.sql`update events set type = 'Other'`).rejects.toThrow('Events are final: update refused')
    await expect(db.sql`delete from events`).rejects.toThrow('Events are final: delete refused')
    await expect(db.sql`truncate events`).rejects.toThrow('Events are final: truncate refused')
    expect(await store.read(s)).toHaveLength(2)
  })

  test('assigns positions without gaps, even with two writers and conflicts', async () => {
    const other = postgresStore(db.sql)
    const name = uniqueStreamNoun()
    const [first] = await db.sql`select position from head`
    const tries = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) =>
        (n % 2 ? store : other).append(`${name}-${n % 40}`, BigInt(n % 3) - 1n, [newTestEvent(), newTestEvent()]),
      ),
    )
    await other.close()
    // The loser gets a conflict and no other error: two writers never write the same revision.
    expect(tries.filter(t => t.status === 'rejected' && !(t.reason instanceof RevisionConflict))).toEqual([])
    const rows =
      await db.sql`select position, (select position from head) as head from events where position > ${first!.position} order by position`
    expect(rows.map(r => r.position)).toEqual(rows.map((_, i) => first!.position + 1n + BigInt(i)))
    expect(rows.at(-1)!.head).toBe(rows.at(-1)!.position)
  })

  test('commits waiting appends together, and each succeeds or conflicts by itself', async () => {
    const name = uniqueStreamNoun()
    const transactions = async () =>
      BigInt((await db.sql`select count(distinct xmin::text) as n from events where stream like ${`${name}-%`}`)[0]!.n)
    const tries = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) => store.append(`${name}-${n}`, n % 10 === 7 ? 3n : -1n, [newTestEvent()])),
    )
    expect(tries.filter(t => t.status === 'rejected')).toHaveLength(10)
    expect(await transactions()).toBeLessThan(10n)
  })

  test('commits at most 256 appends together, in order within each stream', async () => {
    const name = uniqueStreamNoun()
    const appends = Array.from({ length: 300 }, (_, n) => store.append(`${name}-${n}`, -1n, [newTestEvent()]))
    const steps = Array.from({ length: 4 }, (_, n) => store.append(`${name}-steps`, BigInt(n) - 1n, [newTestEvent(n)]))
    const [positions, order] = await Promise.all([Promise.all(appends), Promise.all(steps)])
    expect(new Set(positions).size).toBe(300)
    expect(order).toEqual(order.toSorted((a, b) => (a < b ? -1 : 1)))
    const commits = await db.sql`select count(*)::int as n from events where stream like ${`${name}-%`} group by xmin::text`
    expect(Math.max(...commits.map(r => r.n))).toBeLessThanOrEqual(256)
  })

  test('rejects an append after the log has been closed', async () => {
    const s = `${uniqueStreamNoun()}-1`
    await store.append(s, -1n, [newTestEvent()])
    await store.close()
    await expect(store.append(s, 0n, [newTestEvent()])).rejects.toThrow('CONNECTION_ENDED')
  })

  test('is polled if no notification wakes the reader', async () => {
    const name = uniqueStreamNoun()
    const at = await store.append(`${name}-1`, -1n, [newTestEvent()])
    const live = readUntilCount(store, at, name, 1)
    await db.sql.begin(async tx => {
      const [head] = await tx`update head set position = position + 1 returning position`
      await tx`insert into events values (${head!.position}, ${`${name}-2`}, 0, gen_random_uuid(), 'Thrown', '{}', '{}', now())`
    })
    expect(await live).toHaveLength(1)
  })

  test('returns times with milliseconds, even on a whole second', async () => {
    const name = uniqueStreamNoun()
    for (const [n, at] of ['2026-05-01 16:00:00Z', '2026-05-01 16:00:00.5Z', '2026-05-01 16:00:00.123Z'].entries())
      await db.sql.begin(async tx => {
        const [head] = await tx`update head set position = position + 1 returning position`
        await tx`insert into events values (${head!.position}, ${`${name}-1`}, ${n}, gen_random_uuid(), 'Thrown', '{}', '{}', ${at})`
      })
    const times = ['2026-05-01T16:00:00.000Z', '2026-05-01T16:00:00.500Z', '2026-05-01T16:00:00.123Z']
    expect((await store.read(`${name}-1`)).map(e => e.at)).toEqual(times)
    expect((await readUntilCount(store, -1n, name, 3)).map(e => e.at)).toEqual(times)
  })

  test('lets other queries use the same pool while a reader catches up', async () => {
    const name = uniqueStreamNoun()
    for (let n = 0; n < 300; n++) await store.append(`${name}-${n}`, -1n, [newTestEvent('x'.repeat(20_000))])
    const pool = createPostgresPool(db.url, { max: 2 })
    const pooledStore = postgresStore(pool)
    let isOver = false
    const query = async () => {
      while (!isOver) await pool`select 1`
    }
    const queries = Promise.all([query(), query(), query()])
    for (let n = 0; n < 5; n++) expect(await readUntilCount(pooledStore, -1n, name, 300)).toHaveLength(300)
    isOver = true
    await queries
    await pooledStore.close()
    await pool.end({ timeout: 1 })
  })
})
