import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newHashParameters, OWASP_ARGON2ID_PARAMETERS } from '../../modules/accounts/passwords.ts'
import {
  accountTestServer,
  isFeatured,
  lastPostedErrandWithLink,
  postedWelcomeErrands,
  registerPlayer,
  setUpAccountTestbed,
  uniqueEmail,
  welcomeErrand,
} from './account-testbed.ts'
import { expectRefusal } from './full-server.ts'
import { birthDateForAge, newInstructorInput, newPlayerInput } from './test-server.ts'

// One of these tests checks the parameters of a stored hash, which other files replace with cheap ones.
Object.assign(newHashParameters, OWASP_ARGON2ID_PARAMETERS)

setUpAccountTestbed()

const NAME_WRONG = 'Enter a name: letters, spaces, hyphens and apostrophes'
const COMMON = 'This password is too common. Choose another one, such as a few words'

test.each(['Zoë', 'Nguyễn Văn', "O'Neil", 'O’Brien-Smith', 'J. R.', 'J.R.', 'Juan Carlos 3rd', '孫', 'Ramírez, Jr.', 'می\u200cخواهم'])(
  '%s is accepted as a name',
  async firstName => {
    expect((await registerPlayer({ firstName })).answer.body.firstName).toBe(firstName)
  },
)

describe('registration of a player', () => {
  // @spec:3.3 @spec:7.7
  test('returns the user and signs them in', async () => {
    const friend = await registerPlayer()
    const { code } = (await friend.who.call('GET', '/api/rewards')).body
    const email = uniqueEmail('Robin')
    const { who, person, answer } = await registerPlayer({ email, referralCode: code, packageType: 'single' })
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
      expect.stringMatching(/^session=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=34560000$/),
      'known=1; Path=/; SameSite=Lax; Max-Age=34560000',
      expect.stringMatching(/^device=[\w-]{43}; HttpOnly; Path=\/; SameSite=Lax; Max-Age=7776000$/),
    ])
    const [row] = await accountTestServer.sql`select referral_code, password from users where id = ${user.id}`
    expect(row!.referral_code).toBe(code)
    expect(row!.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await postedWelcomeErrands(user.id)).toEqual([welcomeErrand(user.id)])
    expect((await accountTestServer.postedErrands('letter.guardian')).filter(e => e.payload.user === user.id)).toEqual([])
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
    ['dateOfBirth', birthDateForAge(13, -1), 'You must be at least 13 years old to register'],
    ['username', 'ab', 'Username must be at least 3 characters'],
    ['username', 'someone-else@example.com', 'Your username is your email address'],
    ['referralCode', 'NOBODY7', "We don't know this referral code. Check it, or leave it empty."],
    ['admin', true, 'This field is not part of the request.'],
  ])('with %s %j is refused with the message: %s', async (field, value, message) => {
    const { answer } = await registerPlayer({ [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toContainEqual({ field, message })
  })

  test('with a known email is refused in any letter case; repeating the request is fine', async () => {
    const key = randomUUID()
    const person = newPlayerInput({ email: uniqueEmail('Twice') })
    const first = await accountTestServer.browser().call('POST', '/api/register/player', person, { 'idempotency-key': key })
    const again = await accountTestServer.browser().call('POST', '/api/register/player', person, { 'idempotency-key': key })
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
    const other = await accountTestServer
      .browser()
      .call('POST', '/api/register/player', { ...person, email: person.email.replace('Twice', 'tWICE') })
    expect([other.status, other.body.message, other.body.field]).toEqual([409, 'Username already exists', 'email'])
    const guess = await accountTestServer
      .browser()
      .call('POST', '/api/register/player', { ...person, password: 'not the one' }, { 'idempotency-key': key })
    expect(guess.status).toBe(409)
  })

  test('sent twice concurrently with one idempotency key creates one account', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const person = newPlayerInput({ email: uniqueEmail('retry') })
    const register = () => accountTestServer.browser().call('POST', '/api/register/player', person, key)
    const [first, retried] = await Promise.all([register(), register()])
    expect([first.status, retried.status]).toEqual([201, 201])
    expect(retried.body.id).toBe(first.body.id)
  })

  test('with an unknown referral code fails; without the code it then succeeds', async () => {
    const { person, answer } = await registerPlayer({ referralCode: 'NOBODY7' })
    expect([answer.status, answer.body.field]).toEqual([422, 'referralCode'])
    for (const referralCode of [' ', '', null, undefined]) {
      const again = await accountTestServer.browser().call('POST', '/api/register/player', { ...newPlayerInput(), referralCode })
      expect([referralCode, again.status]).toEqual([referralCode, 201])
    }
    expect((await accountTestServer.browser().call('POST', '/api/register/player', { ...person, referralCode: undefined })).status).toBe(
      201,
    )
  })

  test('creates one account for concurrent requests with different keys', async () => {
    const person = newPlayerInput()
    const answers = await Promise.all([1, 2, 3].map(() => accountTestServer.browser().call('POST', '/api/register/player', person)))
    expect(answers.map(a => a.status).sort()).toEqual([201, 409, 409])
  })

  test('with an invite code connects to the instructor; an unknown code is ignored', async () => {
    const teacher = accountTestServer.browser()
    const registered = await teacher.call('POST', '/api/register/instructor', newInstructorInput())
    const { code } = (await teacher.call('GET', '/api/invite')).body
    const invited = await registerPlayer({ inviteCode: code.toLowerCase() })
    const connected = await accountTestServer.sql`select instructor from connections where player = ${invited.answer.body.id}`
    expect(connected).toEqual([{ instructor: registered.body.id }])
    const { answer } = await registerPlayer({ inviteCode: 'NOSUCH' })
    expect(answer.status).toBe(201)
  })
})

test("a guardian's name is validated when it is changed, too", async () => {
  const { who } = await registerPlayer({ dateOfBirth: birthDateForAge(14), guardianName: 'Pat', guardianEmail: 'pat@example.com' })
  for (const name of ['You won $500', 'go to evil.example', 'Pat\r\nLee']) {
    const { status, body } = await who.call('POST', '/api/guardian', { name, email: 'pat@example.com' })
    expect([status, body.errors]).toEqual([422, [{ field: 'name', message: NAME_WRONG }]])
  }
})

describe('registration of an instructor', () => {
  // @spec:3.8 @spec:5.9
  test('requires a sport, a skill and an age of at least 18', async () => {
    const at = async (more: object) =>
      (await accountTestServer.browser().call('POST', '/api/register/instructor', newInstructorInput(more))).body.errors?.[0]?.message
    expect(await at({ type: [] })).toBe('Please select at least one sport type')
    expect(await at({ type: undefined })).toBe('Please select at least one sport type')
    expect(await at({ skills: [] })).toBe('Please select at least one skill')
    expect(await at({ dateOfBirth: birthDateForAge(18, -1) })).toBe('Instructors must be at least 18 years old')
    expect(await at({ skills: ['running'] })).toBeTruthy()
    expect(await at({ referralCode: 'NOBODY7' })).toBe("We don't know this referral code. Check it, or leave it empty.")
  })
  test('creates a profile with its own URL', async () => {
    await accountTestServer.sql`delete from users where first_name in ('Zoë', 'Zoe')`
    const one = await accountTestServer
      .browser()
      .call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Zoë', lastName: "O'Neil" }))
    const two = await accountTestServer
      .browser()
      .call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Zoe', lastName: 'O Neil' }))
    expect([one.status, one.body.profileSlug, two.body.profileSlug]).toEqual([201, 'zoe-o-neil', 'zoe-o-neil-2'])
    expect(await postedWelcomeErrands(one.body.id)).toEqual([welcomeErrand(one.body.id)])
    const { code: referralCode } = (await (await registerPlayer()).who.call('GET', '/api/rewards')).body
    const brought = await accountTestServer.browser().call('POST', '/api/register/instructor', newInstructorInput({ referralCode }))
    expect([await isFeatured(one.body.id), await isFeatured(brought.body.id)]).toEqual([false, true])
  })
})

// @spec:7.12
test('check-email says whether an account with this email exists', async () => {
  const { person } = await registerPlayer()
  const { call } = accountTestServer.browser()
  expect((await call('GET', `/api/check-email?email=${encodeURIComponent(person.email.toUpperCase())}`)).body).toEqual({ exists: true })
  expect((await call('GET', '/api/check-email?email=nobody@example.com')).body).toEqual({ exists: false })
  expect((await call('GET', '/api/check-email')).status).toBe(422)
})

describe('a player under 18', () => {
  const minor = (more: object = {}) => ({
    dateOfBirth: birthDateForAge(15),
    guardianName: 'Pat',
    guardianEmail: 'pat@example.com',
    ...more,
  })

  test('must name a guardian with a different email address', async () => {
    const { answer } = await registerPlayer({ dateOfBirth: birthDateForAge(18, -1) })
    expect(answer.body.errors).toEqual([
      { field: 'guardianName', message: "Your parent or guardian's name is required" },
      { field: 'guardianEmail', message: "Your parent or guardian's email is required" },
    ])
    const own = await registerPlayer({ ...minor({ email: 'kid@example.com', guardianEmail: 'KID@example.com' }) })
    expect(own.answer.body.errors[0].message).toBe("Enter your parent or guardian's own email address")
    expect((await registerPlayer({ dateOfBirth: birthDateForAge(18) })).answer.status).toBe(201)
  })

  test('waits until the guardian agrees through the link', async () => {
    const { who, answer } = await registerPlayer(minor())
    expect(answer.body.guardian).toBe('waiting')
    const { link, errand } = await lastPostedErrandWithLink('letter.guardian')
    expect([link.email, errand.payload.user]).toEqual(['pat@example.com', answer.body.id])
    const pat = accountTestServer.browser()
    expect((await pat.call('GET', `/api/guardian/${link.token}`)).body).toEqual({
      playerFirstName: 'Ana',
      guardianName: 'Pat',
      isAccountKept: false,
    })
    expect((await pat.call('POST', `/api/guardian/${link.token}`, { answer: 'yes' })).status).toBe(204)
    expect((await pat.call('POST', `/api/guardian/${link.token}`, { answer: 'yes' })).status).toBe(404)
    expect((await who.call('GET', '/api/user')).body.guardian).toBe('confirmed')
    expect((await pat.call('GET', `/api/guardian/${'x'.repeat(43)}`)).status).toBe(404)
    expectRefusal(
      await who.call('POST', '/api/guardian', { name: 'Mo', email: 'mo@example.com' }),
      409,
      'guardian-confirmed',
      'Your parent or guardian has already agreed.',
    )
  })

  test('may name another guardian until one agrees, which makes the first link invalid', async () => {
    const { who, person } = await registerPlayer(minor())
    const { link: first } = await lastPostedErrandWithLink('letter.guardian')
    expect((await who.call('POST', '/api/guardian', { name: 'Mo', email: 'mo@example.com' })).status).toBe(204)
    const { link } = await lastPostedErrandWithLink('letter.guardian')
    expect(link.email).toBe('mo@example.com')
    expect((await who.call('GET', '/api/guardian')).body).toMatchObject({ name: 'Mo', email: 'mo@example.com', undeliverable: false })
    const own = await who.call('POST', '/api/guardian', { name: 'Mo', email: person.email.toUpperCase() })
    expect([own.status, own.body]).toMatchObject([
      ...[409, { code: 'own-address', field: 'email', message: "Enter your parent or guardian's own email address" }],
    ])
    expect((await who.call('GET', '/api/guardian')).body.email).toBe('mo@example.com')
    expect((await (await registerPlayer()).who.call('GET', '/api/guardian')).status).toBe(404)
    expect((await accountTestServer.browser().call('GET', `/api/guardian/${first.token}`)).status).toBe(404)
    expect((await accountTestServer.browser().call('GET', `/api/guardian/${link.token}`)).body.guardianName).toBe('Mo')
  })
})
