import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLink } from '../../modules/accounts/links.ts'
import { coach, type Harness, harness, somebody } from './harness.ts'

let h: Harness
beforeAll(async () => {
  h = await harness()
})
afterAll(() => h.end())

const kept = async () => (await h.sql<{ email: string }[]>`select email from leads order by email`).map(row => row.email)
const setup = async () => (await makeLink(h.sql, h.deps.clock(), 'admin-setup')).token
const leave = (email: string) => h.browser().call('POST', '/api/landing-page/leads', { email })

test.each(['player', 'instructor', 'admin'] as const)(
  'a lead goes when its person registers as %s, however the address is spelled',
  async role => {
    const email = `Lead.${role}@Example.com`
    await leave(email.toUpperCase())
    const other = `other.${role}@example.com`
    await leave(other)
    expect(await kept()).toContain(email.toLowerCase())
    const { dateOfBirth: _, ...admin } = somebody({ email })
    const person = { player: somebody({ email }), instructor: coach({ email }), admin: { ...admin, token: await setup() } }[role]
    expect((await h.browser().call('POST', `/api/register/${role}`, person)).status).toBe(201)
    expect(await kept()).not.toContain(email.toLowerCase())
    expect(await kept()).toContain(other)
  },
)

test('a registration that is refused, even at its end, leaves the lead', async () => {
  await leave('early@example.com')
  // There is an administrator by now: this link is looked at last.
  const { dateOfBirth: _, ...person } = somebody({ email: 'early@example.com', token: await setup() })
  expect((await h.browser().call('POST', '/api/register/admin', person)).status).toBe(403)
  expect(await kept()).toContain('early@example.com')
})
