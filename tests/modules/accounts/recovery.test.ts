import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEmailedLinkToken, findEmailedLink } from '../../../modules/accounts/emailed-links.ts'
import { setGuardianBeforeConsent } from '../../../modules/accounts/guardian-tables.ts'
import { forgetOldDevices, isKnownDevice, rememberDevice } from '../../../modules/accounts/known-devices-for-login-limit.ts'
import { hashPassword, verifyPassword } from '../../../modules/accounts/passwords.ts'
import {
  requestAccountRecovery,
  resetLinkOwnerForPasswordCheck,
  scheduleAccountRecoveryLetters,
  resetPassword as setPassword,
} from '../../../modules/accounts/recovery.ts'
import type { Errand } from '../../../modules/kernel/process.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

const now = new Date('2026-03-01T12:00:00.000Z')
let postedErrands: Errand[]
const post = async (_: unknown, errands: Errand[]) => postedErrands.push(...errands)
beforeEach(() => {
  postedErrands = []
})
async function createUser(more: Record<string, unknown> = {}) {
  const id = randomUUID()
  const usual = { id, role: 'player', username: `${id}@example.com`, email: `${id}@Example.com`, password: 'x', first_name: 'Ana' }
  await db.sql`insert into users ${db.sql({ ...usual, last_name: 'García', command: randomUUID(), created: now, ...more })}`
  return id
}

describe('a recovery request', () => {
  const ids = new Set<string>()
  /** Expects that the errand has a new id: the outbox would skip an errand with the id of a completed one. */
  const expectNewErrandId = ({ id }: Errand) => {
    expect(ids.has(id)).toBe(false)
    ids.add(id)
  }
  const ask = async (what: Parameters<typeof requestAccountRecovery>[2]) => {
    await requestAccountRecovery(db.sql, post, what, now)
    const [errand] = postedErrands.splice(0) as [Errand]
    expect(errand).toMatchObject({ kind: 'account.recover', payload: { recovery: expect.any(String) } })
    expectNewErrandId(errand)
    return errand.payload.recovery as string
  }
  const looked = async (recovery: string) => {
    await scheduleAccountRecoveryLetters(db.sql, post, recovery, now)
    expect(await db.sql`select 1 from recoveries where id = ${recovery}`).toHaveLength(0)
    postedErrands.forEach(expectNewErrandId)
    return postedErrands.splice(0)
  }
  const byPassword = (id: string) => ask({ kind: 'password', email: `${id.toUpperCase()}@example.COM` })

  test('by a guardian sends a link that leads back to the page they were on', async () => {
    const id = await createUser({ born: '2012-05-05' })
    const email = `${randomUUID()}@example.com`
    const byGuardian = () => ask({ kind: 'family', email: email.toUpperCase(), page: '/family/children' })
    expect(await looked(await byGuardian())).toEqual([])
    await setGuardianBeforeConsent(db.sql, id, { name: 'Pat', email }, now)
    const [letter] = await looked(await byGuardian())
    const [guardian] = await db.sql<{ id: string }[]>`select id from guardians where email = ${email}`
    expect(letter).toMatchObject({ kind: 'letter.family-sign-in', payload: { guardian: guardian!.id, page: '/family/children' } })
    const works = () => db.sql`select 1 from links where kind = 'family-sign-in' and guardian = ${guardian!.id}`
    expect(await works()).toHaveLength(1)
    await looked(await byGuardian())
    expect(await works()).toHaveLength(1)
    await db.sql`update guardianships set until = now() where player = ${id}`
    expect(await looked(await byGuardian())).toEqual([])
  })
  test('is stored together with its errand or not at all', async () => {
    const broken = () => Promise.reject(new Error('gone'))
    const email = `${randomUUID()}@example.com`
    await expect(requestAccountRecovery(db.sql, broken, { kind: 'password', email }, now)).rejects.toThrow('gone')
    expect(await db.sql`select 1 from recoveries where asked ->> 'email' = ${email}`).toHaveLength(0)
  })
  test('for a password sends a link that works once and replaces the earlier one', async () => {
    const [id, other] = [await createUser(), await createUser()]
    const first = await createEmailedLinkToken(db.sql, now, 'reset-password', { owner: id })
    const theirs = await createEmailedLinkToken(db.sql, now, 'reset-password', { owner: other })
    const recovery = await byPassword(id)
    const [letter, ...more] = await looked(recovery)
    expect([letter!.kind, letter!.payload.user, more]).toEqual(['letter.reset-password', id, []])
    const [link] = await db.sql`select id, owner from links where id = ${letter!.payload.link as string}`
    expect(link).toMatchObject({ owner: id })
    expect(await findEmailedLink(db.sql, now, 'reset-password', first.token)).toBeNull()
    expect(await findEmailedLink(db.sql, now, 'reset-password', theirs.token)).not.toBeNull()
    expect(await looked(recovery)).toEqual([])
    expect((await looked(await byPassword(id))).map(e => e.kind)).toEqual(['letter.reset-password'])
  })
  test('for a password sends and stores nothing if there is no account', async () => {
    expect(await looked(await byPassword(randomUUID()))).toEqual([])
  })
  test('for an email by phone and names sends a letter to each match, at most five', async () => {
    const digits = `${Math.random()}`.slice(2, 6).padEnd(4, '0')
    const family = { phone: `+1 (555) 301-${digits}`, last_name: 'Quist' }
    const [maya, twin] = [await createUser({ ...family, first_name: 'Maya' }), await createUser({ ...family, first_name: 'MAYA' })]
    await createUser({ ...family, first_name: 'Theo' })
    const by = { kind: 'email', phone: `555.301.${digits}`, firstName: 'maya', lastName: 'QUIST' } as const
    const letters = await looked(await ask(by))
    expect(letters.map(e => [e.kind, e.payload.user]).sort()).toEqual([maya, twin].map(id => ['letter.your-email', id]).sort())
    for (const wrong of [{ firstName: 'Mia' }, { lastName: 'Quinn' }, { phone: `555.302.${digits}` }])
      expect(await looked(await ask({ ...by, ...wrong }))).toEqual([])
    for (let n = 0; n < 4; n++) await createUser({ ...family, first_name: 'Maya' })
    expect(await looked(await ask(by))).toHaveLength(5)
  })
})

describe('a new password', () => {
  /** The owners for whom `setPassword` ran its callback, which works in the transaction that sets the password. */
  let then: string[]
  const reset = (token: string, password: string, also = async (_: unknown, owner: string) => void then.push(owner)) =>
    setPassword(db.sql, token, password, now, also)
  beforeEach(() => {
    then = []
  })
  const passwordOf = async (id: string) => (await db.sql<{ password: string }[]>`select password from users where id = ${id}`)[0]!.password
  test("is set once with the owner's link, which also forgets known browsers", async () => {
    const [id, other] = [await createUser({ password: await hashPassword('the old one') }), await createUser({ password: 'theirs' })]
    const [mine, theirs] = [await rememberDevice(db.sql, id, undefined, now), await rememberDevice(db.sql, other, undefined, now)]
    const { token } = await createEmailedLinkToken(db.sql, now, 'reset-password', { owner: id })
    expect(await reset(token, 'the new one')).toBe(id)
    expect([await verifyPassword('the new one', await passwordOf(id)), await passwordOf(other)]).toEqual([true, 'theirs'])
    expect(await isKnownDevice(db.sql, mine, `${id}@example.com`, now)).toBe(false)
    expect(await isKnownDevice(db.sql, theirs, `${other}@example.com`, now)).toBe(true)
    expect(await reset(token, 'another one')).toBeNull()
    expect(then).toEqual([id])
  })
  test('is set only once if two requests use the same link at the same moment', async () => {
    const id = await createUser()
    const { token } = await createEmailedLinkToken(db.sql, now, 'reset-password', { owner: id })
    const both = await Promise.all(['the first one', 'the second one'].map(password => reset(token, password)))
    expect(both.toSorted()).toEqual([id, null])
  })
  test('is not set if sessions cannot be ended, and then the link still works', async () => {
    const id = await createUser()
    const { token } = await createEmailedLinkToken(db.sql, now, 'reset-password', { owner: id })
    await expect(reset(token, 'the new one', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
    expect([await passwordOf(id), await reset(token, 'the new one')]).toEqual(['x', id])
  })
  test("is compared with the email and names of the link's owner", async () => {
    const id = await createUser()
    const { token } = await createEmailedLinkToken(db.sql, now, 'reset-password', { owner: id })
    const { token: other } = await createEmailedLinkToken(db.sql, now, 'guardian', { owner: id })
    expect(await resetLinkOwnerForPasswordCheck(db.sql, token, now)).toEqual({
      email: `${id}@Example.com`,
      firstName: 'Ana',
      lastName: 'García',
    })
    for (const wrong of [other, 'x']) expect(await resetLinkOwnerForPasswordCheck(db.sql, wrong, now)).toEqual({})
  })
  test('can be set only with a link for resetting a password', async () => {
    const id = await createUser()
    const { token } = await createEmailedLinkToken(db.sql, now, 'guardian', { owner: id })
    expect([await reset(token, 'the new one'), await reset('x', 'the new one'), await passwordOf(id)]).toEqual([...[null, null, 'x']])
  })
})

describe('a browser in which somebody has signed in', () => {
  const DAY = 24 * 3600_000
  const later = (days: number, ms = 0) => new Date(now.getTime() + days * DAY + ms)
  test('is known for its account, in any spelling, for 90 days after its last use', async () => {
    const [id, other] = [await createUser(), await createUser()]
    const token = await rememberDevice(db.sql, id, undefined, now)
    const known = (days: number, ms = 0, name = `${id}@example.com`) => isKnownDevice(db.sql, token, name, later(days, ms))
    expect([await known(90, -1), await known(90)]).toEqual([true, false])
    expect([await known(1, 0, ` ${id.toUpperCase()}@EXAMPLE.com `), await known(1, 0, `${other}@example.com`)]).toEqual([true, false])
    expect(await isKnownDevice(db.sql, 'x', `${id}@example.com`, now)).toBe(false)
    expect(await rememberDevice(db.sql, id, token, later(60))).toBe(token)
    expect([await known(150, -1), await known(150)]).toEqual([true, false])
  })
  test('keeps its token for the next person who signs in, but not a made-up token', async () => {
    const [id, other] = [await createUser(), await createUser()]
    const token = await rememberDevice(db.sql, id, undefined, now)
    expect(await rememberDevice(db.sql, other, token, now)).toBe(token)
    for (const name of [id, other]) expect(await isKnownDevice(db.sql, token, `${name}@example.com`, now)).toBe(true)
    const made = await rememberDevice(db.sql, id, 'made up', now)
    expect([made.length, made === token]).toEqual([43, false])
    expect(await isKnownDevice(db.sql, 'made up', `${id}@example.com`, now)).toBe(false)
  })
  test('is forgotten if twenty others of the account were used more recently', async () => {
    const [id, other] = [await createUser(), await createUser()]
    const theirs = await rememberDevice(db.sql, other, undefined, later(-1))
    const tokens: string[] = []
    for (let n = 0; n < 21; n++) tokens.push(await rememberDevice(db.sql, id, undefined, later(0, n)))
    const known = await Promise.all(tokens.map(token => isKnownDevice(db.sql, token, `${id}@example.com`, now)))
    expect(known.map((is, n) => (is ? null : n)).filter(n => n !== null)).toEqual([0])
    expect(await isKnownDevice(db.sql, theirs, `${other}@example.com`, now)).toBe(true)
  })
  test('is forgotten when it expires, and other browsers are not', async () => {
    const [id, other] = [await createUser(), await createUser()]
    await rememberDevice(db.sql, id, undefined, later(-90))
    await rememberDevice(db.sql, other, undefined, later(-90, 1))
    await forgetOldDevices(db.sql, now)
    expect(await db.sql`select owner from devices where owner in (${id}, ${other})`).toEqual([{ owner: other }])
  })
})
