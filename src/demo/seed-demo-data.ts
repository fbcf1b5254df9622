import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { hashPassword } from '../../modules/accounts/passwords.ts'
import { rebuildAuditChain } from '../../modules/audit/audit-chain-table.ts'
import { addDays, utcDayOf } from '../../modules/dates.ts'
import { invalidateProfilePages } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { derivedId } from '../../modules/kernel/decider.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { createApiClientFactory, type DemoApiClient } from './api-client.ts'
import { backdateEvents, holdLettersAndPreparationsWhile } from './backdate-events.ts'
import { buildDemoReview, deriveFolderAndVideoIds } from './build-demo-review.ts'
import { demoEmails } from './demo-accounts-and-safety-checks.ts'
import { type DemoSessionIds, demoEventTimesOf } from './demo-event-timeline.ts'
import { demoModelClips } from './demo-model-clips.ts'
import {
  DEMO_PASSWORD,
  type DemoInstructor,
  type DemoPlayer,
  demoAdmin,
  demoInstructors,
  demoPitchingFolder,
  demoPlayer,
  demoSupportRequest,
} from './demo-people.ts'
import {
  buildReviewOfRatedSession,
  type DemoRating,
  demoPlayerRating,
  demoRaters,
  type RatedDemoSession,
  ratedDemoSessions,
} from './demo-rated-sessions.ts'
import { type DemoSession, firstDemoSession, secondDemoSession } from './demo-sessions.ts'
import { hasEvents } from './has-events.ts'
import { drawPortrait } from './portrait.ts'

const idOf = (...of: (string | number)[]) => derivedId('demo', ...of.map(String))

const PAYMENT_TIMEOUT_MS = 20_000

/** The parts of the server that the demo needs: its stores, and its API, which is called in-process. */
interface DemoServer {
  deps: Pick<AppDependencies, 'sql' | 'config' | 'clock' | 'readModels' | 'store'>
  fetch(request: Request): Response | Promise<Response>
}

/**
 * Fills an empty database with sample data, through the same API calls that a browser makes. After an interruption, the next call
 * continues where the last one stopped, because all ids are derived. Does nothing if the demo is complete or the database has other users,
 * or if the database is new but the log in EventStoreDB has events, which must then be another installation's. The app must be running.
 * @returns whether the demo data exists
 */
export async function seedDemoData(app: DemoServer, projections: readonly { name: string }[]): Promise<boolean> {
  const { sql, config, store } = app.deps
  const [demo] = await sql`select 1 from demo`
  if (demo) return true
  const [users] = await sql<{ ours: number; others: number }[]>`
    select count(*) filter (where username in ${sql(demoEmails)})::int as ours,
      count(*) filter (where username not in ${sql(demoEmails)})::int as others from users`
  if (users!.others) return false
  if (config.eventstoredbUrl && !users!.ours && (await hasEvents(store))) return false

  await holdLettersAndPreparationsWhile(sql, () => playHistory(app, projections))
  return true
}

/**
 * Creates the whole demo through API calls, then spreads its log over the preceding weeks. Events in EventStoreDB
 * cannot be changed, so there they keep today's date.
 */
async function playHistory({ fetch: ask, deps }: DemoServer, projections: readonly { name: string }[]): Promise<void> {
  const { sql, config, clock } = deps
  const apiClient = createApiClientFactory(ask, config.origin)

  async function join(
    role: 'player' | 'instructor' | 'admin',
    data: { email: string; [more: string]: unknown },
  ): Promise<{ call: DemoApiClient; id: string }> {
    const call = apiClient(data.email)
    const { id } = await call<{ id: string }>('POST', `/api/register/${role}`, { ...data, password: idOf('password', data.email) })
    return { call, id }
  }

  async function registerInstructor({ looks, slug, about, experience, checks: _, ...person }: DemoInstructor) {
    const joined = await join('instructor', { ...person, dateOfBirth: '1984-06-02' })
    await joined.call('PUT', '/api/profile', { type: person.type, skills: person.skills, slug, about, experience })
    await joined.call('PUT', '/api/user/picture', await drawPortrait(looks), 'image/png')
    return joined
  }

  const dayFromNow = (days: number) => utcDayOf(addDays(clock(), days))
  /** Confirms an instructor's email address. If there are checks, records them as an administrator and approves the instructor. */
  async function vet(call: DemoApiClient, instructor: string, checks: DemoInstructor['checks']) {
    const { token } = await createEmailedLinkToken(sql, clock(), 'confirm-email', { owner: instructor })
    await call('POST', `/api/email-confirmation/${token}`)
    if (!checks) return
    for (const { check, daysAgo, reference, expiresIn } of checks) {
      const expires = expiresIn === undefined ? null : dayFromNow(expiresIn)
      await call('POST', `/api/admin/instructors/${instructor}/checks`, { check, checked: dayFromNow(-daysAgo), reference, expires })
    }
    await call('POST', `/api/admin/instructors/${instructor}/approve`)
  }

  const file = (name: string) => readFile(fileURLToPath(new URL(`clips/${name}`, import.meta.url)))
  const put = async (url: string, body: Uint8Array, type: string) => {
    const answer = await fetch(url, { method: 'PUT', body: body as Uint8Array<ArrayBuffer>, headers: { 'content-type': type } })
    if (!answer.ok) throw new Error(`The demo could not upload a video: ${answer.status}`)
  }

  /** Uploads a clip into a folder or a library. `details`: fields of the `complete` request besides duration, size and poster. */
  async function uploadClip(call: DemoApiClient, folder: string, video: string, o: { clip: string; file: string }, details: object = {}) {
    const mov = o.file.endsWith('.mov')
    const type = mov ? 'video/quicktime' : 'video/mp4'
    const [bytes, still] = await Promise.all([file(`${o.clip}.${mov ? 'mov' : 'mp4'}`), file(`${o.clip}.jpg`)])
    const declared = { id: video, folder, name: o.file, type, bytes: bytes.length, fingerprint: o.clip }
    const { arrived } = await call<{ arrived: unknown[] }>('POST', '/api/uploads', declared)
    if (!arrived.length) {
      const signed = await call<{ parts: { url: string }[] }>('POST', `/api/uploads/${video}/sign`, { numbers: [1] })
      const poster = await call<{ url: string }>('POST', `/api/uploads/${video}/poster`, { bytes: still.length })
      await put(poster.url, still, 'image/jpeg')
      await put(signed.parts[0]!.url, bytes, type)
    }
    await call('POST', `/api/uploads/${video}/complete`, { milliseconds: 3500, width: 640, height: 360, poster: true, ...details })
  }

  type FilmedFolder = { name: string; clip: string; file: string }
  /** Creates a folder and uploads a clip into it. @returns the ids of both */
  async function createFilmedFolder(call: DemoApiClient, o: FilmedFolder) {
    const { folder, video } = deriveFolderAndVideoIds(o, idOf)
    await call('POST', '/api/folders', { id: folder, name: o.name })
    await uploadClip(call, folder, video, o)
    return { folder, video }
  }

  async function assignFilmedFolder(call: DemoApiClient, o: FilmedFolder & { message: string }, instructor: string) {
    const { folder, video } = await createFilmedFolder(call, o)
    const assignment = derivedId('demo', 'assignment', o.name)
    const { total, atMost } = await call<{ total: number; atMost: number }>('GET', `/api/folders/${folder}/quote`)
    await call('POST', `/api/folders/${folder}/assign`, { assignment, instructor, message: o.message, seen: { total, atMost } })
    return { folder, video, assignment }
  }

  /** Delivers a review of a session. `earlier`: the session whose goals the review continues and whose clip it compares. */
  async function deliverReviewedSession(call: DemoApiClient, look: DemoSession, earlier?: DemoSession) {
    const { folder, voice, review } = buildDemoReview(look, idOf, earlier)
    await call('POST', `/api/folders/${folder}/review`)
    if (voice) {
      const bytes = await file(voice.file)
      const { id, type } = voice
      const { url } = await call<{ url: string }>('POST', `/api/folders/${folder}/voices`, { id, type, bytes: bytes.length })
      await put(url, bytes, type)
      for (const spoken of review.voices ?? []) spoken.bytes = bytes.length
    }
    await call('POST', `/api/folders/${folder}/feedback`, review)
  }

  /** Submits a form of the Stripe sandbox, as a person would. @returns the URL to which it redirects, or '' if it does not */
  async function send(url: string, form: Record<string, string>) {
    const { origin } = new URL(url)
    const answer = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form), headers: { origin } })
    return answer.headers.get('location') ?? ''
  }

  async function saveCard(call: DemoApiClient, holder: { firstName: string; lastName: string }) {
    const { cards } = await call<{ cards: unknown[] }>('GET', '/api/billing')
    if (cards.length) return
    const { url } = await call<{ url: string }>('POST', '/api/cards/setup', { back: '/player/payment' })
    const back = await send(url, {
      ...{ number: '4242424242424242', expiry: '12 / 34', cvc: '123', name: `${holder.firstName} ${holder.lastName}` },
      ...{ country: 'US', line1: '1 Home Plate Way', city: 'Springfield', state: 'IL', postal: '62701' },
    })
    await call('POST', '/api/cards/confirm', { session: new URL(back).searchParams.get('setup') })
  }

  async function openPayouts(call: DemoApiClient) {
    const { account } = await call<{ account: { status: string } }>('GET', '/api/earnings')
    if (account.status === 'ready') return
    const { url } = await call<{ url: string }>('POST', '/api/payouts/account')
    const page = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? ''
    const details = { first: 'Ray', last: 'Castellano', birth: '1984-06-02', ssn: '0000', routing: '110000000', account: '000123456789' }
    await send(new URL(page, url).href, details)
    await call('POST', '/api/payouts/refresh')
  }

  /** Repeats a query until it returns a truthy value, because the server's processes work in the background. @throws Error after 20 s */
  async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + PAYMENT_TIMEOUT_MS; ; ) {
      const found = await look()
      if (found) return found
      if (Date.now() > end) throw new Error('The demo waited for a payment that did not come')
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
  type Bill = { id: string; status: string; total: number }
  const waitForBill = (call: DemoApiClient, id: string, status: string) =>
    until(async () => {
      const { payments } = await call<{ payments: Bill[] }>('GET', '/api/billing')
      return payments.find(p => p.id === id && (p.status === status || p.status === 'paid'))
    })

  async function pay(call: DemoApiClient, { folder, assignment }: DemoSessionIds, tip: (total: number) => number) {
    const { total } = await waitForBill(call, assignment, 'due')
    await call('POST', `/api/payments/${assignment}/pay`, { tip: tip(total), total })
    await until(async () => {
      const { status } = await call<{ status: string }>('GET', `/api/folders/${folder}`)
      return status === 'paid' || undefined
    })
  }

  async function rate(player: DemoApiClient, instructor: DemoApiClient, { folder, assignment }: DemoSessionIds, rating: DemoRating) {
    const path = (end: string) => `/api/folders/${folder}/rating${end}?session=${assignment}`
    await player('PUT', path(''), { stars: rating.stars, comment: rating.comment })
    if (rating.answer) await instructor('POST', path('/answer'), { answer: rating.answer })
  }

  /** Creates a session of one of the other players, from its assignment to its review, payment and rating. */
  async function playRatedSession(player: DemoApiClient, instructor: { call: DemoApiClient; id: string }, look: RatedDemoSession) {
    const session = await assignFilmedFolder(player, look, instructor.id)
    await instructor.call('POST', `/api/folders/${session.folder}/review`)
    await instructor.call('POST', `/api/folders/${session.folder}/feedback`, buildReviewOfRatedSession(look, idOf))
    await pay(player, session, () => 0)
    await rate(player, instructor.call, session, look)
    return { ...session, ...look }
  }

  const { token } = await createEmailedLinkToken(sql, clock(), 'admin-setup')
  async function player({ looks, ...about }: DemoPlayer) {
    const joined = await join('player', about)
    await Promise.all([joined.call('PUT', '/api/user/picture', await drawPortrait(looks), 'image/png'), saveCard(joined.call, about)])
    return joined
  }
  const [maya, jordan, casey, ray, dana, marcus, lena, ellis] = await Promise.all([
    player(demoPlayer),
    player(demoRaters.jordan),
    player(demoRaters.casey),
    registerInstructor(demoInstructors.ray),
    registerInstructor(demoInstructors.dana),
    registerInstructor(demoInstructors.marcus),
    registerInstructor(demoInstructors.lena),
    join('admin', { ...demoAdmin, token }),
  ])
  await vet(ellis.call, ray.id, demoInstructors.ray.checks)
  await vet(ellis.call, dana.id, demoInstructors.dana.checks)
  await vet(ellis.call, marcus.id, demoInstructors.marcus.checks)
  await vet(ellis.call, lena.id, undefined)
  await Promise.all([
    maya.call('PUT', '/api/account/traits', { bats: 'right', throws: 'right', level: 'high-school' }),
    maya.call('PUT', `/api/instructors/${ray.id}/connection`),
    maya.call('PUT', `/api/instructors/${dana.id}/follow`),
    openPayouts(ray.call),
  ])

  for (const { clip, file: name, ...details } of demoModelClips) {
    const modelClip = { ...details, rightsConfirmed: true }
    await uploadClip(ray.call, ray.id, idOf('model clip', ray.id, name), { clip, file: name }, { modelClip })
  }

  const first = await assignFilmedFolder(maya.call, firstDemoSession, ray.id)
  await deliverReviewedSession(ray.call, firstDemoSession)
  await waitForBill(maya.call, first.assignment, 'due')
  await maya.call('POST', `/api/folders/${first.folder}/question`, { question: firstDemoSession.question })
  await ray.call('POST', `/api/folders/${first.folder}/answer`, { answer: firstDemoSession.answer })
  await pay(maya.call, first, total => Math.round(total / 5))
  await rate(maya.call, ray.call, first, demoPlayerRating)
  const rated: Awaited<ReturnType<typeof playRatedSession>>[] = []
  for (const look of ratedDemoSessions)
    rated.push(await playRatedSession({ jordan, casey }[look.player].call, { ray, dana }[look.instructor], look))
  const sharesOfRay = [first, ...rated.filter(r => r.instructor === 'ray')].map(r => r.assignment)
  await until(async () => {
    const { payments } = await ray.call<{ payments: { id: string; transferred: string | null }[] }>('GET', '/api/earnings')
    return sharesOfRay.every(id => payments.some(p => p.id === id && p.transferred)) || undefined
  })

  const second = await assignFilmedFolder(maya.call, secondDemoSession, ray.id)
  await deliverReviewedSession(ray.call, secondDemoSession, firstDemoSession)
  await waitForBill(maya.call, second.assignment, 'due')
  const third = await assignFilmedFolder(maya.call, demoPitchingFolder, ray.id)
  await maya.call('POST', '/api/support/request', demoSupportRequest)

  if (!config.eventstoredbUrl) {
    // The history was created within seconds, so spread it over several weeks.
    await backdateEvents(sql, { daysAgo: 26, at: [19, 40] }, demoEventTimesOf({ first, second, third, rated }), clock())
    await rebuildAuditChain(sql, deps.store)
    await Promise.all(projections.map(p => deps.readModels.rebuild(p.name)))
    // The profile pages were rendered before the events were backdated, so their response times are still a few seconds.
    const slugs = Object.values(demoInstructors).map(c => c.slug)
    await invalidateProfilePages(sql, slugs)
  }
  // The calls above signed everybody in, and those login sessions would be listed as unknown devices.
  await sql`delete from sessions`
  // The API refuses well-known passwords, so write this one directly to the database.
  const password = await hashPassword(DEMO_PASSWORD)
  await sql.begin(async tx => {
    await tx`update users set password = ${password} where username in ${tx(demoEmails)}`
    await tx`insert into demo (done) values (${clock()})`
  })
}
