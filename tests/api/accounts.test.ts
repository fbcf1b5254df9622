import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findLink, linkOf, makeLink } from '../../modules/accounts/links.ts'
import { hashPassword, verifyPassword } from '../../modules/accounts/passwords.ts'
import { sendRecoveryLetters } from '../../modules/accounts/recovery.ts'
import { derivedId } from '../../modules/kernel/decider.ts'
import { cheapHash, slowHash } from '../support/passwords.ts'
import { birthDateOf, type CookieClient, newInstructorInput, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

const DAY = 24 * 3600 * 1000
const register = async (more: object = {}) => {
  const person = newPlayerInput(more)
  const who = h.browser()
  const answer = await who.call('POST', '/api/register/player', person)
  return { who, person, answer }
}
let others = 0
/** A unique email address, and unique digits for a phone number. */
const address = (name: string) => `${name}.${++others}@Example.com`
const digits = () => String(1000 + ++others)
const lastLink = async (kind: string) => {
  const errand = (await h.posted(kind)).at(-1)!
  // One link, one letter; what is looked up later is asked for by its request.
  if (kind !== 'letter.reset-password') expect(errand.id).toBe(derivedId(errand.payload.link as string))
  return { errand, link: (await linkOf(h.sql, errand.payload.link as string))! }
}

const welcomes = async (user: string) => (await h.posted('letter.welcome')).filter(e => e.payload.user === user)
const welcome = (user: string) => ({ id: derivedId(user, 'welcome'), kind: 'letter.welcome', payload: { user } })
const isFeatured = async (instructor: string) =>
  (await h.sql`select 1 from instructors where id = ${instructor} and featured_until > now()`).length > 0

const NAME_WRONG = 'Enter a name: letters, spaces, hyphens and apostrophes'
const COMMON = 'This password is too common. Choose another one, such as a few words'

test.each(['Zoë', 'Nguyễn Văn', "O'Neil", 'O’Brien-Smith', 'J. R.', 'J.R.', 'Juan Carlos 3rd', '孫', 'Ramírez, Jr.', 'می\u200cخواهم'])(
  '%s is a name',
  async firstName => {
    expect((await register({ firstName })).answer.body.firstName).toBe(firstName)
  },
)

const OWN_WORDS = 'A password with your name, your email or the name of this site is easy to guess. Choose another one, such as a few words'

test("nobody may set a password made of our site's words, their name, or their email", async () => {
  const anybody = h.browser()
  const told = { status: 422, body: { errors: [{ field: 'password', message: OWN_WORDS }] } }
  const own = { firstName: 'Zuzanna', lastName: 'Wiśniewska', email: address('zw.pitcher') }
  for (const password of ['diamondlink', 'extra-innings', 'Zuzanna2012', 'zuzanna wisniewska', 'zw.pitcher1']) {
    expect((await register({ ...own, password })).answer).toMatchObject(told)
    expect(await anybody.call('POST', '/api/register/instructor', newInstructorInput({ ...own, password }))).toMatchObject(told)
    const admin = { ...newPlayerInput({ ...own, password }), dateOfBirth: undefined, token: 'x' }
    expect(await anybody.call('POST', '/api/register/admin', admin)).toMatchObject(told)
  }
  const { person } = await register(own)
  expect((await anybody.call('POST', '/api/recovery/password', { email: person.email })).status).toBe(204)
  await sendRecoveryLetters(h.sql, h.deps.post, (await h.posted('account.recover')).at(-1)!.payload.recovery as string, h.deps.clock())
  const { token } = (await lastLink('letter.reset-password')).link
  for (const password of ['extra-innings', 'Zuzanna2012'])
    expect(await anybody.call('POST', '/api/recovery/reset', { token, password })).toMatchObject(told)
  expect((await anybody.call('POST', '/api/recovery/reset', { token, password: 'zuzanna and the whale' })).status).toBe(204)
})

describe('a common password', () => {
  test('no role may set one, nor their own email; a login with an old one still works', async () => {
    const anybody = h.browser()
    const told = { status: 422, body: { errors: [{ field: 'password', message: COMMON }] } }
    const admin = { ...newPlayerInput({ password: 'sunshine1' }), dateOfBirth: undefined, token: 'x' }
    expect(await anybody.call('POST', '/api/register/admin', admin)).toMatchObject(told)
    expect(await anybody.call('POST', '/api/register/instructor', newInstructorInput({ password: 'baseball' }))).toMatchObject(told)
    expect(await anybody.call('POST', '/api/recovery/reset', { token: 'x', password: 'football' })).toMatchObject(told)
    for (const password of ['Own.Address@example.com', 'own.address']) {
      expect((await register({ email: 'own.address@example.com', password })).answer).toMatchObject(told)
    }
    const { person } = await register()
    await h.sql`update users set password = ${await hashPassword('football')} where username = ${person.email}`
    expect((await anybody.call('POST', '/api/login', { username: person.email, password: 'football' })).status).toBe(200)
  })
})

describe('registration of a player', () => {
  // @spec:3.3 @spec:7.7
  test('answers the user, signed in', async () => {
    const friend = await register()
    const { code } = (await friend.who.call('GET', '/api/rewards')).body
    const email = address('Robin')
    const { who, person, answer } = await register({ email, referralCode: code, packageType: 'single' })
    expect(answer.status).toBe(201)
    const user = {
      id: answer.body.id,
      username: email.toLowerCase(),
      email,
      role: 'player',
      firstName: person.firstName,
      lastName: person.lastName,
      profilePicture: null,
      profileSlug: null,
      guardian: null,
    }
    expect(answer.body).toEqual(user)
    expect((await who.call('GET', '/api/user')).body).toEqual(user)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=2592000$/),
      'known=1; Path=/; SameSite=Lax; Max-Age=2592000',
      expect.stringMatching(/^device=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=7776000$/),
    ])
    const [row] = await h.sql`select referral_code, password from users where id = ${user.id}`
    expect(row!.referral_code).toBe(code)
    expect(row!.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await welcomes(user.id)).toEqual([welcome(user.id)])
    expect((await h.posted('letter.guardian')).filter(e => e.payload.user === user.id)).toEqual([])
  })

  // @spec:5.6
  test.each<[string, unknown, string]>([
    ['password', '1234567', 'Password must be at least 8 characters'],
    ['firstName', ' ', 'First name is required'],
    ['lastName', '', 'Last name is required'],
    ['firstName', 'You won $500, go to evil.example', NAME_WRONG],
    ['firstName', 'evil.example', NAME_WRONG],
    ['firstName', 'Ana\nBcc: all', NAME_WRONG],
    ['lastName', 'Go to http://evil', NAME_WRONG],
    ['lastName', 'García\u202eX', NAME_WRONG],
    ['lastName', '...', NAME_WRONG],
    ['guardianName', 'Win at www.evil.example', NAME_WRONG],
    ...['password', 'PassWord1', '12345678', '        ', 'aaaaaaaa', 'abcabcabc', ' iloveyou ', 'ｐａｓｓｗｏｒｄ'].map(
      (password): [string, string, string] => ['password', password, COMMON],
    ),
    ['email', 'nobody', 'Invalid email address'],
    ['email', undefined, 'Invalid email address'],
    ['phone', '123456789', 'Phone number must be at least 10 digits'],
    ['dateOfBirth', '2001-02-30', 'Enter your date of birth'],
    ['dateOfBirth', undefined, 'Enter your date of birth'],
    ['dateOfBirth', '2999-01-01', 'This date is in the future. Check the year.'],
    ['dateOfBirth', '1899-12-31', 'This date is too far in the past. Check the year.'],
    ['dateOfBirth', birthDateOf(13, -1), 'You must be at least 13 years old to register'],
    ['username', 'ab', 'Username must be at least 3 characters'],
    ['username', 'someone-else@example.com', 'Your username is your email address'],
    ['referralCode', 'NOBODY7', "We don't know this referral code. Check it, or leave it empty."],
    ['admin', true, 'This field is not part of the request.'],
  ])('with %s %j says: %s', async (field, value, message) => {
    const { answer } = await register({ [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toContainEqual({ field, message })
  })

  test('of a known address says so, whatever its case, and a doubled submit is no error', async () => {
    const key = randomUUID()
    const person = newPlayerInput({ email: address('Twice') })
    const first = await h.browser().call('POST', '/api/register/player', person, { 'idempotency-key': key })
    const again = await h.browser().call('POST', '/api/register/player', person, { 'idempotency-key': key })
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
    const other = await h.browser().call('POST', '/api/register/player', { ...person, email: person.email.replace('Twice', 'tWICE') })
    expect([other.status, other.body.message, other.body.field]).toEqual([409, 'Username already exists', 'email'])
    const guess = await h.browser().call('POST', '/api/register/player', { ...person, password: 'not the one' }, { 'idempotency-key': key })
    expect(guess.status).toBe(409)
  })

  test('with an unknown code makes no account; the same person can register without it', async () => {
    const { person, answer } = await register({ referralCode: 'NOBODY7' })
    expect([answer.status, answer.body.field]).toEqual([422, 'referralCode'])
    for (const referralCode of [' ', '', null, undefined]) {
      const again = await h.browser().call('POST', '/api/register/player', { ...newPlayerInput(), referralCode })
      expect([referralCode, again.status]).toEqual([referralCode, 201])
    }
    expect((await h.browser().call('POST', '/api/register/player', { ...person, referralCode: undefined })).status).toBe(201)
  })

  test('two concurrent ones create one account', async () => {
    const person = newPlayerInput()
    const answers = await Promise.all([1, 2, 3].map(() => h.browser().call('POST', '/api/register/player', person)))
    expect(answers.map(a => a.status).sort()).toEqual([201, 409, 409])
  })

  test('with an invite code connects to the instructor; an unknown code is no obstacle', async () => {
    const teacher = h.browser()
    const made = await teacher.call('POST', '/api/register/instructor', newInstructorInput())
    const { code } = (await teacher.call('GET', '/api/invite')).body
    const invited = await register({ inviteCode: code.toLowerCase() })
    const connected = await h.sql`select instructor from connections where player = ${invited.answer.body.id}`
    expect(connected).toEqual([{ instructor: made.body.id }])
    const { answer } = await register({ inviteCode: 'NOSUCH' })
    expect(answer.status).toBe(201)
  })
})

describe('a player under 18', () => {
  const minor = (more: object = {}) => ({ dateOfBirth: birthDateOf(15), guardianName: 'Pat', guardianEmail: 'pat@example.com', ...more })

  test('names a guardian', async () => {
    const { answer } = await register({ dateOfBirth: birthDateOf(18, -1) })
    expect(answer.body.errors).toEqual([
      { field: 'guardianName', message: "Your parent or guardian's name is required" },
      { field: 'guardianEmail', message: "Your parent or guardian's email is required" },
    ])
    const own = await register({ ...minor({ email: 'kid@example.com', guardianEmail: 'KID@example.com' }) })
    expect(own.answer.body.errors[0].message).toBe("Enter your parent or guardian's own email address")
    expect((await register({ dateOfBirth: birthDateOf(18) })).answer.status).toBe(201)
  })

  test('waits until the guardian agrees by the link', async () => {
    const { who, answer } = await register(minor())
    expect(answer.body.guardian).toBe('waiting')
    const { link, errand } = await lastLink('letter.guardian')
    expect([link.email, errand.payload.user]).toEqual(['pat@example.com', answer.body.id])
    const pat = h.browser()
    expect((await pat.call('GET', `/api/guardian/${link.token}`)).body).toEqual({
      playerFirstName: 'Ana',
      guardianName: 'Pat',
    })
    expect((await pat.call('POST', `/api/guardian/${link.token}`, { answer: 'yes' })).status).toBe(204)
    expect((await pat.call('POST', `/api/guardian/${link.token}`, { answer: 'yes' })).status).toBe(404)
    expect((await who.call('GET', '/api/user')).body.guardian).toBe('confirmed')
    expect((await pat.call('GET', `/api/guardian/${'x'.repeat(43)}`)).status).toBe(404)
    expect((await who.call('POST', '/api/guardian', { name: 'Mo', email: 'mo@example.com' })).body.code).toBe('guardian-confirmed')
  })

  test('may name another guardian until one has agreed; the first link works no longer', async () => {
    const { who, person } = await register(minor())
    const { link: first } = await lastLink('letter.guardian')
    expect((await who.call('POST', '/api/guardian', { name: 'Mo', email: 'mo@example.com' })).status).toBe(204)
    const { link } = await lastLink('letter.guardian')
    expect(link.email).toBe('mo@example.com')
    expect((await who.call('GET', '/api/guardian')).body).toEqual({ name: 'Mo', email: 'mo@example.com', undeliverable: false })
    const own = await who.call('POST', '/api/guardian', { name: 'Mo', email: person.email.toUpperCase() })
    expect([own.status, own.body]).toMatchObject([
      ...[409, { code: 'own-address', field: 'email', message: "Enter your parent or guardian's own email address" }],
    ])
    expect((await who.call('GET', '/api/guardian')).body.email).toBe('mo@example.com')
    expect((await (await register()).who.call('GET', '/api/guardian')).status).toBe(404)
    expect((await h.browser().call('GET', `/api/guardian/${first.token}`)).status).toBe(404)
    expect((await h.browser().call('GET', `/api/guardian/${link.token}`)).body.guardianName).toBe('Mo')
  })
})

test("a guardian's name is a name, however it is sent", async () => {
  const { who } = await register({ dateOfBirth: birthDateOf(14), guardianName: 'Pat', guardianEmail: 'pat@example.com' })
  for (const name of ['You won $500', 'go to evil.example', 'Pat\r\nLee']) {
    const { status, body } = await who.call('POST', '/api/guardian', { name, email: 'pat@example.com' })
    expect([status, body.errors]).toEqual([422, [{ field: 'name', message: NAME_WRONG }]])
  }
})

describe('registration of an instructor', () => {
  // @spec:3.8 @spec:5.9
  test('asks for sports and skills, and for grown-ups', async () => {
    const at = async (more: object) =>
      (await h.browser().call('POST', '/api/register/instructor', newInstructorInput(more))).body.errors?.[0]?.message
    expect(await at({ type: [] })).toBe('Please select at least one sport type')
    expect(await at({ type: undefined })).toBe('Please select at least one sport type')
    expect(await at({ skills: [] })).toBe('Please select at least one skill')
    expect(await at({ dateOfBirth: birthDateOf(18, -1) })).toBe('Instructors must be at least 18 years old')
    expect(await at({ skills: ['running'] })).toBeTruthy()
    expect(await at({ referralCode: 'NOBODY7' })).toBe("We don't know this referral code. Check it, or leave it empty.")
  })
  test('makes a profile with an address of its own', async () => {
    await h.sql`delete from users where first_name in ('Zoë', 'Zoe')`
    const one = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Zoë', lastName: "O'Neil" }))
    const two = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Zoe', lastName: 'O Neil' }))
    expect([one.status, one.body.profileSlug, two.body.profileSlug]).toEqual([201, 'zoe-o-neil', 'zoe-o-neil-2'])
    expect(await welcomes(one.body.id)).toEqual([welcome(one.body.id)])
    const { code: referralCode } = (await (await register()).who.call('GET', '/api/rewards')).body
    const brought = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ referralCode }))
    expect([await isFeatured(one.body.id), await isFeatured(brought.body.id)]).toEqual([false, true])
  })
})

describe('login', () => {
  // @spec:7.6
  test('reveals only success or failure', async () => {
    const { person } = await register()
    const who = h.browser()
    const wrong = await who.call('POST', '/api/login', { username: person.email, password: 'not the one' })
    const unknown = await who.call('POST', '/api/login', { username: 'nobody@example.com', password: person.password })
    for (const answer of [wrong, unknown]) {
      const { status, body } = answer
      expect([status, body.code, body.message]).toEqual([401, 'wrong-credentials', 'Invalid username or password. Please try again.'])
    }
    const right = await who.call('POST', '/api/login', { username: ` ${person.email.toUpperCase()} `, password: person.password })
    expect([right.status, right.body.firstName]).toEqual([200, 'Ana'])
    const empty = await who.call('POST', '/api/login', { username: '', password: '' })
    expect(empty.body.errors.map((e: { message: string }) => e.message)).toEqual(['Email is required', 'Password is required'])
  })
  test('issues a new token and ends the old one', async () => {
    const { who, person } = await register()
    const before = who.cookie
    await who.call('POST', '/api/login', { username: person.email, password: person.password })
    expect(who.cookie).not.toBe(before)
    const thief = h.browser({ cookie: before })
    expect((await thief.call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
  })
  // @spec:7.10
  test('ends at logout, which also works without a session', async () => {
    const { who } = await register()
    const { cookie } = who
    expect((await who.call('POST', '/api/logout')).status).toBe(204)
    expect(who.cookie).toBe('')
    expect((await h.browser({ cookie }).call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('POST', '/api/logout')).status).toBe(204)
  })
  test('stores no usable token', async () => {
    const { who } = await register()
    const token = who.cookie.slice('session='.length)
    const rows = await h.sql`select encode(token, 'escape') as token, encode(token, 'base64') as b from sessions`
    expect(rows.some(row => row.token.includes(token) || row.b.includes(token))).toBe(false)
    expect(h.logged.join('')).not.toContain(token)
  })
})

describe('the developer flags', () => {
  // @spec:7.4
  test('are ignored', async () => {
    const flags = { 'x-dev-testing': 'true' }
    const nobody = h.browser(flags)
    expect((await nobody.call('GET', '/api/user?dev_bypass=true')).status).toBe(401)
    expect((await nobody.call('POST', '/api/admin/invitations?dev_bypass=true', { email: 'a@example.com' })).status).toBe(401)
    const { who } = await register()
    expect((await who.call('POST', '/api/admin/invitations?dev_bypass=true', { email: 'a@example.com' }, flags)).status).toBe(403)
    expect((await nobody.call('GET', '/api/check-email?email=a@b.example&dev_bypass=true')).body).toEqual({ exists: false })
  })
})

describe('the cookies of a session', () => {
  const ended = ['session=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0', 'known=; Path=/; SameSite=Lax; Max-Age=0']
  const leftBy = async (ends: (who: Awaited<ReturnType<typeof register>>) => ReturnType<CookieClient['call']>) =>
    (await ends(await register())).headers.getSetCookie()

  test('are cleared together, however it ends', async () => {
    expect(await leftBy(({ who }) => who.call('POST', '/api/logout'))).toEqual(ended)
    expect(
      await leftBy(async ({ who }) => {
        const [own] = (await who.call('GET', '/api/sessions')).body.sessions
        return who.call('DELETE', `/api/sessions/${own.id}`)
      }),
    ).toEqual(ended)
    const renewed = async (owner: string) => (await makeLink(h.sql, h.deps.clock(), 'reset-password', { owner })).token
    const password = 'brand new one'
    expect(
      await leftBy(async ({ who, answer }) => who.call('POST', '/api/recovery/reset', { token: await renewed(answer.body.id), password })),
    ).toEqual(ended)
    const other = (await register()).answer.body.id
    expect(await leftBy(async ({ who }) => who.call('POST', '/api/recovery/reset', { token: await renewed(other), password }))).toEqual([])
  })

  test('are Secure over https, and the session is bound to our host by its cookie name', async () => {
    const secure = await startTestServer({ origin: 'https://ours.test' })
    const person = newPlayerInput()
    const { headers } = await secure.browser().call('POST', '/api/register/player', person)
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=2592000; Secure$/),
      '__Host-known=1; Path=/; SameSite=Lax; Max-Age=2592000; Secure',
      expect.stringMatching(/^__Host-device=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=7776000; Secure$/),
    ])
    const [cookie] = headers.getSetCookie()[0]!.split(';')
    const as = async (cookie: string) => (await secure.browser({ cookie }).call('GET', '/api/user')).status
    expect(await as(`theme=x; ${cookie}; __Host-known=1`)).toBe(200)
    expect(await as(cookie!.replace('__Host-', ''))).toBe(401)
    const out = await secure.browser({ cookie: cookie! }).call('POST', '/api/logout')
    expect(out.headers.getSetCookie()).toEqual([
      '__Host-session=; HttpOnly; Path=/; SameSite=Lax; Max-Age=0; Secure',
      '__Host-known=; Path=/; SameSite=Lax; Max-Age=0; Secure',
    ])
    expect(await as(cookie!)).toBe(401)
    await secure.end()
  })
})

describe('sessions', () => {
  test('are listed and can be ended only by their owner', async () => {
    const { who, person } = await register()
    const phone = h.browser({ 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1' })
    await phone.call('POST', '/api/login', { username: person.email, password: person.password })
    const { sessions } = (await who.call('GET', '/api/sessions')).body
    expect(sessions.map((s: { current: boolean }) => s.current)).toEqual([false, true])
    const theirs = sessions.find((s: { current: boolean }) => !s.current)
    expect(theirs.device).toBe('Safari on iPhone')
    const stranger = await register()
    expect((await stranger.who.call('DELETE', `/api/sessions/${theirs.id}`)).status).toBe(404)
    expect((await phone.call('GET', '/api/user')).status).toBe(200)
    expect((await who.call('DELETE', `/api/sessions/${theirs.id}`)).status).toBe(204)
    expect((await phone.call('GET', '/api/user')).status).toBe(401)
    await phone.call('POST', '/api/login', { username: person.email, password: person.password })
    expect((await who.call('DELETE', '/api/sessions')).status).toBe(204)
    expect((await phone.call('GET', '/api/user')).status).toBe(401)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
  })
  test('expire 30 days after their last use', async () => {
    const { who } = await register()
    const idle = h.browser({ cookie: who.cookie })
    h.pass(29 * DAY)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
    h.pass(29 * DAY)
    expect((await who.call('GET', '/api/user')).status).toBe(200)
    h.pass(31 * DAY)
    expect((await idle.call('GET', '/api/user')).status).toBe(401)
    h.pass(-89 * DAY)
  })
})

/** Whether a link works, as a page asks when it is opened. */
const works = async (kind: 'reset-password' | 'admin', token: string) => {
  const answer = await h.browser().call('GET', `/api/links/${kind}/${token}`)
  expect(answer.status).toBe(200)
  expect(h.logged.join('')).not.toContain(token)
  return answer.body.works
}

describe('recovery', () => {
  test('of a password: one link, for one use, that signs everybody else out', async () => {
    const { who, person, answer } = await register()
    const nobody = h.browser()
    expect((await nobody.call('POST', '/api/recovery/password', { email: person.email.toUpperCase() })).status).toBe(204)
    const asked = (await h.posted('account.recover')).at(-1)!
    expect(JSON.stringify(asked)).not.toContain('@')
    await sendRecoveryLetters(h.sql, h.deps.post, asked.payload.recovery as string, h.deps.clock())
    const { errand, link } = await lastLink('letter.reset-password')
    expect(errand.payload.user).toBe(answer.body.id)
    expect((await nobody.call('POST', '/api/recovery/reset', { token: link.token, password: 'short' })).status).toBe(422)
    // Asking whether it works uses nothing up.
    expect([await works('reset-password', link.token), await works('reset-password', link.token)]).toEqual([true, true])
    expect([await works('admin', link.token), await works('reset-password', 'guessed')]).toEqual([false, false])
    expect((await nobody.call('POST', '/api/recovery/reset', { token: link.token, password: 'brand new one' })).status).toBe(204)
    expect(await works('reset-password', link.token)).toBe(false)
    expect((await who.call('GET', '/api/user')).status).toBe(401)
    expect((await nobody.call('POST', '/api/login', { username: person.email, password: person.password })).status).toBe(401)
    expect((await nobody.call('POST', '/api/login', { username: person.email, password: 'brand new one' })).status).toBe(200)
    const again = await nobody.call('POST', '/api/recovery/reset', { token: link.token, password: 'brand new two' })
    expect([again.status, again.body.code]).toEqual([410, 'link-over'])
    expect(again.body.message).toBe('This link has been used or is too old. Ask for a new one.')
  })
  test('of a password: who signs in with the old one meanwhile is not signed in after it', async () => {
    const { person, answer } = await register()
    const { token } = await makeLink(h.sql, h.deps.clock(), 'reset-password', { owner: answer.body.id })
    const resetting = h.browser().call('POST', '/api/recovery/reset', { token, password: 'brand new one' })
    const guessing = Array.from({ length: 6 }, () =>
      h.browser().call('POST', '/api/login', { username: person.email, password: person.password }),
    )
    expect((await resetting).status).toBe(204)
    const answers = await Promise.all(guessing)
    expect(await h.sql`select device from sessions where owner = ${answer.body.id}`).toEqual([])
    // Whose browsers are known is counted apart; this one is not.
    expect(await h.sql`select owner from devices where owner = ${answer.body.id}`).toEqual([])
    for (const { status } of answers) expect([200, 401]).toContain(status)
  })
  test('of a password: the link is over after an hour', async () => {
    const { answer } = await register()
    const link = await makeLink(h.sql, h.deps.clock(), 'reset-password', { owner: answer.body.id })
    h.pass(61 * 60_000)
    expect(await works('reset-password', link.token)).toBe(false)
    expect((await h.browser().call('POST', '/api/recovery/reset', { token: link.token, password: 'brand new one' })).status).toBe(410)
  })
  test('answers known and unknown addresses alike, and looks them up only afterwards', async () => {
    const { person } = await register()
    const before = (await h.posted()).length
    const locked = await h.sql.reserve()
    // Whoever looks for an account waits for this.
    await locked`begin`
    await locked`lock table users in access exclusive mode`
    const seen = async (email: string) => {
      const { status, text, headers } = await h.browser().call('POST', '/api/recovery/password', { email })
      return { status, text, headers: [...headers.keys()] }
    }
    const answers = Promise.all([seen(person.email), seen('nobody.at.all@example.com')])
    const late = new Promise<never>((_, fail) => setTimeout(fail, 60_000, new Error('somebody was looked up')))
    try {
      const [known, unknown] = await Promise.race([answers, late])
      expect(known).toEqual(unknown)
      expect([known.status, known.text]).toEqual([204, ''])
    } finally {
      await locked`rollback`
      locked.release()
    }
    const asked = (await h.posted()).slice(before)
    expect(asked.map(e => e.kind)).toEqual(['account.recover', 'account.recover'])
    for (const { payload } of asked) await sendRecoveryLetters(h.sql, h.deps.post, payload.recovery as string, h.deps.clock())
  })
  test('of an unknown address sends no email', async () => {
    const answer = await h.browser().call('POST', '/api/recovery/password', { email: 'nobody@example.com' })
    expect([answer.status, answer.text]).toEqual([204, ''])
    const before = await h.posted()
    await sendRecoveryLetters(h.sql, h.deps.post, (await h.posted('account.recover')).at(-1)!.payload.recovery as string, h.deps.clock())
    expect(await h.posted()).toHaveLength(before.length)
    expect(await h.sql`select 1 from recoveries`).toHaveLength(0)
  })
  test('of an address, by phone and name, goes to that address', async () => {
    const number = digits()
    const { answer } = await register({ phone: `+1 (555) 777-${number}`, firstName: 'Lou', lastName: 'Gomez' })
    const asked = { phone: `555.777.${number}`, firstName: 'lou', lastName: 'GOMEZ' }
    expect((await h.browser().call('POST', '/api/recovery/email', asked)).status).toBe(204)
    await sendRecoveryLetters(h.sql, h.deps.post, (await h.posted('account.recover')).at(-1)!.payload.recovery as string, h.deps.clock())
    expect((await h.posted('letter.your-email')).at(-1)!.payload).toEqual({ user: answer.body.id })
  })
})

describe('links', () => {
  const MINUTE = 60_000
  test.each([
    ['reset-password', 60],
    ['guardian', 30 * 24 * 60],
    ['family-sign-in', 60],
    ['admin-setup', 24 * 60],
    ['admin-invitation', 7 * 24 * 60],
  ] as const)('%s works for %i minutes, and no longer', async (kind, minutes) => {
    const now = new Date()
    const owner = (await register()).answer.body.id
    const { token } = await makeLink(h.sql, now, kind, { owner })
    const at = (later: number) => findLink(h.sql, new Date(now.getTime() + later), kind, token)
    expect([(await at(minutes * MINUTE - 1000)) !== null, await at(minutes * MINUTE + 1000)]).toEqual([true, null])
  })
})

test('an address is recovered by phone, first name and last name: none of them alone', async () => {
  const phone = `555-010-${digits()}`
  const { answer } = await register({ phone, firstName: 'Maya', lastName: 'Quist' })
  await register({ phone, firstName: 'Theo', lastName: 'Quist' })
  const letters = async (asked: object) => {
    await h.sql`delete from errands where kind = 'letter.your-email'`
    expect((await h.browser().call('POST', '/api/recovery/email', asked)).status).toBe(204)
    const [row] = await h.sql<{ id: string }[]>`select id from recoveries order by at desc limit 1`
    await sendRecoveryLetters(h.sql, h.deps.post, row!.id, h.deps.clock())
    return (await h.posted('letter.your-email')).map(e => e.payload.user)
  }
  expect(await letters({ phone, firstName: 'maya', lastName: 'QUIST' })).toEqual([answer.body.id])
  expect(await letters({ phone, firstName: 'Ana', lastName: 'Quist' })).toEqual([])
  expect(await letters({ phone, firstName: 'Maya', lastName: 'Quinn' })).toEqual([])
  expect(await letters({ phone: `555-010-${digits()}`, firstName: 'Maya', lastName: 'Quist' })).toEqual([])
})

describe('administrators', () => {
  // @spec:7.9
  test('register by the setup link while there is none, then by invitation', async () => {
    await h.sql`delete from users where role = 'admin'`
    const nobody = h.browser()
    const plain = { ...newPlayerInput(), dateOfBirth: undefined }
    const closed = await nobody.call('POST', '/api/register/admin', plain)
    expect([closed.status, closed.body.message]).toEqual([
      ...[403, 'This link cannot create an administrator account. Ask an administrator for an invitation.'],
    ])
    expect((await nobody.call('POST', '/api/register/admin', { ...plain, token: 'x'.repeat(43) })).status).toBe(403)
    const setup = await makeLink(h.sql, h.deps.clock(), 'admin-setup')
    const spare = await makeLink(h.sql, h.deps.clock(), 'admin-setup')
    expect([await works('admin', setup.token), await works('admin', spare.token)]).toEqual([true, true])
    const both = await Promise.all(
      [setup, spare].map(link =>
        h.browser().call('POST', '/api/register/admin', { ...newPlayerInput(), dateOfBirth: undefined, token: link.token }),
      ),
    )
    expect(both.map(a => a.status).sort()).toEqual([201, 403])
    // There is an administrator now, so the one that was not used is dead, too.
    expect([await works('admin', setup.token), await works('admin', spare.token)]).toEqual([false, false])

    const admin = h.browser()
    const [{ email }] = (await h.sql`select email from users where role = 'admin'`) as unknown as [{ email: string }]
    await admin.call('POST', '/api/login', { username: email, password: 'correct horse' })
    expect((await admin.call('GET', '/api/user')).body.role).toBe('admin')
    const inviting = { 'idempotency-key': randomUUID() }
    const before = (await h.posted('letter.admin-invitation')).length
    for (let i = 0; i < 2; i++)
      expect((await admin.call('POST', '/api/admin/invitations', { email: 'next@example.com' }, inviting)).status).toBe(204)
    expect(await h.posted('letter.admin-invitation')).toHaveLength(before + 1)
    const { link } = await lastLink('letter.admin-invitation')
    expect(link.email).toBe('next@example.com')
    expect(await works('admin', link.token)).toBe(true)
    // A press whose answer was lost is pressed again, though the link is used up.
    const key = { 'idempotency-key': randomUUID() }
    const next = await h.browser().call('POST', '/api/register/admin', { ...plain, token: link.token }, key)
    expect([next.status, next.body.role]).toEqual([201, 'admin'])
    expect((await h.posted('invitation.joined')).at(-1)!.payload).toMatchObject({ user: next.body.id })
    const same = await h.browser().call('POST', '/api/register/admin', { ...plain, token: link.token }, key)
    expect([same.status, same.body.id]).toEqual([201, next.body.id])
    const twice = await h.browser().call('POST', '/api/register/admin', { ...plain, email: 'third@example.com', token: link.token })
    expect(twice.status).toBe(403)
  })
})

// @spec:7.12
test('check-email tells whether there is an account', async () => {
  const { person } = await register()
  const { call } = h.browser()
  expect((await call('GET', `/api/check-email?email=${encodeURIComponent(person.email.toUpperCase())}`)).body).toEqual({ exists: true })
  expect((await call('GET', '/api/check-email?email=nobody@example.com')).body).toEqual({ exists: false })
  expect((await call('GET', '/api/check-email')).status).toBe(422)
})

describe('a rate limit', () => {
  /** What was counted meanwhile. */
  async function counted(what: () => Promise<unknown>) {
    const { limits } = h.deps
    const taken: unknown[][] = []
    h.deps.limits = { take: async (...one) => void taken.push(one) }
    await what().finally(() => {
      h.deps.limits = limits
    })
    return taken
  }

  test('counts each kind of call, per account if it concerns one', async () => {
    const { call } = h.browser()
    const token = 'x'.repeat(43)
    const { dateOfBirth: _, ...admin } = newPlayerInput({ token })
    const child = await register({ dateOfBirth: birthDateOf(14), guardianName: 'Pat', guardianEmail: 'pat@example.com' })
    const calls: [string, string, object | undefined, unknown[]][] = [
      ['POST', '/api/login', { username: 'Ana@example.com', password: 'not the one' }, ['login', '', 'Ana@example.com']],
      ['POST', '/api/register/player', newPlayerInput(), ['register', '']],
      ['POST', '/api/register/instructor', newInstructorInput(), ['register', '']],
      ['POST', '/api/register/admin', admin, ['register', '']],
      ['GET', '/api/check-email?email=a@b.example', undefined, ['check-email', '']],
      ['POST', '/api/recovery/password', { email: 'Ana@example.com' }, ['recovery', '', 'Ana@example.com']],
      ['POST', '/api/recovery/email', { phone: '+1 (555) 777-1234', firstName: 'A', lastName: 'B' }, ['recovery', '', '5557771234']],
      ['POST', '/api/recovery/reset', { token, password: 'brand new one' }, ['recovery', '']],
      ['GET', `/api/links/admin/${token}`, undefined, ['link', '']],
      ['GET', `/api/guardian/${token}`, undefined, ['guardian', '']],
      ['POST', `/api/guardian/${token}`, { answer: 'yes' }, ['guardian', '']],
      ['POST', '/api/family/sign-in', { email: 'Pat@example.com' }, ['recovery', '', 'Pat@example.com']],
      ['POST', `/api/family/links/${token}`, undefined, ['link', '']],
    ]
    for (const [method, path, body, expected] of calls)
      expect([path, await counted(() => call(method, path, body))]).toEqual([path, [expected]])
    const named = await counted(() => child.who.call('POST', '/api/guardian', { name: 'Pat', email: 'pat@example.com' }))
    expect(named).toEqual([['guardian', '', child.answer.body.id]])
  })

  test("tries from the owner's device count for it and the account, in any spelling", async () => {
    const [one, two] = [await register(), await register()]
    const device = /device=[\w-]{43}/.exec(one.answer.headers.getSetCookie().join())![0]
    const other = /device=[\w-]{43}/.exec(two.answer.headers.getSetCookie().join())![0]
    const tries = (username: string, cookie: string) =>
      counted(() => h.browser({ cookie }).call('POST', '/api/login', { username, password: 'not the one' }))
    const [known] = (await tries(one.person.email, device)) as [unknown[]]
    expect(known).toEqual(['known-device', '', expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(await tries(` ${one.person.email.toUpperCase()} `, device)).toEqual([known])
    expect(await tries(one.person.email, other)).toEqual([['login', '', one.person.email]])
    await h.browser({ cookie: device }).call('POST', '/api/login', { username: two.person.email, password: two.person.password })
    const [both] = (await tries(two.person.email, device)) as [unknown[]]
    expect([both[0], both[2] === known[2]]).toEqual(['known-device', false])
  })

  test('does not count requests refused because the password queue is full', async () => {
    const { who, person } = await register()
    const { dateOfBirth: _, ...admin } = newPlayerInput({ token: 'x'.repeat(43) })
    const [threads, kept] = [Math.max(1, availableParallelism() - 1), cheapHash('x')]
    const flood = Array.from({ length: 385 * threads }, (_, i) => verifyPassword('x', i < threads ? slowHash : kept))
    const taken = await counted(async () => {
      const answers = await Promise.all([
        who.call('POST', '/api/login', { username: person.email, password: person.password }),
        h.browser().call('POST', '/api/register/player', newPlayerInput()),
        h.browser().call('POST', '/api/register/instructor', newInstructorInput()),
        h.browser().call('POST', '/api/register/admin', admin),
      ])
      expect(answers.map(a => [a.status, a.headers.get('retry-after')])).toEqual(Array.from({ length: 4 }, () => [503, '2']))
    })
    expect(taken).toEqual([])
    await Promise.all(flood)
  })
})
