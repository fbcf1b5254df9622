import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDailyJob } from '../../modules/jobs/claim-daily-job.ts'
import { LETTER_DELIVERY_STATUS_DAYS } from '../../modules/letters/letter-delivery-table.ts'
import { pruneProcessedRows } from '../../src/server/prune-processed-rows.ts'
import { createTestDatabase } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

test('only one of many servers runs a daily job each day', async () => {
  const claims = () => Promise.all(Array.from({ length: 5 }, () => claimDailyJob(db.sql, 'sweep')))
  expect((await claims()).filter(Boolean)).toHaveLength(1)
  expect(await claims()).not.toContain(true)
  expect(await claimDailyJob(db.sql, 'prune')).toBe(true)
  await db.sql`update job_runs set began = began - interval '23 hours 1 minute' where name = 'sweep'`
  expect((await claims()).filter(Boolean)).toHaveLength(1)
  // Simulate that the database's clock has been set back since the last run.
  await db.sql`update job_runs set began = began + interval '3 days' where name = 'sweep'`
  expect((await claims()).filter(Boolean)).toHaveLength(1)
})

test('old completed errands and webhooks are deleted; newer and unfinished ones stay', async () => {
  const now = new Date('2026-06-01T00:00:00Z')
  await db.sql`
    insert into errands (id, kind, payload, done, failed) values
      ('old', 'payment.share', '{}', '2026-03-01', null), ('many', 'payment.share', '{}', '2026-05-01', null),
      ('letter', 'letter.receipt', '{}', '2026-03-01', null), ('failed', 'payment.share', '{}', null, '2026-03-01'),
      ('waiting', 'payment.share', '{}', null, null)`
  await db.sql`insert into stripe_notices (id, type, received) values ('evt_old', 't', '2026-04-01'), ('evt_new', 't', '2026-05-20')`
  await db.sql`insert into errands (id, kind, payload, done) select 'n' || n, 'payment.share', '{}', '2026-01-01' from generate_series(1, 6000) n`
  expect(await pruneProcessedRows(db.sql, now, new AbortController().signal)).toBe(6002)
  const ids = (await db.sql`select id from errands order by id`).map(row => row.id)
  expect(ids).toEqual(['failed', 'letter', 'many', 'waiting'])
  expect((await db.sql`select id from stripe_notices`).map(row => row.id)).toEqual(['evt_new'])
})

test('letters are kept as long as delivery statuses; email confirmations for good', async () => {
  const now = new Date('2026-06-01T00:00:00Z')
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3600_000)
  await db.sql`delete from errands`
  await db.sql`
    insert into errands (id, kind, payload, done, failed) values
      ('expired', 'letter.receipt', '{}', ${daysAgo(LETTER_DELIVERY_STATUS_DAYS + 1)}, null),
      ('listed', 'letter.receipt', '{}', ${daysAgo(LETTER_DELIVERY_STATUS_DAYS - 1)}, null),
      ('failed', 'letter.receipt', '{}', null, ${daysAgo(LETTER_DELIVERY_STATUS_DAYS + 1)}),
      ('confirmation', 'letter.confirm-email', '{}', ${daysAgo(LETTER_DELIVERY_STATUS_DAYS + 1)}, null)`
  expect(await pruneProcessedRows(db.sql, now, new AbortController().signal)).toBe(1)
  const ids = (await db.sql`select id from errands order by id`).map(row => row.id)
  expect(ids).toEqual(['confirmation', 'failed', 'listed'])
})
