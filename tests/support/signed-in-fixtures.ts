import { randomUUID } from 'node:crypto'
import { type APIRequestContext, type BrowserContextOptions, type Page, request } from '@playwright/test'
import type { User } from '../../modules/accounts/contract.ts'
import type { AppProcess } from './app-process.ts'
import { approveInstructorOfAppProcess } from './approve-instructor.ts'
import { ensureFirstAdminCredentials } from './first-admin-credentials.ts'
import { test as base } from './playwright-base-fixtures.ts'

export { disablePreloadedData, expect } from './playwright-base-fixtures.ts'

type Role = User['role']
export const TEST_PASSWORD = 'correct horse'
let people = 0
/** Registration data for a new person; instructors also need `type` and `skills` in `more`. */
export const newPersonInput = (more: object = {}) => ({
  email: `member${process.pid}.${++people}@example.com`,
  password: TEST_PASSWORD,
  firstName: 'Ana',
  lastName: 'García',
  phone: '555-010-4477',
  dateOfBirth: '1990-05-05',
  ...more,
})
export const newInstructorInput = (more: object = {}) =>
  newPersonInput({ firstName: 'Casey', type: ['baseball'], skills: ['hitting', 'pitching'], ...more })

export interface SignedInTestUser {
  user: User
  /** The state for a browser context: the session cookie and the flag that says it exists. */
  state: Exclude<BrowserContextOptions['storageState'], string | undefined>
  /** Calls the API as this member, without a page. */
  api: APIRequestContext
}

interface Fixtures {
  /** A page of a signed-in member: one member per role and worker, or a new one if `more` is given. */
  as: (role: Role, more?: object) => Promise<Page>
  /**
   * A member with this role, registered through the API. Tests in the same worker share it, unless `more` (registration input) is given,
   * which registers a new one.
   */
  member: (role: Role, more?: object) => Promise<SignedInTestUser>
}

// This is not a worker fixture, because tests with different worker fixtures run in different workers, each with its own app.
const known = new Map<AppProcess, Map<Role, Promise<SignedInTestUser>>>()

export const test = base.extend<Fixtures>({
  member: async ({ app }, use) => {
    const ours = known.get(app) ?? new Map<Role, Promise<SignedInTestUser>>()
    known.set(app, ours)
    await use((role, more) => {
      if (more) return join(app, role, more)
      const member = ours.get(role) ?? join(app, role)
      ours.set(role, member)
      return member
    })
  },
  as: async ({ member, person }, use) => use(async (role, more) => person({ storageState: (await member(role, more)).state })),
})

/** Registers a member, or logs in as the first administrator, who also approves instructors unless they are `unvetted`. */
async function join(app: AppProcess, role: Role, { unvetted, ...more }: { unvetted?: boolean } = {}): Promise<SignedInTestUser> {
  const api = await request.newContext({ baseURL: app.url, extraHTTPHeaders: { origin: app.url } })
  const data =
    role === 'admin' ? await ensureFirstAdminCredentials(app) : role === 'instructor' ? newInstructorInput(more) : newPersonInput(more)
  const headers = { 'idempotency-key': randomUUID() }
  const ask = () => api.post(role === 'admin' ? '/api/login' : `/api/register/${role}`, { data, headers, timeout: 0 })
  let answer = await ask()
  // On 503 (the read models are late) retry the same request, as our pages do.
  for (let tries = 0; answer.status() === 503 && tries < 5; tries++) answer = await ask()
  if (!answer.ok()) throw new Error(`${role} was not registered: ${answer.status()} ${await answer.text()}`)
  const user: User = await answer.json()
  if (role === 'instructor' && !unvetted) await approveInstructorOfAppProcess(app, user.id)
  const { cookies } = await api.storageState()
  const localStorage = [{ name: 'isLoggedIn', value: 'true' }]
  return { user, state: { cookies, origins: [{ origin: app.url, localStorage }] }, api }
}

/**
 * Puts the page's clock under the test's control; the clock keeps running until `pauseClock`. Also records the delays of `setTimeout` for
 * `waitForPageTimer`. Must be called before the first page is opened.
 */
export async function installClock(page: Page) {
  await page.clock.install({ time: new Date() })
  await page.addInitScript(() => {
    const delays: number[] = []
    const set = window.setTimeout
    const recording = (then: () => void, ms = 0) => {
      delays.push(ms)
      return set(then, ms)
    }
    Object.assign(window, { delays, setTimeout: recording })
  })
}

/** Stops the page's clock one second in the future; then only calls like `page.clock.runFor` move it on. Requires `installClock`. */
export const pauseClock = (page: Page) => page.clock.pauseAt(new Date(Date.now() + 1000))

/** Installs a clock that is paused from the start. */
export async function freezeClock(page: Page) {
  await installClock(page)
  await pauseClock(page)
}

/** Waits until the page has called `setTimeout` with this delay in ms. Requires `installClock`. */
export const waitForPageTimer = (page: Page, ms: number) =>
  page.waitForFunction(ms => (window as unknown as { delays: number[] }).delays.includes(ms), ms)
