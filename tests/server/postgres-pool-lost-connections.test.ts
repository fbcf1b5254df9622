import { once } from 'node:events'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createTestDatabase } from '../support/postgres.ts'

/** Covers patches/postgres+3.4.9.patch. Without the patch these cases end the process or hang. */
describe('the Postgres client', () => {
  let db: Awaited<ReturnType<typeof createTestDatabase>>
  let admin: Sql
  beforeAll(async () => {
    db = await createTestDatabase()
    admin = createPostgresPool(process.env.TEST_DATABASE_URL!, { max: 1 })
  })
  afterAll(async () => {
    await admin.end()
    await db.end()
  })
  const cut = () => admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${new URL(db.url).pathname.slice(1)}`

  test('rejects a transaction whose connection is cut, and keeps working', async () => {
    const sql = createPostgresPool(db.url, { max: 1 })
    for (let n = 0; n < 10; n++) {
      const transaction = sql.begin(async tx => {
        await tx`select 1`
        await cut()
        await tx`select ${'x'.repeat(n % 2 ? 2000 : 1)}::text`
      })
      await expect(transaction).rejects.toThrow()
      // Queries that were sent before the pool noticed the lost connection fail; later ones succeed.
      for (;;) if ((await sql`select 1 as one`.catch(() => []))[0]?.one === 1) break
    }
    await sql.end({ timeout: 1 })
  })

  test('gives the reason if a COPY fails at its end, and keeps working', async () => {
    const sql = createPostgresPool(db.url, { max: 1 })
    await sql`create table copied (n int primary key)`
    const copying = sql.begin(async tx => {
      const copy = await tx`copy copied from stdin`.writable()
      copy.end('1\n2\n1\n')
      await once(copy, 'finish')
    })
    await expect(copying).rejects.toThrow('duplicate key value')
    expect(await sql`select * from copied`).toEqual([])
    await sql.end({ timeout: 1 })
  })

  test('rejects queries whose connections are cut while they open, instead of hanging', async () => {
    for (let n = 0; n < 5; n++) {
      const pools = Array.from({ length: 6 }, () => createPostgresPool(db.url, { max: 2 }))
      const queries = pools.flatMap(sql =>
        Array.from({ length: 8 }, async (_, i) => {
          for (let k = 0; k < 5; k++)
            await (i % 2 ? sql.begin(tx => tx`select pg_sleep(0.001)`) : sql`select ${i}::int`).then(
              () => {},
              () => {},
            )
        }),
      )
      for (let c = 0; c < 4; c++) await cut()
      await Promise.all(queries)
      await Promise.all(pools.map(sql => sql.end({ timeout: 1 })))
    }
  })
})

test('a query whose parameter cannot be sent fails; other queries get their answers', async () => {
  const db = await createTestDatabase()
  const sql = createPostgresPool(db.url, { max: 1 })
  await sql`select 1`
  const invalid: unknown[] = [undefined, new Date(Number.NaN)]
  for (const parameter of invalid) {
    const queries = [
      sql`select 'first' as answer, pg_sleep(0.05)`,
      sql`select ${parameter as string}::timestamptz as answer`,
      ...['second', 'third'].map(answer => sql`select ${answer} as answer`),
    ]
    const outcomes = await Promise.allSettled(queries)
    expect(outcomes.map(outcome => outcome.status === 'fulfilled' && outcome.value[0]?.answer)).toEqual(['first', false, 'second', 'third'])
  }
  await sql.end({ timeout: 1 })
  await db.end()
})
