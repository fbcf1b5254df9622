import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../modules/dates.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { DAYS_TO_WAIT_FOR_FAILED_PAYMENT } from '../../modules/privacy/policy.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { deletionObstaclesOf } from '../../projections/deletion-obstacles.ts'
import { payments } from '../../projections/payments.ts'
import { projections } from '../../src/server/module-registry.ts'
import { createTestDatabase } from '../support/postgres.ts'

const due = new Date('2026-02-01T12:00:00Z')
let db: Awaited<ReturnType<typeof createTestDatabase>>
const testAbort = new AbortController()
beforeAll(async () => {
  db = await createTestDatabase()
  await projectionRunner(db.sql, memoryStore(), projections, { log: pino({ level: 'silent' }) }).start(testAbort.signal)
})
afterAll(async () => {
  testAbort.abort()
  await db.end()
})

/** Counts what a player and an instructor still have to settle `days` days after a payment between them was due. */
async function obligationsAfterPayment(status: 'failed' | 'due' | 'paid', days: number) {
  const [player, instructor] = [randomUUID(), randomUUID()]
  await db.sql`
    insert into ${db.sql(tableOf(payments))} (payment, folder, player, instructor, payer, status, items, total, share, tip, charged, refunded,
      refunding, disputes, cards_by_attempt, opened, due, netted, owed)
    values (${randomUUID()}, ${randomUUID()}, ${player}, ${instructor}, ${player}, ${status}, '[]', 1550, 1200, 0,
      ${status === 'paid' ? 1550 : 0}, 0, '[]', '{}', '{}', ${due}, ${due}, 0, 0)`
  const [ofPlayer, ofInstructor] = await Promise.all(
    [player, instructor].map(person => deletionObstaclesOf(db.sql, person, addDays(due, days))),
  )
  return { unpaid: ofPlayer!.unpaid, expected: ofInstructor!.expected }
}

test('a payment that failed long ago no longer keeps its instructor from leaving', async () => {
  const before = DAYS_TO_WAIT_FOR_FAILED_PAYMENT - 1
  expect(await obligationsAfterPayment('failed', before)).toEqual({ unpaid: 1, expected: 1 })
  expect(await obligationsAfterPayment('failed', DAYS_TO_WAIT_FOR_FAILED_PAYMENT)).toEqual({ unpaid: 1, expected: 0 })
  expect(await obligationsAfterPayment('due', DAYS_TO_WAIT_FOR_FAILED_PAYMENT)).toEqual({ unpaid: 1, expected: 1 })
  expect(await obligationsAfterPayment('paid', DAYS_TO_WAIT_FOR_FAILED_PAYMENT)).toEqual({ unpaid: 0, expected: 1 })
})
