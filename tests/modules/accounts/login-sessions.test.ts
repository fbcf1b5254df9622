import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isKnownDevice, rememberDevice } from '../../../modules/accounts/known-devices-for-login-limit.ts'
import { deviceName, type LoginSessions, loginSessions } from '../../../modules/accounts/login-sessions.ts'
import { createTestDatabase } from '../../support/postgres.ts'
import { insertPlayer } from './insert-player.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

let db: Awaited<ReturnType<typeof createTestDatabase>>
/** Two processes on one database. Their clock moves only when a test moves it, so that nothing expires unexpectedly. */
let processA: LoginSessions
let processB: LoginSessions
let now = Date.now()
beforeAll(async () => {
  db = await createTestDatabase()
  const clock = () => new Date(now)
  ;[processA, processB] = [loginSessions(db.sql, clock), loginSessions(db.sql, clock)]
  await Promise.all([processA.listening, processB.listening])
})
afterAll(async () => {
  await Promise.all([processA.stop(), processB.stop()])
  await db.end()
})

/** Starts a session and looks it up in both processes, so that both cache it. */
async function cachedSession(owner: string) {
  const token = await processA.start(owner, 'Firefox')
  const [one, two] = await Promise.all([processA.find(token), processB.find(token)])
  expect([one?.id, two?.id]).toEqual([owner, owner])
  return { token, session: one!.session }
}
const expectEnded = (token: string, from = [processA, processB]) =>
  expect.poll(() => Promise.all(from.map(s => s.find(token))), { interval: 20 }).toEqual(from.map(() => null))
/** Changes sessions without a notification from the database. */
const withoutNotifications = (change: (tx: TransactionSql) => Promise<unknown>) =>
  db.sql.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await change(tx)
  })

describe('a session ends in every process', () => {
  test('when its owner ends it', async () => {
    const owner = await insertPlayer(db.sql)
    const [one, other] = [await cachedSession(owner), await cachedSession(owner)]
    expect(await processA.end(await insertPlayer(db.sql), one.session)).toBe(false)
    expect((await processA.find(one.token))?.session).toBe(one.session)
    expect(await processA.end(owner, one.session)).toBe(true)
    expect(await processA.end(owner, one.session)).toBe(false)
    expect(await processA.find(one.token)).toBeNull()
    await expectEnded(one.token)
    expect([(await processA.find(other.token))?.session, (await processB.find(other.token))?.session]).toEqual([
      other.session,
      other.session,
    ])
  })
  test('when its owner signs out everywhere else; in this process immediately', async () => {
    const owner = await insertPlayer(db.sql)
    const [kept, one, two] = [await cachedSession(owner), await cachedSession(owner), await cachedSession(owner)]
    const stranger = await cachedSession(await insertPlayer(db.sql))
    await processA.endAll(owner, kept.session)
    expect(await Promise.all([one, two].map(s => processA.find(s.token)))).toEqual([null, null])
    await Promise.all([expectEnded(one.token), expectEnded(two.token)])
    for (const s of [processA, processB]) {
      expect((await s.find(kept.token))?.session).toBe(kept.session)
      expect((await s.find(stranger.token))?.session).toBe(stranger.session)
    }
  })
  test.each<[string, (s: { owner: string; session: string }) => Promise<unknown>]>([
    ['deleted in the database', ({ session }) => db.sql`delete from sessions where id = ${session}`],
    ['gone with its owner', ({ owner }) => db.sql`delete from users where id = ${owner}`],
    ['cut short', ({ session }) => db.sql`update sessions set expires = ${new Date(now - 1)} where id = ${session}`],
  ])('when it is ended elsewhere: %s', async (_, ends) => {
    const owner = await insertPlayer(db.sql)
    const [it, other] = [await cachedSession(owner), await cachedSession(await insertPlayer(db.sql))]
    await ends({ owner, session: it.session })
    await expectEnded(it.token)
    expect((await processB.find(other.token))?.session).toBe(other.session)
  })
  test('even while it is being looked up', async () => {
    const owner = await insertPlayer(db.sql)
    const token = await processA.start(owner, 'Firefox')
    const { session } = (await processA.find(token))!
    // The response to a lookup is delayed until every process knows that the session has ended.
    const { promise: told, resolve: tell } = Promise.withResolvers<void>()
    const slow = Object.assign(
      async (...args: Parameters<typeof db.sql>) => {
        const rows = await db.sql(...args)
        await told
        return rows
      },
      { listen: db.sql.listen },
    )
    const late = loginSessions(slow as never, () => new Date(now))
    await late.listening
    const found = late.find(token)
    const heard = Promise.withResolvers<void>()
    await db.sql.listen('sessions_ended', () => heard.resolve())
    await db.sql`delete from sessions where id = ${session}`
    await heard.promise
    tell()
    await found
    expect(await late.find(token)).toBeNull()
    await late.stop()
  })
})

test('a session that ended while a process was offline ends when it reconnects', async () => {
  const [one, other] = [await cachedSession(await insertPlayer(db.sql)), await cachedSession(await insertPlayer(db.sql))]
  await withoutNotifications(tx => tx`delete from sessions where id = ${one.session}`)
  expect((await processA.find(one.token))?.session).toBe(one.session)
  await db.sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
  await expectEnded(one.token)
  expect((await processA.find(other.token))?.session).toBe(other.session)
})

test('an unknown token, or one whose lookup failed, is looked up again next time', async () => {
  const token = await processA.start(await insertPlayer(db.sql), 'Firefox')
  let answer = (): unknown => []
  const late = loginSessions(Object.assign(async () => answer(), { listen: db.sql.listen }) as never, () => new Date(now))
  // When the process starts to listen, it empties its cache.
  await late.listening
  expect(await late.find(token)).toBeNull()
  answer = () => {
    throw new Error('gone')
  }
  await expect(late.find(token)).rejects.toThrow('gone')
  answer = () => [
    { id: 'ana', role: 'player', session: 'one', lastUsed: new Date(now).toISOString(), expires: new Date(now + DAY_MS).toISOString() },
  ]
  expect(await late.find(token)).toMatchObject({ id: 'ana' })
  await late.stop()
})

test('a late lookup result does not override newer information', async () => {
  const held = Promise.withResolvers<unknown[]>()
  let asked = 0
  const answers = async () => (asked++ ? [await row()] : held.promise)
  const row = async () => {
    const at = new Date(now).toISOString()
    return { id: 'ana', role: 'player', session: 'one', lastUsed: at, expires: new Date(now + DAY_MS).toISOString() }
  }
  const late = loginSessions(Object.assign(answers, { listen: db.sql.listen }) as never, () => new Date(now))
  await late.listening
  const first = late.find('token')
  now += 30_000
  expect(await late.find('token')).toMatchObject({ session: 'one' })
  held.resolve([])
  expect(await first).toBeNull()
  expect(await late.find('token')).toMatchObject({ session: 'one' })
  expect(asked).toBe(2)
  await late.stop()
})

test('the process that ends a session needs no notification; a stopped cache gets none', async () => {
  const deaf = loginSessions(
    Object.assign((...args: Parameters<typeof db.sql>) => db.sql(...args), { listen: async () => ({ unlisten: async () => {} }) }) as never,
    () => new Date(now),
  )
  const stopped = loginSessions(db.sql, () => new Date(now))
  await stopped.listening
  const owner = await insertPlayer(db.sql)
  const all = [await cachedSession(owner), await cachedSession(owner), await cachedSession(owner)]
  for (const { token } of all) for (const s of [deaf, stopped]) await s.find(token)
  await stopped.stop()
  expect(await deaf.end(owner, all[0]!.session)).toBe(true)
  expect(await deaf.find(all[0]!.token)).toBeNull()
  expect(await deaf.find(all[1]!.token)).not.toBeNull()
  await deaf.endAll(owner, all[2]!.session)
  expect(await deaf.find(all[1]!.token)).toBeNull()
  expect(await deaf.find(all[2]!.token)).not.toBeNull()
  await Promise.all([expectEnded(all[0]!.token), expectEnded(all[1]!.token)])
  expect((await stopped.find(all[0]!.token))?.session).toBe(all[0]!.session)
})

test('the session cache keeps at most 20,000 sessions', async () => {
  let asked = 0
  const row = () => {
    const at = new Date(now).toISOString()
    return [{ id: 'ana', role: 'player', session: `session ${++asked}`, lastUsed: at, expires: new Date(now + DAY_MS).toISOString() }]
  }
  const full = loginSessions(Object.assign(async () => row(), { listen: db.sql.listen }) as never, () => new Date(now))
  await full.listening
  for (let i = 0; i < 20_000; i++) await full.find(`token ${i}`)
  await full.find('token 0')
  expect(asked).toBe(20_000)
  await full.find('one more')
  expect(asked).toBe(20_001)
  await full.find('token 0')
  expect(asked).toBe(20_002)
  await full.stop()
})

test('a cached session is read without a query until it expires', async () => {
  const owner = await insertPlayer(db.sql)
  const { token, session } = await cachedSession(owner)
  await db.sql`update users set role = 'instructor' where id = ${owner}`
  expect((await processA.find(token))?.role).toBe('player')
  now += 29_999
  expect((await processA.find(token))?.role).toBe('player')
  now += 1
  expect((await processA.find(token))?.role).toBe('instructor')
  // No notification is sent, so the cache still has what it last read.
  await withoutNotifications(tx => tx`update sessions set expires = ${new Date(now + 40_000)} where id = ${session}`)
  now += 30_000
  expect(await processA.find(token)).toMatchObject({ session })
  now += 9_999
  expect(await processA.find(token)).toMatchObject({ session })
  now += 1
  expect(await processA.find(token)).toBeNull()
})

test('using a session extends only that session, at most once an hour', async () => {
  const owner = await insertPlayer(db.sql)
  const [used, idle] = [await cachedSession(owner), await cachedSession(owner)]
  const ends = async () => {
    const rows = await db.sql<
      { id: string; expires: string; last_used: string }[]
    >`select id, expires, last_used from sessions where owner = ${owner}`
    const of = (id: string) => rows.find(row => row.id === id)!
    return [of(used.session), of(idle.session)].map(r => [Date.parse(r.expires), Date.parse(r.last_used)])
  }
  const began = now
  now += HOUR_MS
  await processA.find(used.token)
  expect(await ends()).toEqual([
    [began + 30 * DAY_MS, began],
    [began + 30 * DAY_MS, began],
  ])
  now = began + HOUR_MS + 60_000
  await processA.find(used.token)
  expect(await ends()).toEqual([
    [now + 30 * DAY_MS, now],
    [began + 30 * DAY_MS, began],
  ])
  now = began + 30 * DAY_MS - 1
  expect(await processA.find(idle.token)).not.toBeNull()
})

test('expired sessions are not listed, and the most recently used one is first', async () => {
  const owner = await insertPlayer(db.sql)
  const first = await cachedSession(owner)
  now += DAY_MS
  const second = await cachedSession(owner)
  expect((await processA.of(owner)).map(s => s.id)).toEqual([second.session, first.session])
  now += 2 * HOUR_MS
  await processB.find(first.token)
  expect((await processA.of(owner)).map(s => s.id)).toEqual([first.session, second.session])
  now += 30 * DAY_MS - HOUR_MS
  expect((await processA.of(owner)).map(s => s.id)).toEqual([first.session])
  now += 2 * HOUR_MS
  expect(await processA.of(owner)).toEqual([])
})

test('an account knows its last 20 browsers for 90 days; accounts may share a browser', async () => {
  const [ana, ben] = [await insertPlayer(db.sql), await insertPlayer(db.sql)]
  const at = (days: number) => new Date(now + days * DAY_MS)
  const knows = (token: string, owner: string, when = at(0)) => isKnownDevice(db.sql, token, ` ${owner.toUpperCase()}@example.com`, when)
  const token = await rememberDevice(db.sql, ana, undefined, at(0))
  expect([await knows(token, ana), await knows(token, ben), await knows('x'.repeat(43), ana)]).toEqual([true, false, false])
  expect([await knows(token, ana, at(89)), await knows(token, ana, at(90))]).toEqual([true, false])
  // A family shares one browser; a token that we did not issue is replaced.
  expect(await rememberDevice(db.sql, ben, token, at(0))).toBe(token)
  expect(await knows(token, ben)).toBe(true)
  expect(await rememberDevice(db.sql, ben, 'y'.repeat(43), at(0))).not.toBe('y'.repeat(43))
  for (let i = 1; i <= 19; i++) await rememberDevice(db.sql, ana, undefined, at(i))
  expect(await knows(token, ana)).toBe(true)
  const newest = await rememberDevice(db.sql, ana, undefined, at(20))
  expect([await knows(token, ana), await knows(newest, ana), await knows(token, ben)]).toEqual([false, true, true])
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0', 'Edge on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15', 'Safari on Mac'],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  ['curl/8', 'Unknown device'],
  [null, 'Unknown device'],
])('the user agent %s is shown as %s', (agent, device) => {
  expect(deviceName(agent)).toBe(device)
})
