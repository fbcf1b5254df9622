import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Conflict, type NewEvent } from '../../modules/kernel/store.ts'
import { postgresStore, schema } from '../../modules/kernel/stores/postgres.ts'
import { connect } from '../../src/server/sql.ts'
import { database } from '../support/postgres.ts'
import { contract, event, gather } from './contract.ts'

async function open() {
  const { sql, url, end } = await database()
  await sql.unsafe(schema)
  const store = postgresStore(sql)
  return {
    sql,
    url,
    store,
    /** Every connection of this database but the one that asks is cut. */
    drop: async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    },
    plant: (stream: string, events: NewEvent[]) => {
      const news = events.map(({ id, type, data, meta }, i) => ({ n: 0, i, id, type, data, meta }))
      const appends = [{ n: 0, stream, expected: -1, size: news.length }]
      return sql`select append_events(${sql.json(appends)}::json, ${sql.json(news as never)}::json)`
    },
    end: async () => {
      await store.close()
      await end()
    },
  }
}

contract('the log in Postgres', open)

describe('in Postgres', () => {
  let db: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.end())

  test('its tables may be made again at every start', async () => {
    await db.sql.unsafe(schema)
  })

  test('events are final', async () => {
    await db.store.append('final-1', -1n, [event(), event()])
    await expect(db.sql`update events set type = 'Other'`).rejects.toThrow('Events are final: update refused')
    await expect(db.sql`delete from events`).rejects.toThrow('Events are final: delete refused')
    await expect(db.sql`truncate events`).rejects.toThrow('Events are final: truncate refused')
    expect(await db.store.read('final-1')).toHaveLength(2)
  })

  test('positions have no gaps, in two processes at once, whatever conflicts', async () => {
    const other = postgresStore(db.sql)
    const [first] = await db.sql`select position from head`
    const tries = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => (n % 2 ? db.store : other).append(`gapless-${n % 40}`, BigInt(n % 3) - 1n, [event(), event()])),
    )
    await other.close()
    // Who loses hears that the stream is elsewhere, and nothing else: two never write to the same place.
    expect(tries.filter(t => t.status === 'rejected' && !(t.reason instanceof Conflict))).toEqual([])
    const rows =
      await db.sql`select position, (select position from head) as head from events where position > ${first!.position} order by position`
    expect(rows.map(r => r.position)).toEqual(rows.map((_, i) => first!.position + 1n + BigInt(i)))
    expect(rows.at(-1)!.head).toBe(rows.at(-1)!.position)
  })

  test('appends that wait for a commit share the next one, and each succeeds or conflicts on its own', async () => {
    const transactions = async () =>
      BigInt((await db.sql`select count(distinct xmin::text) as n from events where stream like 'group-%'`)[0]!.n)
    const tries = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) => db.store.append(`group-${n}`, n % 10 === 7 ? 3n : -1n, [event()])),
    )
    expect(tries.filter(t => t.status === 'rejected')).toHaveLength(10)
    expect(await transactions()).toBeLessThan(10n)
  })

  test('a reader woken by nobody looks again by itself', async () => {
    const at = await db.store.append('silent-1', -1n, [event()])
    const live = gather(db.store, at, 'silent-', 1)
    await db.sql.begin(async tx => {
      const [head] = await tx`update head set position = position + 1 returning position`
      await tx`insert into events values (${head!.position}, 'silent-2', 0, gen_random_uuid(), 'Thrown', '{}', '{}', now())`
    })
    expect(await live).toHaveLength(1)
  })

  test('a time is told to the millisecond, also where it is a whole second', async () => {
    for (const [n, at] of ['2026-05-01 16:00:00Z', '2026-05-01 16:00:00.5Z', '2026-05-01 16:00:00.123Z'].entries())
      await db.sql.begin(async tx => {
        const [head] = await tx`update head set position = position + 1 returning position`
        await tx`insert into events values (${head!.position}, 'timed-1', ${n}, gen_random_uuid(), 'Thrown', '{}', '{}', ${at})`
      })
    const told = ['2026-05-01T16:00:00.000Z', '2026-05-01T16:00:00.500Z', '2026-05-01T16:00:00.123Z']
    expect((await db.store.read('timed-1')).map(e => e.at)).toEqual(told)
    expect((await gather(db.store, -1n, 'timed-', 3)).map(e => e.at)).toEqual(told)
  })

  test('a reader that is behind copies on a connection of its own: nobody is refused meanwhile', async () => {
    for (let n = 0; n < 300; n++) await db.store.append(`copied-${n}`, -1n, [event('x'.repeat(20_000))])
    const few = connect(db.url, { max: 2 })
    const store = postgresStore(few)
    let over = false
    const asker = async () => {
      while (!over) await few`select 1`
    }
    const asking = Promise.all([asker(), asker(), asker()])
    for (let n = 0; n < 5; n++) expect(await gather(store, -1n, 'copied-', 300)).toHaveLength(300)
    over = true
    await asking
    await store.close()
    await few.end({ timeout: 1 })
  })
})
