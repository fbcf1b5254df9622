import { expect } from 'vitest'
import { scheduledJobs } from '../../src/server/module-registry.ts'
import type { TestUser } from '../api/full-server.ts'
import { startServerWithStripe } from '../api/server-with-stripe.ts'
import { newPlayerInput } from '../api/test-server.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'

export const HOUR_MS = 3600_000
export const DAY_MS = 24 * HOUR_MS
/** Registration checks ages by the machine's clock, so tests with minors begin next year: then they are minors by both clocks. */
export const CLOCK_START_YEAR = new Date().getUTCFullYear() + 1
/** The longest step by which one request can move the clock of the Stripe sandbox. */
const MAX_SANDBOX_HOURS = 10_000

/** Starts the complete server with its Stripe sandbox and mailbox, on a clock that begins at `startsAt` and that the test moves. */
export async function startServerWithMovableClock(startsAt: string) {
  const server = await startServerWithStripe({ startsAt: new Date(startsAt) })
  const { deps, movableClock, waitUntilIdle, letters } = server
  const now = () => deps.clock()

  /** Lets time pass: afterwards every errand that became due is done, and the scheduled jobs have run. */
  async function advanceClock(milliseconds: number) {
    await waitUntilIdle()
    await movableClock!.advanceClock(milliseconds)
    for (let hours = milliseconds / HOUR_MS; hours > 0; hours -= MAX_SANDBOX_HOURS)
      await server.control({ hours: Math.min(hours, MAX_SANDBOX_HOURS) })
    for (const { run } of scheduledJobs(deps)) await run(new AbortController().signal)
    await waitUntilIdle()
  }

  return {
    ...server,
    now,
    advanceClock,
    /** Lets time pass until this moment. */
    advanceClockTo: (moment: string | Date) => advanceClock(new Date(moment).getTime() - now().getTime()),
    /** Subjects of the letters to an address, oldest first. */
    subjects: async (to: string) => (await letters(to)).map(letter => letter.subject),
    /** Registers a minor whose guardian is asked for consent. `answer` sends the guardian's answer, with the token from the letter. */
    async family(more: object = {}) {
      const [email, guardianEmail] = [newPlayerInput().email, newPlayerInput().email]
      const dateOfBirth = `${CLOCK_START_YEAR - 15}-01-01`
      const minor = await server.player({ email, firstName: 'Leo', dateOfBirth, guardianName: 'Maria García', guardianEmail, ...more })
      await waitUntilIdle()
      const [asked] = await letters(guardianEmail)
      const token = guardianTokenIn(asked)
      const guardian = server.browser()
      const answer = (body: object) => guardian.call('POST', `/api/guardian/${token}`, body)
      return { minor, email, guardian, guardianEmail, answer }
    },
    /** Saves the guardian's card and sets an allowance, so that the minor's sessions need no approval. */
    async payForChild(guardian: Pick<TestUser, 'call'>, child: string) {
      const { url } = (await guardian.call('POST', '/api/family/cards/setup', { back: '/family/money' })).body
      const session = new URL(await server.enterCard(url)).searchParams.get('setup')
      expect((await guardian.call('POST', '/api/family/cards/confirm', { session })).status).toBe(200)
      expect((await guardian.call('PUT', `/api/family/children/${child}/limit`, { monthly: 10_000 })).status).toBe(204)
    },
    /** Signs in again, because a login session ends after 30 days without use. */
    async signIn(who: Pick<TestUser, 'call'>, email: string) {
      expect((await who.call('POST', '/api/login', { username: email, password: newPlayerInput().password })).status).toBe(200)
    },
  }
}
export type ServerWithMovableClock = Awaited<ReturnType<typeof startServerWithMovableClock>>
