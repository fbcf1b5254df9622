import { randomUUID } from 'node:crypto'
import { type APIResponse, expect, type Page } from '@playwright/test'
import type { Video } from '../../modules/folders/contract.ts'
import { isBeingPrepared } from '../../src/player/clip-preparation-status.ts'
import { type AppProcess, startedAppByOrigin } from '../support/app-process.ts'
import { approveInstructorOfAppProcess } from '../support/approve-instructor.ts'
import { ensureFirstAdminCredentials } from '../support/first-admin-credentials.ts'
import { TEST_PASSWORD } from '../support/signed-in-fixtures.ts'
import { testCardDetails } from '../support/test-card-details.ts'

export interface TestAccount {
  id: string
  email: string
  firstName: string
  lastName: string
}

/**
 * Calls the API as this page's signed-in browser would. An assignment without `seen` (the price that the player saw) gets the current
 * quote. Feedback is sent once the videos of its session are prepared, because it would be refused or cost less before.
 * @throws Error that quotes the response if the request is not successful
 */
export async function callApi(page: Page, method: string, path: string, data?: unknown): Promise<APIResponse> {
  const [, folder] = /^\/api\/folders\/([^/]+)\/assign$/.exec(path) ?? []
  if (folder && !('seen' in (data as object))) {
    const { total, atMost } = await (await callApi(page, 'GET', `/api/folders/${folder}/quote`)).json()
    const reply = await callApi(page, method, path, { ...(data as object), seen: { total, atMost } })
    // A test often opens the instructor's page next. That page does not know the position of this assignment, so wait here until the read
    // models have reached it.
    await page.request.get(`/api/folders/${folder}`, { headers: { 'x-seen': reply.headers()['x-position']! }, timeout: 0 })
    return reply
  }
  const [, reviewed] = /^\/api\/folders\/([^/]+)\/feedback(?:\?|$)/.exec(path) ?? []
  if (method === 'POST' && reviewed) await expect.poll(() => hasUnpreparedVideo(page, reviewed), { timeout: 240_000 }).toBe(false)
  const { origin } = new URL(page.url() === 'about:blank' ? await base(page) : page.url())
  const headers = { origin, 'idempotency-key': randomUUID() }
  // Only the test's own timeout limits the setup, not the shorter timeout of an action.
  const ask = () => page.request.fetch(path, { method, headers, timeout: 0, ...(data !== undefined && { data }) })
  let reply = await ask()
  // If the database does not respond in time, repeat the same command, as our pages do.
  for (let tries = 0; reply.status() === 503 && tries < 5; tries++) reply = await ask()
  if (!reply.ok()) throw new Error(`${method} ${path} answered ${reply.status()}: ${await reply.text()}`)
  const position = reply.headers()['x-position']
  if (position) await page.context().addInitScript(see, position)
  return reply
}
/** Whether a video of the instructor's latest session in this folder is still being prepared. */
async function hasUnpreparedVideo(page: Page, folder: string): Promise<boolean> {
  const { session } = await (await page.request.get(`/api/folders/${folder}`, { timeout: 0 })).json()
  return session?.clips.some((clip: Video) => !clip.rendition || isBeingPrepared(clip)) ?? true
}
/** Makes this browser's pages request data up to at least `position`, as if one of them had written it. */
function see(position: string) {
  try {
    if (BigInt(sessionStorage.getItem('position') ?? -1) < BigInt(position)) sessionStorage.setItem('position', position)
  } catch {
    // about:blank has no storage.
  }
}
const base = async (page: Page) => (await page.request.get('/api/health')).url()

const email = (name: string) => `${name.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`
const someone = (firstName: string, lastName: string) => ({
  firstName,
  lastName,
  email: email(firstName),
  phone: '555 123 4567',
  password: TEST_PASSWORD,
})

/** Registers an adult player through the API, and signs this page in. */
export async function signUpAsPlayer(page: Page, firstName = 'Mia', lastName = 'Torres', more: object = {}): Promise<TestAccount> {
  const person = { ...someone(firstName, lastName), dateOfBirth: '1999-04-01', ...more }
  return (await callApi(page, 'POST', '/api/register/player', person)).json()
}

/** Registers an instructor through the API, has an administrator approve them, and signs this page in. */
export async function signUpAsInstructor(page: Page, firstName = 'Ray', lastName = 'Delgado', more: object = {}): Promise<TestAccount> {
  const person = {
    ...someone(firstName, lastName),
    dateOfBirth: '1984-06-02',
    type: ['baseball'],
    skills: ['hitting', 'fielding'],
    ...more,
  }
  const known: TestAccount = await (await callApi(page, 'POST', '/api/register/instructor', person)).json()
  await approveInstructorOfAppProcess(startedAppByOrigin(new URL(await base(page)).origin), known.id)
  return known
}

/** Signs this page in as the first administrator. */
export const signInAsAdmin = async (page: Page, app: AppProcess) =>
  void (await callApi(page, 'POST', '/api/login', await ensureFirstAdminCredentials(app)))

/** Saves one of the test cards on the provider's hosted page, which then redirects to ours. */
export async function saveCardOnHostedPage(page: Page, number = '4242 4242 4242 4242') {
  await expect(page.getByRole('heading', { name: 'Save a card' })).toBeVisible()
  await page.getByRole('button', { name: number }).click()
  await page.getByLabel('Name on card').fill('A. Player')
  await page.getByRole('button', { name: 'Save card' }).click()
  const bank = page.getByRole('button', { name: 'Complete authentication' })
  await expect(bank.or(page.getByRole('link', { name: 'Dashboard' }))).toBeVisible()
  if (await bank.isVisible()) await bank.click()
}

/** Creates a folder with one video through the API. Returns their ids. */
export async function createFolderWithVideo(
  page: Page,
  name: string,
  file: Buffer,
  type = 'video/mp4',
): Promise<{ folder: string; video: string }> {
  const folder = randomUUID()
  await callApi(page, 'POST', '/api/folders', { id: folder, name })
  return { folder, video: await addVideo(page, folder, file, { type }) }
}

/** Uploads one more video to a folder through the API. Returns its id. */
export async function addVideo(page: Page, folder: string, file: Buffer, { name = 'swing.mp4', type = 'video/mp4' } = {}): Promise<string> {
  const video = randomUUID()
  await callApi(page, 'POST', '/api/uploads', { id: video, folder, name, type, bytes: file.length, fingerprint: video })
  const { parts } = await (await callApi(page, 'POST', `/api/uploads/${video}/sign`, { numbers: [1] })).json()
  const put = await page.request.put(parts[0].url, { data: file, headers: { 'content-type': type } })
  expect(put.ok()).toBe(true)
  await callApi(page, 'POST', `/api/uploads/${video}/complete`, { milliseconds: 2000, width: 320, height: 240, poster: false })
  return video
}

/** Saves a card by posting the provider's form, or on the provider's page if the bank asks for authentication. */
export async function saveCardByApi(page: Page, number = '4242 4242 4242 4242') {
  const { url } = await (await callApi(page, 'POST', '/api/cards/setup', { back: '/player/payment' })).json()
  const back = (await page.request.post(url, { form: testCardDetails(number), maxRedirects: 0 })).headers().location
  const session = back && new URL(back, url).searchParams.get('setup')
  if (session) {
    await callApi(page, 'POST', '/api/cards/confirm', { session })
    return
  }
  await page.goto(url)
  await saveCardOnHostedPage(page, number)
  await expect(page.getByRole('region', { name: 'Saved cards' }).getByText(`ending in ${number.slice(-4)}`)).toBeVisible()
}

/** Creates a folder with one video, saves a card and assigns the folder to the instructor. */
export async function createAssignedFolder(player: Page, instructor: TestAccount, name: string, file: Buffer, card?: string) {
  const made = await createFolderWithVideo(player, name, file)
  await saveCardByApi(player, card)
  await callApi(player, 'POST', `/api/folders/${made.folder}/assign`, {
    assignment: randomUUID(),
    instructor: instructor.id,
    message: 'My hands, please.',
  })
  return made
}

/** Creates an assigned folder and delivers its feedback; waits until the player can read it. */
export async function createReviewedFolder(player: Page, instructor: Page, coach: TestAccount, name: string, file: Buffer, card?: string) {
  const made = await createAssignedFolder(player, coach, name, file, card)
  await callApi(instructor, 'POST', `/api/folders/${made.folder}/review`)
  await callApi(instructor, 'POST', `/api/folders/${made.folder}/feedback`, {
    notes: [
      { id: randomUUID(), video: made.video, at: 400, kind: 'praise', text: 'Balanced. Stay there.' },
      { id: randomUUID(), video: made.video, at: 1200, kind: 'technique', text: 'Hands drift forward here.' },
    ],
    summary: 'Keep the hands back until the foot is down.',
    grades: [{ skill: 'hitting', grade: 55 }],
  })
  // Changes by other people are visible a moment later.
  await waitForFolderStatus(player, made.folder, 'feedback-given')
  return made
}

/**
 * Waits until `reader`, requesting `path`, gets everything that the page of `writer` has written so far. From then on, the pages of
 * `reader` show it, too.
 */
export async function waitUntilWritesAreVisible(reader: Page, writer: Page, path: string) {
  const position = await writer.evaluate(() => sessionStorage.getItem('position')!)
  const isStale = async () => (await reader.request.get(path, { headers: { 'x-seen': position }, timeout: 0 })).headers()['x-stale']
  await expect.poll(isStale).toBeUndefined()
}

/** Waits until a folder has this status for the signed-in user. */
export const waitForFolderStatus = (page: Page, folder: string, status: string) =>
  expect.poll(async () => (await (await page.request.get(`/api/folders/${folder}`, { timeout: 0 })).json()).status).toBe(status)
