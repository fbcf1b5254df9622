import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import {
  currentTraceId,
  newTraceId,
  runInTrace,
  runInTraceOfRequest,
  storeWithTraceIds,
  traceIdOfHeader,
} from '../../modules/kernel/trace.ts'

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'

test.each([
  [`00-${ID}-00f067aa0ba902b7-01`, ID],
  [`01-${ID}-00f067aa0ba902b7-01-more`, ID],
  [null, undefined],
  [`00-${ID}-00f067aa0ba902b7-01-more`, undefined],
  [`ff-${ID}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${ID}-${'0'.repeat(16)}-01`, undefined],
  [`00-${ID.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  ['Ana García', undefined],
])('the header traceparent %j has the trace id %j', (header, traceId) => {
  expect(traceIdOfHeader(header)).toBe(traceId)
})

test('a request has the trace id of its header, otherwise one id of its own', async () => {
  const idsOfRequest = (traceparent: string | null) =>
    runInTraceOfRequest(traceparent, async () => {
      const before = currentTraceId()
      await Promise.resolve()
      return [before, currentTraceId()]
    })
  expect(await idsOfRequest(`00-${ID}-00f067aa0ba902b7-01`)).toEqual([ID, ID])
  const [[id, later], [other]] = await Promise.all([idsOfRequest(null), idsOfRequest(null)])
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(later).toBe(id)
  expect(other).not.toBe(id)
})

test('events carry the trace id of the work that appends them, if there is one', async () => {
  const store = storeWithTraceIds(memoryStore())
  const event = () => ({ id: randomUUID(), type: 'A', data: {}, meta: { command: 'c', name: 'a.b', actor: 'system' } })
  const trace = newTraceId()
  expect(traceIdOfHeader(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace)
  await runInTrace(trace, async () => {
    await Promise.resolve()
    await store.append('a-1', -1n, [event()])
  })
  expect(currentTraceId()).toBe(undefined)
  await store.append('a-1', 0n, [event()])
  expect((await store.read('a-1')).map(e => e.meta)).toEqual([
    { command: 'c', name: 'a.b', actor: 'system', trace },
    { command: 'c', name: 'a.b', actor: 'system' },
  ])
})
