import { expect, test } from 'vitest'
import { checkEventStoreDB } from '../../src/server/eventstoredb-check.ts'
import { startFakeEventstoredb } from '../support/fake-eventstoredb.ts'

test('an EventStoreDB that answers passes the check, with or without events', async () => {
  const server = await startFakeEventstoredb()
  expect(await checkEventStoreDB(server.url)).toEqual([
    { check: 'EventStoreDB answers', isTrue: true, advice: '' },
    expect.objectContaining({ check: 'its user may read the whole log', isTrue: true }),
  ])
  await server.stop()
})

test('an EventStoreDB that does not answer is reported with the reason', { timeout: 30_000 }, async () => {
  const [finding, ...more] = await checkEventStoreDB('esdb://127.0.0.1:1?tls=false')
  expect(more).toEqual([])
  expect(finding).toMatchObject({ check: 'EventStoreDB answers', isTrue: false, advice: expect.stringContaining('Check EVENTSTOREDB_URL') })
})
