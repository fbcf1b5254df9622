import { expect, test } from 'vitest'
import { concurrencyLimit } from '../../modules/concurrency-limit.ts'

/** Requests work that starts when the limit allows it, and ends when the test calls `end` or `fail`. */
function works(names: string[], { run }: ReturnType<typeof concurrencyLimit>) {
  const begun: string[] = []
  const all = names.map(name => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = run(() => {
      begun.push(name)
      return promise
    })
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) }
  })
  return { begun, all }
}
const settled = () => new Promise<void>(setImmediate)

test('work beyond the limit waits and begins in the order of arrival', async () => {
  const two = concurrencyLimit(2)
  const { begun, all } = works(['a', 'b', 'c', 'd', 'e'], two)
  await settled()
  expect([begun, two.waiting()]).toEqual([['a', 'b'], 3])
  all[1]!.end()
  expect(await all[1]!.done).toBe('b')
  await settled()
  expect([begun, two.waiting()]).toEqual([['a', 'b', 'c'], 2])
  for (const one of all) one.end()
  expect(await Promise.all(all.map(one => one.done))).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect([begun, two.waiting()]).toEqual([['a', 'b', 'c', 'd', 'e'], 0])
})

test('failed work frees its place, and an idle limit admits as much work as before', async () => {
  const two = concurrencyLimit(2)
  const first = works(['a', 'b'], two)
  for (const one of first.all) one.fail()
  expect((await Promise.allSettled(first.all.map(one => one.done))).map(one => one.status)).toEqual(['rejected', 'rejected'])
  const next = works(['c', 'd', 'e'], two)
  await settled()
  expect([next.begun, two.waiting()]).toEqual([['c', 'd'], 1])
  for (const one of next.all) one.end()
  await Promise.all(next.all.map(one => one.done))
})
