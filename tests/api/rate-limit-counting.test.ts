import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Problem } from '../../src/api/problem.ts'
import { clientAddressPrefix, clientNetworkSlash24OrSlash48, rateLimits } from '../../src/api/rate-limits.ts'
import { createTestDatabase } from '../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
let times = 0
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

test('limits hold for an address, its network, and an account, across all processes', async () => {
  const [here, there, one] = [rateLimits(db.sql), rateLimits(db.sql), ++times]
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
  expect(await refusals(12, i => (i % 2 ? here : there).take('recovery', `192.0.${one}.1`))).toBe(2)
  expect(await refusals(1, () => here.take('recovery', `192.0.${one}.2`))).toBe(0)
  expect(await refusals(45, i => here.take('recovery', `198.51.${one}.${i}`))).toBe(5)
  expect(
    await refusals(7, i => there.take('recovery', `203.${one}.${i}.1`, i % 2 ? `Ana${one}@example.com ` : `ANA${one}@Example.com`)),
  ).toBe(2)
  const long = `${one}-`.padEnd(200, 'x')
  expect(await refusals(7, i => there.take('recovery', `203.${one}.${100 + i}.1`, `${long}${i}`))).toBe(2)
  expect(await refusals(5, i => there.take('recovery', `203.${one}.${200 + i}.1`, `${long.slice(0, 199)}${i}`))).toBe(0)
})
test('limits are independent of each other, and RATE_LIMIT_SCALE multiplies each', async () => {
  const [all, wide, one] = [rateLimits(db.sql), rateLimits(db.sql, 2), ++times]
  const most = async (n: number, take: (i: number) => Promise<void>) => {
    for (let i = 0; i < n; i++) await take(i)
    await expect(take(n)).rejects.toBeInstanceOf(Problem)
  }
  await most(10, () => all.take('recovery', `10.${one}.0.1`))
  await most(20, () => all.take('leads', `10.${one}.0.1`))
  await most(40, i => all.take('recovery', `11.${one}.0.${i}`))
  await most(60, i => all.take('check-email', `11.${one}.0.${i}`))
  await most(5, i => all.take('recovery', `12.${one}.${i}.1`, `ana-${one}`))
  await most(5, i => all.take('guardian', `12.${one}.${i}.1`, `ana-${one}`))
  await most(20, () => wide.take('recovery', `13.${one}.0.1`))
})
test('limits still hold while their store is unavailable', async () => {
  const away = rateLimits(Object.assign(async () => [], { unsafe: () => Promise.reject(new Error('gone')) }) as never)
  for (let i = 0; i < 10; i++) await away.take('recovery', '192.0.2.9')
  await expect(away.take('recovery', '192.0.2.9')).rejects.toBeInstanceOf(Problem)
  const wide = rateLimits(Object.assign(async () => [], { unsafe: () => Promise.reject(new Error('gone')) }) as never, 2)
  for (let i = 0; i < 20; i++) await wide.take('recovery', '192.0.2.9')
  await expect(wide.take('recovery', '192.0.2.9')).rejects.toBeInstanceOf(Problem)
})
test('a client over a limit causes no query until the limit ends', async () => {
  let queries = 0
  const counted = Object.assign(() => {}, {
    unsafe: (...query: [string]) => {
      queries++
      return db.sql.unsafe(...query)
    },
  })
  const own = rateLimits(counted as never)
  const tries = async (n: number) => {
    for (let i = 0; i < n; i++) await own.take('picture', '', `somebody-${times}`).catch(() => {})
    return queries
  }
  times++
  const before = await tries(32)
  expect([before, await tries(9)]).toEqual([31, 31])
})
test('limits are counted by address and by network', () => {
  expect([clientAddressPrefix('192.0.2.7'), clientNetworkSlash24OrSlash48('192.0.2.7')]).toEqual(['192.0.2.7', '192.0.2'])
  expect([clientAddressPrefix('::ffff:192.0.2.7'), clientNetworkSlash24OrSlash48('::ffff:192.0.2.7')]).toEqual(['192.0.2.7', '192.0.2'])
  expect([clientAddressPrefix('2001:db8:1:2:3::1'), clientNetworkSlash24OrSlash48('2001:db8:1:2:3::1')]).toEqual([
    '2001:db8:1:2',
    '2001:db8:1',
  ])
  expect(clientAddressPrefix('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(clientAddressPrefix('2001:db8:1:2::'))
  expect(clientAddressPrefix('::1')).toBe('0:0:0:0')
  expect(clientAddressPrefix('2001::abcd:1')).toBe('2001:0:0:0')
  expect(clientAddressPrefix('1::2:3:4:5:6:7')).toBe('1:0:2:3')
  expect(clientAddressPrefix('1:2:3:4:5:6:7:8')).toBe('1:2:3:4')
  expect(clientAddressPrefix('1:2::')).toBe('1:2:0:0')
  expect(clientAddressPrefix('1::2:3:192.0.2.7')).toBe('1:0:0:0')
  expect(clientAddressPrefix('fe80::1%eth0:1:2')).toBe('fe80:0:0:0')
  expect(clientAddressPrefix('a:b:c:d:e')).toBe('a:b:c:d:e')
  expect(clientAddressPrefix('')).toBe('')
})
test("a port that a proxy appends does not change a client's address", () => {
  expect([clientAddressPrefix('192.0.2.7:4711'), clientNetworkSlash24OrSlash48('192.0.2.7:4711')]).toEqual(['192.0.2.7', '192.0.2'])
  expect([clientAddressPrefix('[2001:db8:1:2::9]:4711'), clientNetworkSlash24OrSlash48('[2001:db8:1:2::9]')]).toEqual([
    '2001:db8:1:2',
    '2001:db8:1',
  ])
  expect(clientAddressPrefix('::ffff:192.0.2.7:4711')).toBe('192.0.2.7')
  expect(clientAddressPrefix('192.0.2.70:4711')).toBe('192.0.2.70')
})
test('a list of addresses is not mistaken for one address', () => {
  for (const list of ['192.0.2.7:4711, 10.0.0.1', '[2001:db8::9]:4711, 10.0.0.1', '10.0.0.1, [2001:db8::9]:4711'])
    expect(clientAddressPrefix(list)).toBe(list)
})

/** For each rule: its period in seconds, and how many requests an address, a network and an account may make in it. */
const RULES = {
  login: [300, 30, 120, 100],
  picture: [3600, undefined, undefined, 30],
  'known-device': [300, undefined, undefined, 30],
  register: [3600, 30, 120, undefined],
  'check-email': [60, 20, 60, undefined],
  recovery: [3600, 10, 40, 5],
  leads: [3600, 20, 100, undefined],
  support: [3600, 60, 200, 20],
  link: [3600, 60, 200, undefined],
  assign: [3600, undefined, undefined, 60],
  provider: [3600, undefined, undefined, 100],
  upload: [3600, undefined, undefined, 200],
  voice: [3600, undefined, undefined, 400],
  shared: [3600, 120, 600, undefined],
  'review-video': [3600, undefined, undefined, 30],
  guardian: [3600, 20, 60, 5],
  export: [24 * 3600, undefined, undefined, 3],
  page: [3600, undefined, undefined, 300],
  change: [3600, undefined, undefined, 600],
} as const

describe.each(Object.entries(RULES))('%s', (what, [seconds, address, network, account]) => {
  // These limits count in their own memory, because their database always fails.
  const away = () => rateLimits(Object.assign(async () => [], { unsafe: () => Promise.reject(new Error('gone')) }) as never)
  const untilRefused = async (take: (i: number) => Promise<void>) => {
    for (let i = 0; i < 1000; i++) {
      const refused = await take(i).then(
        () => undefined,
        error => error as Problem,
      )
      if (refused) return { most: i, after: Number(refused.headers['retry-after']) }
    }
    return { most: undefined, after: undefined }
  }
  // By the time of the first refusal, a few seconds of the period may have passed.
  const expected = (most: number | undefined) =>
    most === undefined ? { most, after: undefined } : { most, after: expect.toSatisfy((s: number) => s <= seconds && s > seconds - 20) }
  type What = Parameters<ReturnType<typeof rateLimits>['take']>[0]

  test('allows exactly the limit until the period ends', async () => {
    const [one, two, three] = [away(), away(), away()]
    expect(await untilRefused(() => one.take(what as What, '192.0.2.1'))).toEqual(expected(address))
    expect(await untilRefused(i => two.take(what as What, `192.0.2.${i % 256}`))).toEqual(expected(network))
    expect(await untilRefused(i => three.take(what as What, `10.${i >> 8}.${i & 255}.1`, 'somebody'))).toEqual(expected(account))
  })
})
