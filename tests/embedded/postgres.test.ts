import { expect, test } from 'vitest'
import { database } from '../support/postgres.ts'

test('times come back as ISO strings, days as days, bigints whole', async () => {
  const db = await database()
  const [row] = await db.sql`
    select ${'2026-03-01T10:20:30.456Z'}::timestamptz as at, '2010-05-06'::date as day, 9007199254740993 as n, ${'12'}::bigint as m`
  expect(row).toEqual({ at: '2026-03-01T10:20:30.456Z', day: '2010-05-06', n: 9007199254740993n, m: 12n })
  await db.end()
})
