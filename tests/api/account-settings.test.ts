import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import { letterTimeZoneOf } from '../../modules/accounts/stored-time-zones.ts'
import { onProfilePagesInvalidated } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import {
  birthDateForAge,
  type CookieClient,
  newInstructorInput,
  newPlayerInput,
  registerAdmin,
  startTestServer,
  type TestServer,
} from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer({ work: true })
})
afterAll(() => h.end())

const { password } = newPlayerInput()
async function member(more: object = {}) {
  const who = h.browser()
  const { body } = await who.call('POST', '/api/register/player', newPlayerInput(more))
  return { who, id: body.id as string, email: body.email as string }
}
const login = (username: string, secret = password) => h.browser().call('POST', '/api/login', { username, password: secret })
const account = async (who: CookieClient) => (await who.call('GET', '/api/account')).body
/** The token of the owner's newest link of this kind. The database keeps the token only until the letter has been sent. */
const tokenOf = async (kind: string, owner: string): Promise<string> => {
  const [link] = await h.sql`select token from links where kind = ${kind} and owner = ${owner} order by expires desc limit 1`
  return link?.token
}
/** Changes the email and confirms it. Returns the token that was sent to the former address, which can undo the change. */
async function changeEmail(who: CookieClient, id: string, to: string): Promise<string> {
  await who.call('POST', '/api/account/email', { email: to, presentPassword: password })
  expect((await h.browser().call('POST', `/api/email-changes/${await tokenOf('change-email', id)}`)).status).toBe(204)
  return tokenOf('restore-email', id)
}
const undo = (token: string) => h.browser().call('POST', `/api/email-changes/${token}/undo`)
const lettersTo = async (user: string) =>
  (await h.postedErrands()).filter(e => e.kind.startsWith('letter.') && e.payload.user === user).map(e => e.kind)
/** Waits until the log has `count` changes of the account, and returns the names of the changed fields. */
async function changesOf(id: string, count: number): Promise<string[]> {
  const read = async () =>
    (await h.deps.store.read(`account-${id}`)).filter(e => e.type === 'AccountChanged').map(e => (e.data as { field: string }).field)
  await expect.poll(async () => (await read()).length).toBe(count)
  return read()
}

test('name and phone are validated as during registration, and each change is recorded', async () => {
  const { who, id } = await member()
  const details = { firstName: 'Bea', lastName: 'Ortiz', phone: '555 010 9999' }
  const wrong = await who.call('PUT', '/api/account/details', { ...details, firstName: ' ', phone: '123' })
  expect(wrong.body.errors).toEqual([
    { field: 'firstName', message: 'First name is required' },
    { field: 'phone', message: 'Phone number must be at least 10 digits' },
  ])
  expect((await who.call('PUT', '/api/account/details', { ...details, phone: '' })).body.errors).toEqual([
    { field: 'phone', message: 'Phone number must be at least 10 digits' },
  ])
  expect((await who.call('PUT', '/api/account/details', details)).body).toMatchObject({ firstName: 'Bea', lastName: 'Ortiz' })
  expect(await account(who)).toMatchObject({ ...details, guardian: null, pendingEmail: null, passwordChanged: null })
  expect(await changesOf(id, 2)).toEqual(['name', 'phone'])
  // Saving the same details again changes nothing.
  await who.call('PUT', '/api/account/details', details)
  expect(await h.postedErrands('account.record-changes')).toHaveLength(1)
  const changed = ['name', 'phone']
  for (const [change, field] of [
    [{ firstName: 'Bee' }, 'name'],
    [{ lastName: 'Ortega' }, 'name'],
    [{ phone: '555 010 0000' }, 'phone'],
  ] as const) {
    await who.call('PUT', '/api/account/details', Object.assign(details, change))
    changed.push(field)
    expect(await changesOf(id, changed.length)).toEqual(changed)
  }
})

test('an administrator needs no phone number', async () => {
  const admin = h.browser()
  const { body } = await registerAdmin(h.deps, admin)
  expect((await admin.call('PUT', '/api/account/details', { firstName: 'Bea', lastName: 'Ortiz', phone: '' })).status).toBe(200)
  expect(await account(admin)).toMatchObject({ firstName: 'Bea', phone: '' })
  expect(await changesOf(body.id, 2)).toEqual(['name', 'phone'])
  expect((await admin.call('PUT', '/api/account/details', { firstName: 'Bee', lastName: 'Ortiz', phone: '' })).status).toBe(200)
  expect(await changesOf(body.id, 3)).toEqual(['name', 'phone', 'name'])
})

test("an instructor's new name immediately invalidates their public profile page", async () => {
  const invalidated: (string[] | null)[] = []
  // Ignores the registration, which invalidates the page of the first slug.
  const { unlisten } = await onProfilePagesInvalidated(h.sql, slugs => slugs && slugs[0] !== 'ana-garcia' && invalidated.push(slugs))
  const rename = (who: CookieClient, change: object) =>
    who.call('PUT', '/api/account/details', { firstName: 'Ana', lastName: 'García', phone: '555-010-4477', ...change })
  const coach = h.browser()
  const { body } = await coach.call('POST', '/api/register/instructor', newInstructorInput())
  await h.sql`update instructors set slug = 'ana' where id = ${body.id}`
  // Neither a player's name nor an instructor's phone number is on a public page.
  await rename((await member()).who, { lastName: 'Ortiz' })
  await rename(coach, { phone: '555 010 9999' })
  await rename(coach, { lastName: 'Delgado' })
  await expect.poll(() => invalidated).toEqual([['ana']])
  await unlisten()
})

test('only players can set how they bat, throw and compete', async () => {
  const { who } = await member()
  const traits = { bats: 'left', throws: 'right', level: 'high-school' }
  expect((await who.call('GET', '/api/account/traits')).body).toEqual({ bats: null, throws: null, level: null })
  expect((await who.call('PUT', '/api/account/traits', traits)).status).toBe(204)
  expect((await who.call('PUT', '/api/account/traits', { ...traits, bats: 'both' })).status).toBe(422)
  expect((await who.call('GET', '/api/account/traits')).body).toEqual(traits)
  await who.call('PUT', '/api/account/traits', { ...traits, level: null })
  expect((await who.call('GET', '/api/account/traits')).body).toEqual({ ...traits, level: null })
})

test('changing a password requires the current one and ends all other sessions', async () => {
  const { who, id, email } = await member()
  const elsewhere = h.browser()
  await elsewhere.call('POST', '/api/login', { username: email, password })
  who.cookie += `; device=${'d'.repeat(43)}`
  const knownDevices = async () => (await h.sql`select 1 from devices where owner = ${id}`).length
  const change = (presentPassword: string, next: string, headers = {}) =>
    who.call('POST', '/api/account/password', { presentPassword, password: next }, headers)
  expect((await change('not this one', 'four plain words here')).body.errors).toEqual([
    { field: 'presentPassword', message: 'This password is incorrect' },
  ])
  expect((await change(password, 'short')).body.errors).toEqual([{ field: 'password', message: 'Password must be at least 8 characters' }])
  expect((await change(password, 'password1')).body.errors).toMatchObject([{ field: 'password' }])
  const key = { 'idempotency-key': crypto.randomUUID() }
  // The response is slow, so the browser sends the request again.
  const both = await Promise.all([1, 2].map(() => change(password, 'four plain words here', key)))
  expect(both.map(answer => answer.status)).toEqual([204, 204])
  // The response was lost, so the browser sends the request again.
  expect((await change(password, 'four plain words here', key)).status).toBe(204)
  expect(await knownDevices()).toBe(1)
  expect((await who.call('GET', '/api/user')).status).toBe(200)
  expect((await elsewhere.call('GET', '/api/user')).status).toBe(401)
  expect((await login(email)).status).toBe(401)
  expect((await login(email, 'four plain words here')).status).toBe(200)
  expect(await changesOf(id, 1)).toEqual(['password'])
  expect((await account(who)).passwordChanged).not.toBeNull()
  expect((await lettersTo(id)).filter(kind => kind === 'letter.password-changed')).toHaveLength(1)
})

test('changing password or email fails if the password is reset at the same time', async () => {
  const { who, id, email } = await member()
  const locked = await h.sql.reserve()
  await locked`begin`
  await locked`select from users where id = ${id} for update`
  const changes = [
    who.call('POST', '/api/account/password', { presentPassword: password, password: 'four other plain words' }),
    who.call('POST', '/api/account/email', { presentPassword: password, email: `thief.${email}` }),
  ]
  // Both requests have verified the password by the time they wait for the lock on the account's row.
  const waiting = () => h.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(waiting).toHaveLength(2)
  await locked`update users set password = ${await hashPassword('four plain words here')} where id = ${id}`
  await locked`commit`
  locked.release()
  for (const { status, body } of await Promise.all(changes))
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'presentPassword', message: 'This password is incorrect' }] }])
  expect((await login(email, 'four plain words here')).status).toBe(200)
  expect((await account(who)).pendingEmail).toBeNull()
})

test('a new email takes effect once confirmed, and both addresses are notified', async () => {
  const { who, id, email } = await member()
  const next = `New.${email}`
  const ask = (to: string, secret = password) => who.call('POST', '/api/account/email', { email: to, presentPassword: secret })
  expect((await ask(next, 'not this one')).body.errors).toEqual([{ field: 'presentPassword', message: 'This password is incorrect' }])
  expect((await ask('nowhere')).body.errors).toEqual([{ field: 'email', message: 'Invalid email address' }])
  expect((await ask(email)).body.errors).toEqual([{ field: 'email', message: 'This is already your email address' }])
  expect((await ask((await member()).email)).body).toMatchObject({ code: 'username-taken', field: 'email' })
  expect((await ask(next)).status).toBe(204)
  expect(await account(who)).toMatchObject({ email, pendingEmail: next })
  expect((await login(email)).status).toBe(200)

  const token = await tokenOf('change-email', id)
  expect((await h.browser().call('GET', `/api/links/change-email/${token}`)).body).toEqual({ works: true })
  expect((await h.browser().call('POST', `/api/email-changes/${token}`)).status).toBe(204)
  const again = await h.browser().call('POST', `/api/email-changes/${token}`)
  expect([again.status, again.body]).toMatchObject([
    410,
    { code: 'link-over', message: 'This link has already been used or has expired. Ask for a new one on your account page.' },
  ])
  expect(await account(who)).toMatchObject({ email: next, pendingEmail: null })
  expect((await login(email)).status).toBe(401)
  expect((await login(next)).status).toBe(200)
  expect(await changesOf(id, 1)).toEqual(['email'])
  expect(await lettersTo(id)).toEqual(
    expect.arrayContaining(['letter.confirm-new-email', 'letter.email-change-asked', 'letter.email-changed']),
  )
})

test('the former email address can undo a change, even after a second change', async () => {
  const { who, id, email } = await member()
  const token = await changeEmail(who, id, `thief.${email}`)
  const thiefs = await changeEmail(who, id, `second.${email}`)
  await h.sql`insert into devices (token, owner, last_used) values (${Buffer.from('thief')}, ${id}, now())`
  expect((await undo(token)).status).toBe(204)
  expect((await undo(token)).status).toBe(410)
  expect((await undo(thiefs)).status).toBe(410)
  expect(await h.sql`select 1 from devices where owner = ${id}`).toHaveLength(0)
  expect(await changesOf(id, 3)).toEqual(['email', 'email', 'email'])
  expect((await who.call('GET', '/api/user')).status).toBe(401)
  expect((await login(email)).status).toBe(200)
  expect((await login(`second.${email}`)).status).toBe(401)
})

test('the original address can undo a change even after a later address did', async () => {
  const { who, id, email } = await member()
  const token = await changeEmail(who, id, `thief.${email}`)
  expect((await undo(await changeEmail(who, id, `second.${email}`))).status).toBe(204)
  expect((await login(`thief.${email}`)).status).toBe(200)
  expect((await undo(token)).status).toBe(204)
  expect((await login(email)).status).toBe(200)
})

test('nobody else can take a former address while its owner can still undo the change', async () => {
  const { who, id, email } = await member()
  const other = await member()
  const token = await changeEmail(who, id, `thief.${email}`)
  const register = () => h.browser().call('POST', '/api/register/player', newPlayerInput({ email: email.toUpperCase() }))
  const message = expect.stringMatching(/^This email address belonged to an account .* in 7 days\.$/)
  expect((await register()).body).toMatchObject({ code: 'email-restorable', field: 'email', message })
  expect((await other.who.call('POST', '/api/account/email', { email, presentPassword: password })).body).toMatchObject({ message })
  // Nobody can log in with this address now.
  expect((await h.browser().call('GET', `/api/check-email?email=${email}`)).body).toEqual({ exists: false })
  expect((await undo(token)).status).toBe(204)
  expect((await login(email)).status).toBe(200)
  const moved = await member()
  await changeEmail(moved.who, moved.id, `moved.${moved.email}`)
  h.advanceClock(7 * 24 * 3600_000 + 1000)
  expect((await h.browser().call('POST', '/api/register/player', newPlayerInput({ email: moved.email }))).status).toBe(201)
})

test('a minor cannot name their former address as the guardian to prevent the undo', async () => {
  const minor = { dateOfBirth: birthDateForAge(15), guardianName: 'Maria García', guardianEmail: 'former@example.com' }
  const { who, id, email } = await member(minor)
  const token = await changeEmail(who, id, `thief.${email}`)
  expect((await who.call('POST', '/api/guardian', { name: 'Maria García', email })).body).toMatchObject({ code: 'email-restorable' })
  expect((await undo(token)).status).toBe(204)
})

test('canceling, changing the password, or waiting a day ends a pending email change', async () => {
  const { who, id, email } = await member()
  const ask = (presentPassword: string) => who.call('POST', '/api/account/email', { email: `later.${email}`, presentPassword })
  await ask(password)
  expect((await who.call('DELETE', '/api/account/email')).status).toBe(204)
  expect((await account(who)).pendingEmail).toBeNull()
  await ask(password)
  const token = await tokenOf('change-email', id)
  await who.call('POST', '/api/account/password', { presentPassword: password, password: 'four plain words here' })
  expect((await h.browser().call('POST', `/api/email-changes/${token}`)).status).toBe(410)
  await ask('four plain words here')
  h.advanceClock(24 * 3600_000 + 1000)
  expect((await h.browser().call('POST', `/api/email-changes/${await tokenOf('change-email', id)}`)).status).toBe(410)
})

test('an email change fails if somebody else registers the address first', async () => {
  const { who, id, email } = await member()
  const wanted = `wanted.${email}`
  await who.call('POST', '/api/account/email', { email: wanted, presentPassword: password })
  await member({ email: wanted })
  expect((await h.browser().call('POST', `/api/email-changes/${await tokenOf('change-email', id)}`)).status).toBe(409)
  expect((await account(who)).email).toBe(email)
})

test("minors see their guardian's name and email, and cannot use that email", async () => {
  const guardian = { guardianName: 'Maria García', guardianEmail: 'maria@example.com' }
  const { who } = await member({ dateOfBirth: birthDateForAge(15), ...guardian })
  expect((await account(who)).guardian).toEqual({ name: 'Maria García', email: 'maria@example.com', undeliverable: false })
  const { body } = await who.call('POST', '/api/account/email', { email: 'Maria@example.com', presentPassword: password })
  expect(body).toMatchObject({ code: 'guardians-email', field: 'email' })
})

test("users choose their time zone; for a minor, the guardian's choice has priority", async () => {
  const zone = (id: string) => letterTimeZoneOf(h.sql, id, h.deps.clock())
  const choose = (who: CookieClient, timeZone: string) => who.call('PUT', '/api/account/time-zone', { timeZone })
  const { who, id } = await member({ dateOfBirth: birthDateForAge(15), guardianName: 'Maria García', guardianEmail: 'zone@example.com' })
  expect([(await account(who)).timeZone, await zone(id)]).toEqual(['America/New_York', 'America/New_York'])
  expect((await choose(who, 'Nowhere/Land')).status).toBe(422)
  expect((await choose(who, 'America/Denver')).status).toBe(204)
  expect([(await account(who)).timeZone, await zone(id)]).toEqual(['America/Denver', 'America/Denver'])
  await h.sql`update guardians set time_zone = 'Pacific/Honolulu' where email = 'zone@example.com'`
  const [guardian] = await h.sql<{ id: string }[]>`select id from guardians where email = 'zone@example.com'`
  expect([await zone(id), await zone(guardian!.id)]).toEqual(['Pacific/Honolulu', 'Pacific/Honolulu'])
  await h.sql`update users set born = born - interval '4 years' where id = ${id}`
  expect(await zone(id)).toBe('America/Denver')
})

test('an email change by an instructor also confirms the email for vetting', async () => {
  const who = h.browser()
  const { body } = await who.call('POST', '/api/register/instructor', newInstructorInput())
  await who.call('POST', '/api/account/email', { email: `coach.${body.email}`, presentPassword: password })
  await h.browser().call('POST', `/api/email-changes/${await tokenOf('change-email', body.id)}`)
  await expect.poll(async () => (await h.deps.store.read(`vetting-${body.id}`)).map(e => e.type)).toEqual(['EmailConfirmed'])
})
