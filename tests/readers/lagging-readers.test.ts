import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { laggingReaders } from '../../modules/readers/lagging-readers.ts'

test('a reader is lagging if an event has not been processed for over five seconds', async () => {
  let now = 0
  const store = memoryStore(() => new Date(now))
  for (let n = 0; n < 3; n++) {
    now = n * 10_000
    const meta = { command: 'c', name: 'a.b', actor: 'ana' }
    await store.append(`thing-${n}`, -1n, [{ id: randomUUID(), type: 'Happened', data: {}, meta }])
  }
  const readers = { last: 1n, middle: 0n, done: 2n, first: -1n, also: 1n }
  const all = Object.entries(readers).map(([name, position]) => ({ name, position, logEnd: null }))
  const behind = async (at: number) => (await laggingReaders(store, all, new Date(at))).map(({ name }) => name)
  expect(await behind(5000)).toEqual([])
  expect(await behind(5001)).toEqual(['first'])
  expect(await behind(15_001)).toEqual(['middle', 'first'])
  expect(await behind(25_000)).toEqual(['middle', 'first'])
  expect(await behind(25_001)).toEqual(['last', 'middle', 'first', 'also'])
})
