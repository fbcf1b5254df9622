import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { newInstructorInput, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

let emailCount = 0
/** An unused email address, spelled with capitals. */
const unusedEmail = () => `Fan${++emailCount}@Example.com`
const storedEmails = async () => (await h.sql<{ email: string }[]>`select email from leads order by email`).map(row => row.email)
const metadataOf = async (email: string) => (await h.sql`select metadata from leads where email = ${email.toLowerCase()}`)[0]?.metadata
const adminSetupToken = async () => (await createEmailedLinkToken(h.sql, h.deps.clock(), 'admin-setup')).token
const submitLead = (body: object) => h.browser().call('POST', '/api/landing-page/leads', body)

describe('a lead', () => {
  // @spec:7.13
  test('is saved once, with the visit data that the page collected', async () => {
    const email = unusedEmail()
    const metadata = {
      source: 'hero',
      timestamp: '2025-04-28T10:00:00Z',
      userAgent: 'x',
      screenSize: '390x844',
      pageLoadTime: 512.5,
      isMobile: true,
    }
    expect((await submitLead({ email, not_for_humans: '', metadata })).body).toEqual({ alreadyExists: false })
    expect((await submitLead({ email: email.toLowerCase() })).body).toEqual({ alreadyExists: true })
    expect(await metadataOf(email)).toEqual(metadata)
    const plain = unusedEmail()
    await submitLead({ email: plain })
    expect(await metadataOf(plain)).toEqual({})
  })

  // @spec:5.22
  test('from a bot is accepted but not stored', async () => {
    const email = unusedEmail()
    expect((await submitLead({ email, not_for_humans: 'yes' })).body).toEqual({ alreadyExists: false })
    expect(await metadataOf(email)).toBeUndefined()
  })

  // @spec:5.19 @spec:5.21
  test.each([
    ['x@y', 'Please enter a valid email address'],
    ['nobody.example', 'Please enter a valid email address'],
    [`${'x'.repeat(250)}@y.zz`, 'Email address is too long'],
    ['me@grr.la', 'Please use your regular email address'],
    ['me@Mailinator.com', 'Please use your regular email address'],
    ['me@sub.mailinator.com', 'Please use your regular email address'],
  ])('with email %s is refused with: %s', async (email, message) => {
    const { status, body } = await submitLead({ email })
    expect([status, body.message, body.errors[0].field]).toEqual([422, message, 'email'])
  })

  test.each(['player', 'instructor', 'admin'] as const)(
    'is deleted when its person registers as %s, in any spelling of the email',
    async role => {
      const [email, other] = [unusedEmail(), unusedEmail()]
      await submitLead({ email: email.toUpperCase() })
      await submitLead({ email: other })
      expect(await storedEmails()).toContain(email.toLowerCase())
      const { dateOfBirth: _, ...admin } = newPlayerInput({ email })
      const person = {
        player: newPlayerInput({ email }),
        instructor: newInstructorInput({ email }),
        admin: { ...admin, token: await adminSetupToken() },
      }[role]
      expect((await h.browser().call('POST', `/api/register/${role}`, person)).status).toBe(201)
      expect(await storedEmails()).not.toContain(email.toLowerCase())
      expect(await storedEmails()).toContain(other.toLowerCase())
    },
  )

  test('is kept if the registration is refused, even at the last check', async () => {
    const email = unusedEmail()
    await submitLead({ email })
    // An administrator exists by now, so the setup link is refused. That is checked last, and the lead must stay.
    const { dateOfBirth: _, ...person } = newPlayerInput({ email, token: await adminSetupToken() })
    expect((await h.browser().call('POST', '/api/register/admin', person)).status).toBe(403)
    expect(await storedEmails()).toContain(email.toLowerCase())
  })
})

describe("the landing page's form without JavaScript", () => {
  const asked: Record<string, string> = { 'user-agent': 'iPhone', 'accept-language': 'es-MX,es;q=0.9' }
  /** Submits the form. Returns the query parameters of the redirect, which name the next step of the sign-up. */
  const start = async (fields: Record<string, string>, headers = asked) => {
    const form = new TextEncoder().encode(String(new URLSearchParams(fields)))
    const always = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
    const answer = await h.browser().call('POST', '/api/landing-page/start', form, always)
    expect(answer.status).toBe(303)
    const [page, query] = answer.headers.get('location')!.split('?')
    expect(page).toBe('/start')
    return Object.fromEntries(new URLSearchParams(query))
  }

  test('saves the email with the visit data and leads to the next step', async () => {
    const [email, plain] = [unusedEmail(), unusedEmail()]
    expect(await start({ email: ` ${email} ` })).toEqual({ step: 'role', email })
    const metadata = { source: 'landing-page', timestamp: expect.stringMatching(/^\d{4}-.*Z$/), userAgent: 'iPhone', language: 'es-MX' }
    expect(await metadataOf(email)).toEqual({ ...metadata, isMobile: true })
    expect(await start({ email: plain, not_for_humans: '' }, {})).toEqual({ step: 'role', email: plain })
    expect(await metadataOf(plain)).toMatchObject({ userAgent: '', language: '', isMobile: false })
    const long = unusedEmail()
    await start({ email: long }, { 'user-agent': 'x'.repeat(1001), 'accept-language': 'y'.repeat(101) })
    expect(await metadataOf(long)).toMatchObject({ userAgent: 'x'.repeat(1000), language: 'y'.repeat(100) })
  })

  test('sends a visitor with an account to the login and saves no lead', async () => {
    const { email } = newPlayerInput()
    await h.browser().call('POST', '/api/register/player', newPlayerInput({ email }))
    expect(await start({ email })).toEqual({ step: 'login', email })
    expect(await metadataOf(email)).toBeUndefined()
  })

  test('asks again after an invalid email or a known disposable mailbox', async () => {
    expect(await start({})).toEqual({ step: 'email', email: '' })
    expect(await start({ email: 'x@y' })).toEqual({ step: 'email', email: 'x@y' })
    const long = `${'x'.repeat(250)}@y.zz`
    expect(await start({ email: long })).toEqual({ step: 'email', email: long.slice(0, 254) })
    expect(await start({ email: 'a\0b@example.com' })).toEqual({ step: 'email', email: 'a\0b@example.com' })
    expect(await start({ email: 'me@Mailinator.com' })).toEqual({ step: 'email', email: 'me@Mailinator.com', why: 'blocked' })
  })

  test('continues without a lead for bots and other disposable mailboxes, and in outages', async () => {
    expect(await start({ email: 'me@sub.mailinator.com' })).toEqual({ step: 'role', email: 'me@sub.mailinator.com' })
    expect(await metadataOf('me@sub.mailinator.com')).toBeUndefined()
    const [robot, unlucky] = [unusedEmail(), unusedEmail()]
    const long = `${'x'.repeat(250)}@y.zz`
    expect(await start({ email: robot, not_for_humans: 'yes' })).toEqual({ step: 'role', email: robot })
    expect(await start({ email: long, not_for_humans: 'yes' })).toEqual({ step: 'role', email: long.slice(0, 254) })
    expect(await metadataOf(robot)).toBeUndefined()
    const { limits } = h.deps
    h.deps.limits = { take: () => Promise.reject(new Error('away')) }
    const away = await start({ email: unlucky }).finally(() => {
      h.deps.limits = limits
    })
    expect(away).toEqual({ step: 'role', email: unlucky })
    expect(await metadataOf(unlucky)).toBeUndefined()
  })
})
