import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CookieClient, newInstructorInput, newPlayerInput, startTestServer, type TestServer } from '../test-server.ts'

let h: TestServer
let player: CookieClient
let friend: string
beforeAll(async () => {
  h = await startTestServer({ work: true })
  player = h.browser({ 'user-agent': 'Mozilla/5.0 (dugout)' })
  await player.call('POST', '/api/register/player', newPlayerInput())
  friend = (await player.call('GET', '/api/rewards')).body.code
})
afterAll(() => h.end())

const sendSupportRequest = (more: object = {}) =>
  player.call('POST', '/api/support/request', { requestType: 'issue', content: 'The video stops at contact.', ...more })

describe('a support request', () => {
  // @spec:3.9
  test('keeps and lists type, content, deviceInfo, priority and suggestedSolution', async () => {
    const given = { requestType: 'feature', content: 'Slow motion by two fingers', deviceInfo: 'a phone', priority: 'low' }
    const { status, body, headers } = await sendSupportRequest({ ...given, suggestedSolution: 'Like the photos app' })
    expect([status, body]).toMatchObject([201, { ...given, suggestedSolution: 'Like the photos app' }])
    const mine = await player.call('GET', '/api/support/my-requests', undefined, { 'x-seen': headers.get('x-position')! })
    expect(mine.body).toMatchObject([{ id: body.id, ...given }])
  })
  // @spec:3.10 @spec:4.22 @spec:5.15
  test("defaults to medium priority and the browser's user agent; the rest is optional", async () => {
    const { status, body } = await sendSupportRequest()
    expect([status, body.priority, body.deviceInfo, body.suggestedSolution]).toEqual([201, 'medium', 'Mozilla/5.0 (dugout)', null])
  })
  // @spec:5.13 @spec:9.9
  test.each([
    ['requestType', undefined, 'Please select a request type'],
    ['requestType', '', 'Please select a request type'],
    ['content', 'too short', 'Request content must be at least 10 characters'],
    ['content', undefined, 'Request content must be at least 10 characters'],
  ])('with %s %j is refused with a sentence', async (field, value, message) => {
    const { status, body } = await sendSupportRequest({ [field]: value })
    expect([status, body.message, body.errors]).toEqual([422, message, [{ field, message }]])
  })
  // @spec:5.14
  test('has a priority of low, medium, high or critical', async () => {
    for (const priority of ['low', 'medium', 'high', 'critical'])
      expect((await sendSupportRequest({ priority })).body.priority).toBe(priority)
    expect((await sendSupportRequest({ priority: 'urgent' })).status).toBe(422)
  })
  test('requires a signed-in person', async () => {
    expect((await h.browser().call('POST', '/api/support/request', { requestType: 'issue', content: 'Nobody says so' })).status).toBe(401)
  })
})

// @spec:3.1 @spec:7.5
test('a signed-in user has username, role, id and firstName; a 401 means no session', async () => {
  const person = newPlayerInput({ email: 'Shown@Example.com' })
  const who = h.browser()
  await who.call('POST', '/api/register/player', person)
  expect((await who.call('GET', '/api/user', undefined, { accept: 'application/json' })).body).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    username: 'shown@example.com',
    role: 'player',
    firstName: 'Ana',
    lastName: 'García',
    email: 'Shown@Example.com',
    profilePicture: null,
    profileSlug: null,
  })
  expect((await h.browser().call('GET', '/api/user')).status).toBe(401)
})

// @spec:3.2 @spec:3.14
test('a player registers with all required fields, an invite code and a package type', async () => {
  const person = newPlayerInput({ referralCode: friend, inviteCode: 'NOBODY', packageType: 'triple' })
  const made = await h.browser().call('POST', '/api/register/player', { ...person, username: person.email })
  expect([made.status, made.body.username, made.body.role]).toEqual([201, person.email, 'player'])
  const [kept] = await h.sql`select phone from users where id = ${made.body.id}`
  expect(kept!.phone).toBe(person.phone)
})

// @spec:3.16 @spec:7.8
test('an instructor registers with type and skills, too; a failure has a message', async () => {
  const person = newInstructorInput({ type: ['softball', 'baseball'], skills: ['pitching'], referralCode: friend, inviteCode: 'NOBODY' })
  const made = await h.browser().call('POST', '/api/register/instructor', { ...person, username: person.email })
  expect([made.status, made.body.role]).toEqual([201, 'instructor'])
  const again = await h.browser().call('POST', '/api/register/instructor', person)
  expect([again.status, again.body.message]).toEqual([409, 'Username already exists'])
})

// @spec:3.4 @spec:6.7
test('instructors are a list with id, user, profilePicture, type and skills', async () => {
  const listed = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Listed', lastName: 'Coach' }))
  await h.approve(listed.body.id)
  const { body } = await h.browser().call('GET', '/api/instructors')
  expect(body).toContainEqual(
    expect.objectContaining({
      id: expect.any(String),
      user: { firstName: 'Listed', lastName: 'Coach', profileSlug: 'listed-coach' },
      profilePicture: null,
      type: ['baseball'],
      skills: ['hitting', 'catching'],
    }),
  )
})

// @spec:3.22 @spec:7.17
test('an invitation names the instructor it comes from; an unknown one names nobody', async () => {
  const teacher = h.browser()
  const { id } = (await teacher.call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Inviting' }))).body
  const { code } = (await teacher.call('GET', '/api/invite')).body
  const found = await h.browser().call('GET', `/api/instructors/by-invite/${code}`)
  expect(found.body).toMatchObject({ id, user: { firstName: 'Inviting', lastName: 'García', profilePicture: null }, profilePicture: null })
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'green' } })
    .png()
    .toBuffer()
  const { profilePicture } = (await teacher.call('PUT', '/api/user/picture', picture, { 'content-type': 'image/png' })).body
  const pictured = await h.browser().call('GET', `/api/instructors/by-invite/${code}`)
  expect(pictured.body).toMatchObject({ user: { profilePicture }, profilePicture })
  expect((await h.browser().call('GET', '/api/instructors/by-invite/NOBODY')).status).toBe(404)
})

// @spec:3.6 @spec:3.20
test('an instructor without ratings has a null rating, and the API has no posts', async () => {
  const unrated = await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ firstName: 'Unrated' }))
  await h.approve(unrated.body.id)
  const { body } = await h.browser().call('GET', '/api/instructors')
  const one = body.find((i: { user: { firstName: string } }) => i.user.firstName === 'Unrated')
  expect(Object.keys(one).sort()).toEqual([
    ...['checks', 'featured', 'id', 'profilePicture', 'rating'],
    ...['responseHours', 'sessionsGiven', 'skills', 'type', 'user'],
  ])
  expect(one.rating).toBeNull()
  expect((await h.browser().call('GET', '/api/posts')).status).toBe(404)
  const { paths } = (await h.browser().call('GET', '/api/openapi.json')).body
  expect(Object.keys(paths).filter(path => /\/posts?\b/.test(path))).toEqual([])
})
