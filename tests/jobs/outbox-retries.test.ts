import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { enqueueErrands, outboxWorker, PermanentErrandError, retryErrand } from '../../modules/jobs/outbox.ts'
import {
  connectAsOtherProcess,
  createDeferred,
  fetchErrandRow,
  newErrand,
  setUpDatabasePerOutboxTest,
  silentLog,
  sql,
  startOutboxWorker,
  testAbort,
} from './outbox-testbed.ts'

setUpDatabasePerOutboxTest()

describe('an errand', () => {
  test('that fails is retried under the same id; until then its error can be read', async () => {
    const { promise, resolve } = createDeferred()
    const tries: { id: string; attempt: number }[] = []
    const one = newErrand()
    await enqueueErrands(sql, [one])
    const errors: unknown[] = []
    await startOutboxWorker({
      'letter.hello': async (_, about) => {
        errors.push((await fetchErrandRow(one.id)).error)
        tries.push(about)
        if (about.attempt < 3) throw new Error(`no answer (${about.attempt})`)
        resolve()
      },
    })
    await promise
    expect(tries).toEqual([1, 2, 3].map(attempt => ({ id: one.id, attempt })))
    expect(errors).toEqual([null, 'Error: no answer (1)', 'Error: no answer (2)'])
  })

  test.each([
    ['at once if the handler throws PermanentErrandError', {}, () => new PermanentErrandError('no such address'), 1],
    ['after the maximum of attempts', { maxAttempts: 3 }, () => new Error('no answer'), 3],
    ['after the maximum time', { giveUpAfter: 0 }, () => new Error('no answer'), 1],
    ['even with an error text that contains NUL', {}, () => new PermanentErrandError('it said \0'), 1],
  ])('fails permanently %s, and keeps its error', async (_, options, error, attempts) => {
    let tries = 0
    const one = newErrand()
    const work = await startOutboxWorker(
      {
        'letter.hello': async () => {
          tries++
          throw error()
        },
      },
      options,
    )
    await work.post(sql, [one])
    do await work.idle()
    while ((await fetchErrandRow(one.id)).failed === null)
    expect(tries).toBe(attempts)
    expect(await fetchErrandRow(one.id)).toMatchObject({
      done: null,
      attempt: attempts,
      error: expect.stringMatching(error().message.replace('\0', '')),
    })
    await work.post(sql, [one])
    await work.idle()
    expect(tries).toBe(attempts)
  })

  test('that failed permanently is retried immediately on request, but no other one is', async () => {
    const [one, other, done] = [newErrand(), newErrand(), newErrand({ kind: 'letter.bye' })]
    let isProviderDown = true
    const tries: string[] = []
    const work = await startOutboxWorker(
      {
        'letter.hello': async (_, { id }) => {
          tries.push(id)
          if (isProviderDown) throw new Error('no answer')
        },
        'letter.bye': async () => {},
      },
      { giveUpAfter: 0 },
    )
    await work.post(sql, [one, other, done])
    do await work.idle()
    while ((await fetchErrandRow(one.id)).failed === null || (await fetchErrandRow(other.id)).failed === null)
    expect(await retryErrand(sql, one.id)).toBe(true)
    do await work.idle()
    while ((await fetchErrandRow(one.id)).failed === null)
    expect(await fetchErrandRow(one.id)).toMatchObject({ attempt: 2, done: null, error: 'Error: no answer' })
    isProviderDown = false
    expect(await retryErrand(sql, one.id)).toBe(true)
    await work.idle()
    expect(await fetchErrandRow(one.id)).toMatchObject({ attempt: 3, done: expect.any(String), failed: null, error: null })
    expect(await fetchErrandRow(other.id)).toMatchObject({ attempt: 1, done: null })
    const before = await fetchErrandRow(done.id)
    for (const id of [one.id, done.id, randomUUID()]) expect(await retryErrand(sql, id)).toBe(false)
    expect(await fetchErrandRow(done.id)).toEqual(before)
    await work.idle()
    expect(tries).toEqual(expect.arrayContaining([one.id, one.id, one.id, other.id]))
    expect(tries).toHaveLength(4)
  })

  test('is logged with its attempt each time that it fails, and when it succeeds', async () => {
    const one = newErrand()
    const lines: object[] = []
    const log = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields })
    const work = await startOutboxWorker(
      {
        'letter.hello': async (_, { attempt }) => {
          if (attempt < 3) throw new Error('no answer')
        },
      },
      { log: { info: log('info'), error: log('error'), debug: log('debug') }, maxAttempts: 2 },
    )
    await work.post(sql, [one])
    do await work.idle()
    while ((await fetchErrandRow(one.id)).failed === null)
    await retryErrand(sql, one.id)
    do await work.idle()
    while ((await fetchErrandRow(one.id)).done === null)
    const about = { errand: one.id, kind: 'letter.hello' }
    expect(lines).toEqual([
      { ...about, level: 'error', attempt: 1, err: new Error('no answer'), message: 'an errand failed and will be retried' },
      { ...about, level: 'error', attempt: 2, err: new Error('no answer'), message: 'an errand failed permanently' },
      { ...about, level: 'debug', attempt: 3, message: 'an errand was performed' },
    ])
  })

  test('waits twice as long after each failure, an hour at most, for 23 hours at most', async () => {
    const one = newErrand()
    await enqueueErrands(sql, [one])
    const work = outboxWorker(sql, { 'letter.hello': () => Promise.reject(new Error('no answer')) }, { log: silentLog })
    await work.start(testAbort.signal)
    const waits: number[] = []
    for (let tries = 1; ; tries++) {
      await work.idle()
      const [now] = await sql`
        select round(extract(epoch from due - now()))::int as wait, failed is not null as failed from errands where attempt = ${tries}`
      const { wait, failed } = now as unknown as { wait: number; failed: boolean }
      if (failed) break
      waits.push(wait)
      // Simulate that this wait is over.
      await sql`update errands set due = now(), tried = tried - ${wait} * interval '1 s'`
    }
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16])
    expect(Math.max(...waits)).toBe(3600)
    expect(waits.reduce((a, b) => a + b)).toBeGreaterThan(21 * 3600)
    expect(waits.reduce((a, b) => a + b)).toBeLessThan(23 * 3600)
  })

  test.each([
    ['rate_limit_exceeded', 0, 50],
    ['rate_limit', 1, 150],
    ['lock_timeout', 0, 50],
    ['card_declined', 0, 100],
  ])('has a jittered backoff only after a rate limit: %s, random %d', async (code, random, wait) => {
    const one = newErrand()
    await enqueueErrands(sql, [one])
    const refused = () => Promise.reject(Object.assign(new Error('Refused'), { code }))
    const work = outboxWorker(sql, { 'letter.hello': refused }, { log: silentLog, backOff: () => 100_000, random: () => random })
    await work.start(testAbort.signal)
    await work.idle()
    const [now] = await sql`select round(extract(epoch from due - now()))::int as wait from errands where id = ${one.id}`
    expect(now).toEqual({ wait })
  })

  test('that meets an outage is retried within seconds, for the same total time', async () => {
    const one = newErrand()
    await enqueueErrands(sql, [one])
    const failToConnect = () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }))
    const work = outboxWorker(sql, { 'letter.hello': failToConnect }, { log: silentLog, maxAttempts: 3 })
    await work.start(testAbort.signal)
    for (let tries = 1; tries < 8; tries++) {
      await work.idle()
      const [now] = await sql`select round(extract(epoch from due - now()))::int as wait, failed, attempt from errands`
      expect(now).toEqual({ wait: [1, 2, 4, 4, 4, 4, 4][tries - 1], failed: null, attempt: tries })
      await sql`update errands set due = now()`
    }
    await work.idle()
    await sql`update errands set due = now(), tried = tried - interval '23 hours'`
    await work.idle()
    expect(await fetchErrandRow(one.id)).toMatchObject({ failed: expect.any(String) })
  })

  test('that fails while its lease is renewed is not retried before its backoff ends', async () => {
    const [heartbeatSent, renewed, failing] = [createDeferred(), createDeferred(), createDeferred()]
    // This connection delays heartbeats until `renewed` resolves.
    const slow = new Proxy(connectAsOtherProcess(), {
      apply(pool, self, args) {
        const query = Reflect.apply(pool, self, args)
        if (!/^\s*update errands e /.test(args[0]?.[0])) return query
        heartbeatSent.resolve()
        return renewed.promise.then(() => query)
      },
    })
    const one = newErrand()
    const work = await startOutboxWorker(
      { 'letter.hello': () => failing.promise, 'letter.bye': async () => {} },
      { on: slow, lease: 30, backOffMs: 3_600_000 },
    )
    await work.post(sql, [one])
    await heartbeatSent.promise
    failing.reject(new Error('no answer'))
    await expect.poll(async () => (await sql`select due < now() as over from errands`)[0]!.over, { interval: 10 }).toBe(true)
    // A worker that polls now finds an errand whose lease has expired.
    const other = newErrand({ kind: 'letter.bye' })
    await work.post(sql, [other])
    await expect.poll(async () => (await fetchErrandRow(other.id)).attempt, { interval: 10 }).toBe(1)
    renewed.resolve()
    while ((await fetchErrandRow(one.id)).error === null) await new Promise(resolve => setImmediate(resolve))
    await work.idle()
    expect(await sql`select attempt from errands where due > now() + interval '30 minutes'`).toEqual([{ attempt: 1 }])
  })
})
