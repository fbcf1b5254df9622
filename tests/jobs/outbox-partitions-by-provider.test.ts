import { afterEach, expect, test, vi } from 'vitest'
import { outboxPartitions } from '../../src/server/outbox-partitions.ts'
import { createDeferred, fetchErrandRow, newErrand, setUpDatabasePerOutboxTest, sql, startOutboxWorker } from './outbox-testbed.ts'

setUpDatabasePerOutboxTest()
afterEach(() => vi.restoreAllMocks())

test('errands of different providers are in different partitions', () => {
  const kinds = [
    'letter.a',
    'payment.a',
    'package.a',
    'media.a',
    'voices.a',
    'export.a',
    'account.delete',
    'guardian.delete',
    'account.a',
    'consent.a',
  ]
  const partitions = outboxPartitions(Object.fromEntries(kinds.map(kind => [kind, async () => {}])))
  expect(partitions.map(({ handlers }) => Object.keys(handlers))).toEqual([
    ['letter.a'],
    ['payment.a', 'package.a'],
    ['media.a', 'voices.a'],
    ['export.a'],
    ['account.delete', 'guardian.delete'],
    ['account.a', 'consent.a'],
  ])
})

test('a data export that takes an hour is not started a second time', async () => {
  const [begun, over] = [createDeferred(), createDeferred()]
  const attempts: number[] = []
  const [{ handlers, limits }] = outboxPartitions({
    'export.make': (_, { attempt }) => {
      attempts.push(attempt)
      begun.resolve()
      return over.promise
    },
  }) as [ReturnType<typeof outboxPartitions>[number]]
  const lease = 300
  const work = await startOutboxWorker(handlers, { lease, ...limits })
  const errand = newErrand({ kind: 'export.make' })
  await work.post(sql, [errand])
  await begun.promise
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 3600_000)
  const isRenewed = async () => (await sql`select due > tried + ${5 * lease} * interval '1 ms' as is from errands`)[0]!.is
  await expect.poll(isRenewed).toBe(true)
  over.resolve()
  await work.idle()
  expect(attempts).toEqual([1])
  expect(await fetchErrandRow(errand.id)).toMatchObject({ attempt: 1, done: expect.any(String) })
})
