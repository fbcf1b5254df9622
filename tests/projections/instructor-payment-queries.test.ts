import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { cursorParameter, timeAndId } from '../../modules/pagination.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import {
  countPayments,
  instructorEarningsTotals,
  pageOfPaymentsOfOwner,
  payments,
  paymentsOfInstructor,
} from '../../projections/payments.ts'
import { projections } from '../../src/server/module-registry.ts'
import { createTestDatabase } from '../support/postgres.ts'

const instructor = randomUUID()
const now = new Date()
let db: Awaited<ReturnType<typeof createTestDatabase>>
const testAbort = new AbortController()
beforeAll(async () => {
  db = await createTestDatabase()
  await projectionRunner(db.sql, memoryStore(), projections, { log: pino({ level: 'silent' }) }).start(testAbort.signal)
  // Several payments are opened at the same moment; some were refunded, disputed or not paid.
  await db.sql`
    insert into ${db.sql(tableOf(payments))} (payment, folder, player, instructor, payer, status, items, total, share, tip, charged, refunded,
      refunding, disputes, cards_by_attempt, dispute, opened, due, paid, transferred, netted, owed)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), case when n % 5 = 0 then gen_random_uuid() else ${instructor}::uuid end,
      gen_random_uuid(), 'paid', '[]', 1550, 1200, n, case when n % 4 = 0 then 0 else 1550 + n end, case when n % 7 = 0 then 1550 + n else 0 end,
      '[]', '{}', '{}', case when n % 11 = 0 then 'lost' when n % 13 = 0 then 'won' end, '2026-01-01'::timestamptz + n / 3 * interval '1 day',
      '2026-02-01', case when n % 4 <> 0 then '2026-02-01'::timestamptz end, case when n % 6 = 1 then '2026-02-02'::timestamptz end, 0, 0
    from generate_series(1, 120) n`
})
afterAll(async () => {
  testAbort.abort()
  await db.end()
})

test("the pages of an instructor's payments follow each other without a gap", async () => {
  const all = (await paymentsOfInstructor(db.sql, instructor, { person: instructor }, now)).map(p => p.id)
  expect(all).toHaveLength(96)
  const paged: string[] = []
  const which = { whose: { instructor }, kind: 'any' } as const
  for (let next: string | null | undefined; next !== null; ) {
    const page: Awaited<ReturnType<typeof pageOfPaymentsOfOwner>> = await pageOfPaymentsOfOwner(db.sql, which, now, {
      before: next ? cursorParameter(timeAndId).parse(next) : undefined,
      limit: 10,
    })
    paged.push(...page.rows.map(p => p.id))
    next = page.next
  }
  expect(paged).toEqual(all)
  expect(await countPayments(db.sql, which)).toBe(96)
})

test('the earnings of an instructor are the sum of the listed shares', async () => {
  const all = await paymentsOfInstructor(db.sql, instructor, { person: instructor }, now)
  const sum = (of: typeof all) => of.reduce((cents, p) => cents + p.share, 0)
  expect(await instructorEarningsTotals(db.sql, instructor)).toEqual({
    unpaid: sum(all.filter(p => !p.paid)),
    earned: sum(all.filter(p => p.paid)),
    transferred: sum(all.filter(p => p.paid && p.transferred)),
  })
})
