import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { formatDateWithoutYear } from '../../modules/letters/letter-components.tsx'
import { assignments } from '../../projections/assignments.ts'
import { readConfig } from '../../src/config.ts'
import { demoAccounts, demoEmails, isDemoAllowed } from '../../src/demo/demo-accounts-and-safety-checks.ts'
import { demoPlayerRating, ratedDemoSessions } from '../../src/demo/demo-rated-sessions.ts'
import { seedDemoData } from '../../src/demo/seed-demo-data.ts'
import { startEmbeddedServices } from '../../src/embedded/index.ts'
import { type App, buildApp } from '../../src/server/app.ts'
import { projections } from '../../src/server/module-registry.ts'
import { cookieClient } from '../api/test-server.ts'
import { isSweepRun } from '../support/is-sweep-run.ts'

/** The number of rated sessions of other players in the demo. */
const rated = ratedDemoSessions.length
const DAY_MS = 24 * 3600_000
const log = pino({ level: 'silent' })
let dataDir: string
let parts: Awaited<ReturnType<typeof startEmbeddedServices>>
let app: App
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-demo-'))
  parts = await startEmbeddedServices(readConfig({ DATA_DIR: dataDir, PORT: '0', RATE_LIMIT_SCALE: '1000' }), log)
  app = await buildApp(parts.config, log, { site: dataDir })
  await app.work()
}, 60_000)
afterAll(async () => {
  await app?.stop()
  await parts?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns the app, except that call number `last` throws after the server has handled it, so its response is lost. */
const breakingAt = (last: number): App => {
  let calls = 0
  return {
    ...app,
    fetch: async request => {
      const answer = await app.fetch(request)
      if (++calls === last) throw new Error('the power went')
      return answer
    },
  }
}

test('a demo that was interrupted several times is completed once', async () => {
  for (const last of isSweepRun ? [2, 9, 24, 41, 58, 75, 92, 109] : [9, 41, 92])
    await expect(seedDemoData(breakingAt(last), projections)).rejects.toThrow()
  expect(await seedDemoData(app, projections)).toBe(true)
  expect(await seedDemoData(app, projections)).toBe(true)
  const counts = await app.deps.sql<{ type: string; count: number }[]>`select type, count(*)::int as count from events group by type`
  expect(Object.fromEntries(counts.map(row => [row.type, row.count]))).toMatchObject({
    FolderCreated: 3 + rated,
    VideoAdded: 3 + rated,
    FolderAssigned: 3 + rated,
    FeedbackGiven: 2 + rated,
    ClarificationAsked: 1,
    ClarificationAnswered: 1,
    SessionRated: 1 + rated,
    RatingAnswered: 2,
    ModelClipAdded: 2,
    ModelClipRightsConfirmed: 2,
    CardSaved: 3,
    PaymentOpened: 2 + rated,
    PaymentSucceeded: 1 + rated,
    FolderPaid: 1 + rated,
  })
  const [people] = await app.deps.sql`select count(*)::int as count from users`
  expect(people!.count).toBe(demoEmails.length)
})

test("the demo's events span weeks, in order and in the past, and read models agree", async () => {
  const { sql } = app.deps
  const events = await sql<{ type: string; at: string; data: { opened?: string; due?: string } }[]>`
    select type, at, data from events order by events.position`
  const times = events.map(e => Date.parse(e.at))
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times.at(-1)).toBeLessThan(Date.now())
  const of = (type: string) => events.filter(e => e.type === type)
  const given = of('FeedbackGiven').map(e => Date.parse(e.at))
  expect((given.at(-1)! - given[0]!) / DAY_MS).toBeGreaterThan(20)
  // When the demo moved its events into the past, it also moved the times in their data and in the outbox.
  for (const [i, { data }] of of('PaymentOpened').entries()) expect(data.opened).toBe(of('FeedbackGiven')[i]!.at)
  const due = await sql<
    { due: Date }[]
  >`select due from errands where kind = 'payment.collect' and done is null and due > now() + interval '1 day'`
  expect(due.map(e => e.due)).toEqual([of('PaymentOpened').at(-1)!.data.due])
  const assigned = await sql<{ given: string }[]>`select given from ${sql(tableOf(assignments))} where given is not null order by given`
  expect(assigned.map(a => a.given)).toEqual(of('FeedbackGiven').map(e => e.at))
  // Now that the demo is complete, events can no longer be changed.
  await expect(sql`update events set at = now() where position = 1`).rejects.toThrow(/final/)
})

test('demo letters mention the same days as the pages', async () => {
  const { email, password } = demoAccounts.find(a => a.role === 'player')!
  const player = cookieClient(app)
  await player.call('POST', '/api/login', { username: email, password })
  const { payments } = (await player.call('GET', '/api/billing')).body
  const [due, paid] = ['due', 'paid'].map(status => payments.find((p: { status: string }) => p.status === status))
  const letters = async () =>
    (await (await fetch(`${parts.pages.mailbox}/letters.json?to=${email}`)).json()) as { subject: string; text: string }[]
  await expect
    .poll(
      async () =>
        (await app.deps.sql`select 1 from errands where kind like 'letter.%' and done is null and due < now() + interval '1 hour'`).length,
    )
    .toBe(0)
  const received = await letters()
  const charged = received.flatMap(l => /we will charge your .+? on (.+?)\./.exec(l.text)?.[1] ?? [])
  expect(charged).toEqual([formatDateWithoutYear(due.due), formatDateWithoutYear(due.due)])
  expect(received.find(l => l.subject.startsWith('Receipt'))!.subject).toContain(paid.receipt)
  // The player's only login session is the one that this test opened: the demo data leaves none behind.
  const { sessions } = (await player.call('GET', '/api/sessions')).body
  expect(sessions).toHaveLength(1)
})

test('every demo account can sign in and sees data on its pages', async () => {
  const signedIn = async (role: string) => {
    const { email, password } = demoAccounts.find(a => a.role === role)!
    const who = cookieClient(app)
    expect((await who.call('POST', '/api/login', { username: email, password })).status).toBe(200)
    return who
  }
  const [player, coach, admin] = await Promise.all(['player', 'instructor', 'admin'].map(signedIn))
  const { folders } = (await player!.call('GET', '/api/folders')).body
  expect(folders.map((f: { status: string }) => f.status).sort()).toEqual(['assigned', 'feedback-given', 'paid'])
  const reviewed = folders.find((f: { status: string }) => f.status === 'feedback-given')
  const { session } = (await player!.call('GET', `/api/folders/${reviewed.id}`)).body
  expect(session.review.notes.length).toBeGreaterThanOrEqual(3)
  for (const url of [session.clips[0].url, session.clips[0].poster]) expect((await fetch(url)).status).toBe(200)
  const { payments, cards } = (await player!.call('GET', '/api/billing')).body
  expect(payments.map((p: { status: string }) => p.status).sort()).toEqual(['due', 'paid'])
  expect(cards).toHaveLength(1)
  const queue = (await coach!.call('GET', '/api/queue')).body.folders
  expect(queue.map((f: { status: string }) => f.status).sort()).toEqual(['assigned', 'feedback-given', 'paid', 'paid', 'paid'])
  const earnings = (await coach!.call('GET', '/api/earnings')).body
  expect(earnings.account.status).toBe('ready')
  expect(earnings.payments.filter((p: { transferred: string | null }) => p.transferred)).toHaveLength(3)
  expect((await admin!.call('GET', '/api/admin/events')).body.events.length).toBeGreaterThan(20)
  expect((await admin!.call('GET', `/api/folders/${reviewed.id}`)).status).toBe(200)
  expect((await admin!.call('GET', `/api/payments/${payments[0].id}`)).status).toBe(200)
  expect((await admin!.call('GET', '/api/admin/support')).body.requests).toMatchObject([{ status: 'open', by: { name: 'Maya Torres' } }])
})

test('demo instructors with three ratings show them, with the answer to one', async () => {
  const visitor = cookieClient(app)
  const cards: { user: { firstName: string }; id: string; rating: unknown }[] = (await visitor.call('GET', '/api/instructors')).body
  expect(Object.fromEntries(cards.map(card => [card.user.firstName, card.rating]))).toEqual({
    Ray: { average: 4.7, count: 3 },
    Dana: { average: 4.7, count: 3 },
    Marcus: null,
  })
  const ray = cards.find(card => card.user.firstName === 'Ray')!
  const { ratings } = (await visitor.call('GET', `/api/instructors/${ray.id}`)).body
  expect(ratings).toMatchObject([{ name: 'Casey', answer: null }, { name: 'Jordan' }, { name: 'Maya', answer: demoPlayerRating.answer }])
})

test('the demo is refused with configured stores and on reachable addresses', async () => {
  const config = (env: Record<string, string>) => isDemoAllowed(readConfig(env))
  expect(config({})).toBe(true)
  for (const env of [
    { DEMO: 'off' },
    { HOST: '0.0.0.0' },
    { ORIGIN: 'https://x.example' },
    { DATABASE_URL: 'postgres://x/y' },
    { RESEND_API_KEY: 're_x' },
  ]) {
    expect([env, config(env as unknown as Record<string, string>)]).toEqual([env, false])
  }
  await app.deps.sql`truncate demo`
  await app.deps.sql`update users set username = 'somebody@else.example' where role = 'admin'`
  expect(await seedDemoData(app, projections)).toBe(false)
})
