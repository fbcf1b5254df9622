import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FolderEvent } from '../../modules/folders/folder.ts'
import type { TypedEvent } from '../../modules/kernel/projection.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { medianResponseHoursSql, responseTimes } from '../../projections/response-times.ts'
import { createTestDatabase } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
  await db.sql`create table ${db.sql(tableOf(responseTimes))} (assignment uuid primary key, instructor uuid, assigned timestamptz, given timestamptz)`
})
afterAll(() => db.end())

const event = <T extends FolderEvent['type']>(type: T, at: string, data: object) =>
  ({ type, at, data }) as unknown as TypedEvent<FolderEvent, T>

test('the read model has a row per assignment, with the time of its feedback', () => {
  const [assignment, instructor] = [randomUUID(), randomUUID()]
  const assigned = event('FolderAssigned', '2026-01-01T00:00:00.000Z', { assignment, instructor })
  const row = responseTimes.on.FolderAssigned!(null, assigned, assignment)
  expect(row).toEqual({ assignment, instructor, assigned: '2026-01-01T00:00:00.000Z', given: null })
  expect(responseTimes.key(assigned)).toBe(assignment)
  const given = event('FeedbackGiven', '2026-01-02T00:00:00.000Z', { assignment })
  expect(responseTimes.on.FeedbackGiven!(row, given, assignment)).toEqual({ ...row, given: '2026-01-02T00:00:00.000Z' })
})

test('an instructor has a median response time once there are enough assignments', async () => {
  const instructor = randomUUID()
  const add = (hours: number | null) =>
    db.sql`insert into ${db.sql(tableOf(responseTimes))} values (${randomUUID()}, ${instructor}, '2026-01-01T00:00:00Z',
      ${hours === null ? null : new Date(Date.UTC(2026, 0, 1, hours)).toISOString()})`
  const median = async () =>
    (
      await db.sql`select ${medianResponseHoursSql(db.sql)} as hours from ${db.sql(tableOf(responseTimes))} where instructor = ${instructor} and given is not null`
    )[0]!
  await add(2)
  await add(10)
  await add(null)
  expect(await median()).toEqual({ hours: null })
  await add(30)
  expect(await median()).toEqual({ hours: 10 })
})
