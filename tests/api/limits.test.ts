import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hash, Overloaded } from '../../modules/accounts/passwords.ts'
import { addressOf, limits, networkOf } from '../../src/api/limits.ts'
import { Problem } from '../../src/api/problem.ts'
import { type Harness, harness, somebody } from './harness.ts'

let h: Harness
beforeAll(async () => {
  h = await harness({ limits: 1 })
})
afterAll(() => h.end())

describe('limits', () => {
  test('end in a 429 that says when to come back', async () => {
    const tries = []
    for (let i = 0; i < 21; i++) tries.push(await h.browser().call('GET', '/api/check-email?email=a@b.example'))
    expect(tries.slice(0, 20).every(t => t.status === 200)).toBe(true)
    expect([tries[20]!.status, tries[20]!.body.code]).toEqual([429, 'too-many'])
    expect(Number(tries[20]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(tries[20]!.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })
  test('hold for an address, its network, and an account, over all processes', async () => {
    const [here, there] = [limits(h.sql), limits(h.sql)]
    const refusals = async (n: number, take: (i: number) => Promise<void>) => {
      let refused = 0
      for (let i = 0; i < n; i++) {
        await take(i).catch(error => {
          expect(error).toBeInstanceOf(Problem)
          refused++
        })
      }
      return refused
    }
    expect(await refusals(12, i => (i % 2 ? here : there).take('recovery', '192.0.2.1'))).toBe(2)
    expect(await refusals(1, () => here.take('recovery', '192.0.2.2'))).toBe(0)
    expect(await refusals(45, i => here.take('recovery', `198.51.100.${i}`))).toBe(5)
    expect(await refusals(7, i => there.take('recovery', `203.0.${i}.1`, 'Ana@example.com '))).toBe(2)
  })
  test('still hold while the store is away', async () => {
    const away = limits(Object.assign(async () => [], { unsafe: () => Promise.reject(new Error('gone')) }) as never)
    for (let i = 0; i < 10; i++) await away.take('recovery', '192.0.2.9')
    await expect(away.take('recovery', '192.0.2.9')).rejects.toBeInstanceOf(Problem)
  })
  test('know what an address and a network are', () => {
    expect([addressOf('192.0.2.7'), networkOf('192.0.2.7')]).toEqual(['192.0.2.7', '192.0.2'])
    expect([addressOf('::ffff:192.0.2.7'), networkOf('::ffff:192.0.2.7')]).toEqual(['192.0.2.7', '192.0.2'])
    expect([addressOf('2001:db8:1:2:3::1'), networkOf('2001:db8:1:2:3::1')]).toEqual(['2001:db8:1:2', '2001:db8:1'])
    expect(addressOf('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(addressOf('2001:db8:1:2::'))
    expect(addressOf('::1')).toBe('0:0:0:0')
    expect(addressOf('')).toBe('')
  })
})

test('more passwords than the machine can check are turned away, and the rest are checked', async () => {
  const results = await Promise.allSettled(Array.from({ length: 150 }, () => hash('x')))
  const refused = results.filter(r => r.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every(r => r.reason instanceof Overloaded)).toBe(true)
  expect(results.some(r => r.status === 'fulfilled')).toBe(true)
  const [busy] = await Promise.all([
    h.browser().call('POST', '/api/register/player', somebody()),
    ...Array.from({ length: 150 }, () => hash('x').catch(() => {})),
  ])
  expect([201, 503]).toContain(busy.status)
  await hash('the queue is empty again')
})
