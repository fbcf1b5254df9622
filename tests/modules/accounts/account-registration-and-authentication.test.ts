import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  authenticate,
  consumeAdminRegistrationLink,
  existingAccountIds,
  hasAdmin,
  isAdminRegistrationLinkUsable,
  isEmailOfAccount,
  isUserMinor,
  isVerifiedPasswordCurrent,
  loadUser,
  registerAccount,
} from '../../../modules/accounts/account-registration-and-authentication.ts'
import { createEmailedLinkToken } from '../../../modules/accounts/emailed-links.ts'
import { currentGuardianWithConsentStatus, setGuardianBeforeConsent } from '../../../modules/accounts/guardian-tables.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())
const now = new Date('2026-03-01T12:00:00.000Z')
const nothing = async () => {}
const person = (more: object = {}) => {
  const email = `Ana.${randomUUID()}@Example.com`
  return { firstName: 'Ana', lastName: 'García', email, password: 'correct horse', dateOfBirth: '1990-05-05', ...more }
}
type Of = Parameters<typeof registerAccount>[1]
const player = (data: object) => ({ role: 'player', data }) as Of
const admin = (data: object) => ({ role: 'admin', data: { ...data, dateOfBirth: undefined, token: 'x' } }) as unknown as Of
const made = (
  of: Of,
  command: string = randomUUID(),
  then: Parameters<typeof registerAccount>[4] = nothing,
  allowed?: () => Promise<void>,
) => registerAccount(db.sql, of, command, now, then, allowed)
const rowOf = async (id: string) => (await db.sql`select *, born::text from users where id = ${id}`)[0]!
const taken = { message: 'Username already exists', code: 'username-taken', field: 'email' }

describe('an account', () => {
  test('stores the data of its owner, with the email in lower case', async () => {
    const guardian = { guardianName: 'Pat', guardianEmail: 'pat@example.com' }
    const data = person({ phone: '555 010 2030', dateOfBirth: '2012-05-05', referralCode: 'ABC', ...guardian })
    const command = randomUUID()
    const { id, password } = await made(player(data), command)
    expect(await rowOf(id)).toMatchObject({
      role: 'player',
      username: data.email.toLowerCase(),
      email: data.email,
      password,
      first_name: 'Ana',
      last_name: 'García',
      phone: '555 010 2030',
      born: '2012-05-05',
      referral_code: 'ABC',
      command,
    })
    expect(await currentGuardianWithConsentStatus(db.sql, id)).toEqual({ name: 'Pat', email: 'pat@example.com', consent: null })
    expect(await authenticate(db.sql, ` ${data.email} `, 'correct horse')).toEqual({ id, password })
    const bare = await rowOf((await made(player(person()))).id)
    expect(bare).toMatchObject({ phone: null, born: '1990-05-05', referral_code: null })
    expect(await currentGuardianWithConsentStatus(db.sql, bare.id)).toBeNull()
  })
  test('has no guardian for an instructor, and no birthday or code for an administrator', async () => {
    const more = { guardianName: 'Pat', guardianEmail: 'pat@example.com', referralCode: 'ABC' }
    const coach = await rowOf((await made({ role: 'instructor', data: person(more) } as unknown as Of)).id)
    expect(coach).toMatchObject({ role: 'instructor', born: '1990-05-05', referral_code: 'ABC' })
    const chief = await rowOf((await made({ role: 'admin', data: person(more) } as unknown as Of)).id)
    expect(chief).toMatchObject({ role: 'admin', born: null, referral_code: null })
    expect([await currentGuardianWithConsentStatus(db.sql, coach.id), await currentGuardianWithConsentStatus(db.sql, chief.id)]).toEqual([
      null,
      null,
    ])
  })
  test('exists once per email: repeating the request returns it, other requests fail', async () => {
    const data = person()
    const command = randomUUID()
    const one = await made(player(data), command)
    const closed = () => Promise.reject(new Error('closed'))
    expect(await made(player(data), command, closed, closed)).toMatchObject(one)
    await expect(made(player(data))).rejects.toMatchObject(taken)
    await expect(made(player({ ...data, password: 'another horse' }), command)).rejects.toMatchObject(taken)
    await expect(made(player({ ...data, email: data.email.toUpperCase() }))).rejects.toMatchObject(taken)
    await expect(made(player(data), randomUUID(), nothing, closed)).rejects.toThrow('closed')
    expect([await isEmailOfAccount(db.sql, ` ${data.email.toUpperCase()} `), await isEmailOfAccount(db.sql, 'nobody@example.com')]).toEqual(
      [true, false],
    )
  })
  test('is created only once by two concurrent requests', async () => {
    const data = person()
    const both = await Promise.allSettled([made(player(data)), made(player(data))])
    const [lost] = both.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
    expect([both.filter(one => one.status === 'fulfilled').length, lost]).toMatchObject([1, taken])
  })
  test('is returned to both of two concurrent requests with the same command', async () => {
    const [data, command] = [player(person()), randomUUID()]
    const [one, other] = await Promise.all([made(data, command), made(data, command)])
    expect(one).toMatchObject({ id: other.id, password: other.password })
  })
  test('is not created if a check or an accompanying step fails', async () => {
    const data = person()
    const closed = () => Promise.reject(new Error('closed'))
    await expect(made(player(data), randomUUID(), nothing, closed)).rejects.toThrow('closed')
    await expect(made(player(data), randomUUID(), closed)).rejects.toThrow('closed')
    expect(await isEmailOfAccount(db.sql, data.email)).toBe(false)
  })
  test('accepts only its own password, and after a change no longer the old one', async () => {
    const [data, other] = [person(), person({ password: 'another horse' })]
    const known = await made(player(data))
    await made(player(other))
    expect(await authenticate(db.sql, data.email, 'another horse')).toBeNull()
    expect(await authenticate(db.sql, 'nobody@example.com', 'correct horse')).toBeNull()
    const still = () => db.sql.begin(tx => isVerifiedPasswordCurrent(tx, known))
    expect(await still()).toBe(true)
    await db.sql`update users set password = 'new' where id = ${known.id}`
    expect(await still()).toBe(false)
  })
})

test('a player under 18 has a guardian who agreed or not; other users have none', async () => {
  const born = async (dateOfBirth: string) => (await made(player(person({ dateOfBirth })))).id
  const guardianOf = async (id: string) => (await loadUser(db.sql, id, now))!.guardian
  const [minor, adult] = [await born('2008-03-02'), await born('2008-03-01')]
  expect([await guardianOf(minor), await guardianOf(adult)]).toEqual(['waiting', null])
  expect([
    await isUserMinor(db.sql, minor, now),
    await isUserMinor(db.sql, adult, now),
    await isUserMinor(db.sql, randomUUID(), now),
  ]).toEqual([true, false, false])
  await setGuardianBeforeConsent(db.sql, minor, { name: 'Pat', email: 'pat@example.com' }, now)
  await db.sql`update guardianships set agreed = now() where player = ${minor}`
  expect([await guardianOf(minor), await guardianOf(adult)]).toEqual(['confirmed', null])
  const data = person()
  const { id } = await made(admin(data))
  expect(await loadUser(db.sql, id, now)).toEqual({
    id,
    username: data.email.toLowerCase(),
    role: 'admin',
    firstName: 'Ana',
    lastName: 'García',
    email: data.email,
    profilePicture: null,
    profileSlug: null,
    guardian: null,
  })
  expect(await loadUser(db.sql, randomUUID(), now)).toBeNull()
})

test('only ids of accounts are found among the ids that are looked up', async () => {
  const { id } = await made(player(person()))
  expect(await existingAccountIds(db.sql)([randomUUID(), id])).toEqual(new Set([id]))
})

describe('an administrator', () => {
  beforeEach(() => db.sql`delete from users where role = 'admin'`)
  const enters = (token: string, self: string = randomUUID()) => db.sql.begin(tx => consumeAdminRegistrationLink(tx, token, now, self))
  test('may register with the setup link only while there is no other administrator', async () => {
    expect(await hasAdmin(db.sql)).toBe(false)
    const [setup, spare] = [
      await createEmailedLinkToken(db.sql, now, 'admin-setup'),
      await createEmailedLinkToken(db.sql, now, 'admin-setup'),
    ]
    expect([
      await isAdminRegistrationLinkUsable(db.sql, setup.token, now),
      await isAdminRegistrationLinkUsable(db.sql, 'x', now),
      await enters('x'),
    ]).toEqual([true, false, null])
    const self = (await made(admin(person()))).id
    expect([await hasAdmin(db.sql), await isAdminRegistrationLinkUsable(db.sql, setup.token, now)]).toEqual([true, false])
    expect([await enters(setup.token, self), await enters(setup.token, self), await enters(spare.token)]).toEqual([setup.id, null, null])
  })
  test('is registered only once if two people use setup links at the same moment', async () => {
    const links = [await createEmailedLinkToken(db.sql, now, 'admin-setup'), await createEmailedLinkToken(db.sql, now, 'admin-setup')]
    const enter = ({ token }: { token: string }) =>
      made(admin(person()), randomUUID(), async (tx, id) => {
        if (!(await consumeAdminRegistrationLink(tx, token, now, id))) throw new Error('closed')
      })
    expect((await Promise.allSettled(links.map(enter))).map(one => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
  test('may register with an invitation even if there are other administrators', async () => {
    await made(admin(person()))
    const { id, token } = await createEmailedLinkToken(db.sql, now, 'admin-invitation', { email: 'next@example.com' })
    expect([
      await isAdminRegistrationLinkUsable(db.sql, token, now),
      await enters(token),
      await isAdminRegistrationLinkUsable(db.sql, token, now),
      await enters(token),
    ]).toEqual([...[true, id, false, null]])
    const { token: others } = await createEmailedLinkToken(db.sql, now, 'guardian')
    expect([await isAdminRegistrationLinkUsable(db.sql, others, now), await enters(others)]).toEqual([false, null])
  })
})
