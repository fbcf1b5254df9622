import { expect, test } from 'vitest'
import { fairQueue } from '../../../modules/accounts/fair-queue.ts'

class QueueFullError extends Error {}

/** Creates a queue that runs one request at a time, and is busy until `finish` lets the waiting ones run. `done` records their order. */
function queueTestbed(maxWaiting = 100) {
  const turns = fairQueue(1, maxWaiting, () => new QueueFullError())
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const running = turns.take([], () => gate.promise)
  const all: Promise<unknown>[] = [running]
  const refused: string[] = []
  return {
    turns,
    done,
    refused,
    request(name: string, ...keys: string[]) {
      all.push(
        turns
          .take(keys, async () => void done.push(name))
          .catch(error => {
            expect(error).toBeInstanceOf(QueueFullError)
            refused.push(name)
          }),
      )
    },
    async finish() {
      gate.resolve()
      await Promise.all(all)
    },
  }
}

test('requests from different clients are served in the order of arrival', async () => {
  const { request, finish, done } = queueTestbed()
  for (const name of ['a', 'b', 'c']) request(name, `address:${name}`, `account:${name}`)
  await finish()
  expect(done).toEqual(['a', 'b', 'c'])
})

test('a flood from one address delays every other client by only one turn', async () => {
  const { request, finish, done } = queueTestbed()
  for (let i = 0; i < 50; i++) request(`flood ${i}`, 'address:evil', `account:${i}`)
  for (const name of ['ana', 'bo']) request(name, `address:${name}`, `account:${name}`)
  await finish()
  expect(done.slice(0, 4)).toEqual(['flood 0', 'ana', 'bo', 'flood 1'])
  expect(done).toHaveLength(52)
})

test('a flood against one account from many addresses delays others by only one turn', async () => {
  const { request, finish, done } = queueTestbed()
  for (let i = 0; i < 50; i++) request(`flood ${i}`, `address:${i}`, 'account:ana')
  request('bo', 'address:bo', 'account:bo')
  await finish()
  expect(done.slice(0, 3)).toEqual(['flood 0', 'bo', 'flood 1'])
})

test('a client that returns does not overtake clients that arrived in the meantime', async () => {
  const { request, finish, done } = queueTestbed()
  for (const name of ['evil 1', 'evil 2', 'evil 3']) request(name, 'evil')
  request('ana 1', 'ana')
  request('ana 2', 'ana')
  request('bo', 'bo')
  await finish()
  expect(done).toEqual(['evil 1', 'ana 1', 'bo', 'evil 2', 'ana 2', 'evil 3'])
})

test('a full queue drops requests of the busiest client and refuses its new ones', async () => {
  const { turns, request, finish, done, refused } = queueTestbed(4)
  for (let i = 0; i < 6; i++) request(`flood ${i}`, 'address:evil')
  await Promise.resolve()
  expect(() => turns.checkRoom(['address:evil'])).toThrow(QueueFullError)
  expect(() => turns.checkRoom(['address:ana'])).not.toThrow()
  for (const name of ['ana', 'bo', 'cy']) request(name, `address:${name}`)
  expect(() => turns.checkRoom(['address:dee'])).toThrow(QueueFullError)
  request('dee', 'address:dee')
  await finish()
  expect(done).toEqual(['flood 0', 'ana', 'bo', 'cy'])
  expect(refused.toSorted()).toEqual(['dee', 'flood 1', 'flood 2', 'flood 3', 'flood 4', 'flood 5'])
})

test('all slots are used at the same time, and a failed turn frees its slot', async () => {
  const turns = fairQueue(2, 100, () => new QueueFullError())
  let [running, most] = [0, 0]
  const works = Array.from({ length: 10 }, (_, i) =>
    turns.take([`${i % 3}`], async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      if (i % 2) throw new Error('broken')
    }),
  )
  const ends = await Promise.allSettled(works)
  expect([most, ends.filter(end => end.status === 'rejected').length]).toEqual([2, 5])
  turns.checkRoom(['0'])
  await turns.take([], async () => {})
})
