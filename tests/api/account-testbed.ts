import { afterAll, beforeAll, expect } from 'vitest'
import { findLinkForUnsentLetter } from '../../modules/accounts/emailed-links.ts'
import { derivedId } from '../../modules/kernel/decider.ts'
import { newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

export let accountTestServer: TestServer

/** Starts a server for the tests of the calling file. */
export function setUpAccountTestbed() {
  beforeAll(async () => {
    accountTestServer = await startTestServer()
  })
  afterAll(() => accountTestServer.end())
}

export const DAY_MS = 24 * 3600 * 1000
export const registerPlayer = async (more: object = {}) => {
  const person = newPlayerInput(more)
  const who = accountTestServer.browser()
  const answer = await who.call('POST', '/api/register/player', person)
  return { who, person, answer }
}
let others = 0
export const uniqueEmail = (name: string) => `${name}.${++others}@Example.com`
export const uniquePhoneSuffix = () => String(1000 + ++others)
export const lastPostedErrandWithLink = async (kind: string) => {
  const errand = (await accountTestServer.postedErrands(kind)).at(-1)!
  // The id of a letter's errand is derived from its link. The password reset letter is an exception: its errand's id is derived from the
  // recovery request.
  if (kind !== 'letter.reset-password') expect(errand.id).toBe(derivedId(errand.payload.link as string))
  return { errand, link: (await findLinkForUnsentLetter(accountTestServer.sql, errand.payload.link as string))! }
}

export const postedWelcomeErrands = async (user: string) =>
  (await accountTestServer.postedErrands('letter.welcome')).filter(e => e.payload.user === user)
export const welcomeErrand = (user: string) => ({ id: derivedId(user, 'welcome'), kind: 'letter.welcome', payload: { user } })
export const isFeatured = async (instructor: string) =>
  (await accountTestServer.sql`select 1 from instructors where id = ${instructor} and featured_until > now()`).length > 0
