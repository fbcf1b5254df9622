import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AdminEventLogEntry } from '../../modules/audit/contract.ts'
import { verifyAuditExport } from '../../modules/audit/verify-export.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { audit } from '../../projections/audit.ts'
import { consentTokenFor } from './consent-token.ts'
import { createAssignedFolder, createFolder, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

let s: FullServer
let ana: TestUser
let coach: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
let folder: string
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, coach, admin] = await Promise.all([s.player(), s.instructor({ firstName: 'Cal' }), s.admin()])
  await s.saveCard(ana.id)
  const assigned = await createAssignedFolder(ana, coach)
  folder = assigned.folder
  await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(assigned.video))
  for (let i = 0; i < 60; i++) await createFolder(ana, `Folder ${i}`)
})
afterAll(() => s.end())
/** The first position of the rows that tests add to the audit table, far beyond the positions of the log. */
const FIRST_COPY = 1_000_000
// Deletes the rows that a failed test left behind.
beforeEach(() => s.sql`delete from ${s.sql(tableOf(audit))} where position >= ${FIRST_COPY}`)

const events = async (query = '') =>
  (await admin.call('GET', `/api/admin/events${query}`)).body as { events: AdminEventLogEntry[]; next: string | null; types: string[] }

test('the log shows who invited an administrator, and who accepted', async () => {
  const key = { 'idempotency-key': randomUUID() }
  await s.sql`delete from links where kind = 'admin-invitation'`
  for (let i = 0; i < 2; i++)
    expect((await admin.call('POST', '/api/admin/invitations', { email: 'next@example.com' }, key)).status).toBe(204)
  const links = await s.sql`select id, token from links where kind = 'admin-invitation'`
  expect(links).toHaveLength(1)
  const [{ id, token }] = links as unknown as [{ id: string; token: string }]
  const stream = `invitation-${id}`
  const invited = await events(`?stream=${stream}`)
  expect(invited.events).toMatchObject([{ type: 'AdminInvited', who: { role: 'admin' }, command: 'invitation.invite' }])
  expect(JSON.stringify(await s.deps.store.read(stream), (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain('next@')
  const next = await s
    .browser()
    .call('POST', '/api/register/admin', { ...newPlayerInput({ firstName: 'Nea' }), dateOfBirth: undefined, token })
  expect(next.status).toBe(201)
  await expect
    .poll(async () => (await events(`?stream=${stream}`)).events.map(e => [e.type, e.who?.name]))
    .toEqual([
      ['AdminJoined', 'Nea García'],
      ['AdminInvited', invited.events[0]!.who!.name],
    ])
})

test('the log has the actor and command of each event of a folder and its payment', async () => {
  await expect.poll(async () => (await events(`?folder=${folder}&limit=200`)).events.map(e => e.type)).toContain('PaymentOpened')
  const stream = (await events(`?folder=${folder}`)).events.find(e => e.type === 'PaymentOpened')!.stream
  const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
  const attempt = {
    attempt: randomUUID(),
    customer: 'cus_1',
    card,
    amount: 1550,
    tip: 0,
    by: 'player' as const,
    at: new Date().toISOString(),
  }
  const meta = { command: randomUUID(), name: 'payment.attempt', actor: ana.id }
  const past = await s.deps.store.read(stream)
  await s.deps.store.append(stream, BigInt(past.length) - 1n, [{ id: randomUUID(), type: 'PaymentAttempted', data: attempt, meta }])
  // The event itself does not name a folder, but its payment does.
  await expect.poll(async () => (await events(`?folder=${folder}`)).events[0]!.type).toBe('PaymentAttempted')
  const { events: found, types } = await events(`?folder=${folder}&limit=200`)
  expect(found.map(e => e.type).reverse()).toEqual(
    expect.arrayContaining(['FolderCreated', 'VideoAdded', 'FolderAssigned', 'ReviewStarted', 'FeedbackGiven', 'PaymentOpened']),
  )
  const feedback = found.find(e => e.type === 'FeedbackGiven')!
  expect(feedback).toMatchObject({
    stream: `folder-${folder}`,
    folder,
    command: 'folder.deliver',
    actor: coach.id,
    who: { name: 'Cal García', role: 'instructor' },
    data: { review: { summary: 'Good load, late hands.' } },
  })
  expect(types).toEqual([...types].sort())
  expect(types).toContain('CardSaved')
  const positions = found.map(e => BigInt(e.position))
  expect(positions).toEqual([...positions].sort((a, b) => (a < b ? 1 : -1)))
})

test('the log can be filtered and paged without gaps', async () => {
  expect((await events('?type=FeedbackGiven')).events).toHaveLength(1)
  expect((await events(`?actor=${coach.id}`)).events.every(e => e.actor === coach.id)).toBe(true)
  expect((await events(`?stream=folder-${folder}`)).events.every(e => e.stream === `folder-${folder}`)).toBe(true)
  // The time range includes its start and excludes its end.
  const [later, earlier] = (await events('?type=FolderCreated&limit=2')).events as [AdminEventLogEntry, AdminEventLogEntry]
  const between = async (from: string, to: string) =>
    (await events(`?type=FolderCreated&from=${from}&to=${to}`)).events.map(e => e.position)
  expect(await between(earlier.at, later.at)).toEqual([earlier.position])
  expect(await between(later.at, new Date(Date.parse(later.at) + 1).toISOString())).toEqual([later.position])
  // `actor` also accepts a person's email address.
  const [{ username }] = (await s.sql`select username from users where id = ${coach.id}`) as unknown as [{ username: string }]
  const byAddress = (await events(`?actor=${encodeURIComponent(username.toUpperCase())}`)).events
  expect(byAddress).not.toEqual([])
  expect(byAddress).toEqual((await events(`?actor=${coach.id}`)).events)

  const ids: string[] = []
  for (let before: string | null = '999999'; before !== null; ) {
    const page = await events(`?type=FolderCreated&limit=25&before=${before}`)
    ids.push(...page.events.map(e => e.id))
    before = page.next
  }
  expect([ids.length, new Set(ids).size]).toEqual([61, 61])
})

test("the log can be filtered by a guardian's email address", async () => {
  const email = newPlayerInput().email
  const child = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Odessa Pine', guardianEmail: email })
  const odessa = s.browser()
  await odessa.call('POST', `/api/guardian/${await consentTokenFor(s.sql, child.id)}`, { answer: 'yes' })
  const { id } = (await odessa.call('GET', '/api/family')).body.guardian
  await expect.poll(async () => (await events(`?actor=${id}`)).events).not.toEqual([])
  expect((await events(`?actor=${encodeURIComponent(email)}`)).events).toEqual((await events(`?actor=${id}`)).events)
})

const linesOf = ({ text }: { text: string }) => text.trimEnd().split('\n')

test('an export as JSON Lines has every matching event', async () => {
  const answer = await admin.call('GET', '/api/admin/events/export?type=FolderCreated')
  expect(answer.headers.get('content-type')).toBe('application/jsonl')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="events-\d{4}-\d\d-\d\d\.jsonl"$/)
  const lines = linesOf(answer)
  const end = JSON.parse(lines.pop()!)
  expect(end).toMatchObject({ end: { filter: { type: 'FolderCreated' }, events: 61 } })
  expect(lines).toHaveLength(61)
  expect(lines.every(line => JSON.parse(line).type === 'FolderCreated')).toBe(true)
  expect(await verifyAuditExport(linesOf(answer))).toMatchObject({ events: 61, isWhole: false, faults: [] })
})

test('a complete export reveals changes to the log, even after read models are rebuilt', async () => {
  const { chain } = (await admin.call('GET', '/api/admin/events?limit=1')).body
  const noted = `${chain.position}:${chain.hash}`
  const whole = async () => verifyAuditExport(linesOf(await admin.call('GET', '/api/admin/events/export')), [noted])
  expect(await whole()).toMatchObject({ isWhole: true, deleted: 0, faults: [] })

  // An attacker with the database's password changes the log and has the read models rebuilt from it.
  const change = (from: string, to: string) =>
    s.sql.begin(async tx => {
      await tx`alter table events disable trigger final`
      await tx`update events set data = replace(data::text, ${from}, ${to})::json where type = 'FeedbackGiven'`
      await tx`alter table events enable trigger final`
    })
  const tamper = async (from: string, to: string) => {
    await change(from, to)
    await s.deps.readModels.rebuild('audit')
  }
  try {
    await tamper('"grade":55', '"grade":80')
    const { faults } = await whole()
    expect(faults).toEqual([expect.stringMatching(/^The data of event \d+ \(FeedbackGiven\) was changed\.$/)])
  } finally {
    await tamper('"grade":80', '"grade":55')
  }
  expect((await whole()).faults).toEqual([])
})

test('a complete export is valid while its read model is behind the hash chain', async () => {
  const table = s.sql(tableOf(audit))
  const [newest] = await s.sql`delete from ${table} where position = (select max(position) from ${table}) returning position`
  expect(newest).toBeDefined()
  try {
    const file = linesOf(await admin.call('GET', '/api/admin/events/export'))
    expect(await verifyAuditExport(file)).toMatchObject({ isWhole: true, faults: [] })
  } finally {
    await s.deps.readModels.rebuild('audit')
  }
})

let copies = 0
test('an export spans several pages and applies the filter to each', async () => {
  const type = `Copied${++copies}`
  const table = s.sql(tableOf(audit))
  const copied = await s.sql`
    insert into ${table} select (jsonb_populate_record(a, jsonb_build_object(
      'id', gen_random_uuid(), 'type', ${type}::text, 'position', position + ${FIRST_COPY}::bigint * n))).*
    from ${table} a, generate_series(1, 20) n where position < 60 returning id`
  expect(copied.length).toBeGreaterThan(1000)
  const lines = linesOf(await admin.call('GET', `/api/admin/events/export?type=${type}`)).slice(0, -1)
  expect([lines.length, new Set(lines).size]).toEqual([copied.length, copied.length])
  expect(lines.every(line => line.includes(`"type":"${type}"`))).toBe(true)
  const none = await admin.call('GET', '/api/admin/events/export?from=2000-01-01T00:00:00Z&to=2001-01-01T00:00:00Z')
  expect(linesOf(none)).toHaveLength(1)
})

test('the system status lists the readers of the log and failed errands', async () => {
  await s.sql`delete from errands where id in ('e1', 'e2', 'e3')`
  await s.sql`insert into errands (id, kind, payload, attempt, failed, error) values
    ('e1', 'letter.receipt', '{}', 4, now(), 'no such address'), ('e2', 'letter.receipt', '{}', 1, now() + interval '1 minute', null)`
  await s.sql`insert into errands (id, kind, payload, attempt, due) values ('e3', 'letter.receipt', '{}', 0, now() + interval '1 hour')`
  const [{ position }] = (await s.sql`select max(position)::text as position from events`) as unknown as [{ position: string }]
  await s.deps.readModels.caughtUp(['audit'], BigInt(position))
  const { body } = await admin.call('GET', '/api/admin/state')
  expect(body.errands.map((e: { id: string }) => e.id).slice(0, 2)).toEqual(['e2', 'e1'])
  expect(body.errands.map((e: { id: string }) => e.id)).not.toContain('e3')
  expect(body.followers.find((f: { name: string }) => f.name === 'audit')).toMatchObject({ position, rebuilding: null })
  expect(body.followers.map((f: { name: string }) => f.name)).toEqual(expect.arrayContaining(['folders', 'story', 'audit', 'clearing']))
  expect(body.followers.every((f: { parked: { count: number } }) => f.parked.count === 0)).toBe(true)
  expect(body.errands).toContainEqual({
    id: 'e1',
    kind: 'letter.receipt',
    attempts: 4,
    error: 'no such address',
    at: expect.stringMatching(/Z$/),
  })
})

test('an administrator retries a failed errand and sees the outcome', async () => {
  const [bad, good] = [randomUUID(), randomUUID()]
  await s.sql`insert into errands (id, kind, payload, attempt, tried, failed, error) values
    (${bad}, 'payment.open', '{}', 30, now() - interval '1 day', now(), 'no answer'),
    (${good}, 'card.release', ${s.sql.json({ assignment: randomUUID() })}, 30, now() - interval '1 day', now(), 'no answer')`
  const again = (who: Pick<typeof admin, 'call'>, id: string) => who.call('POST', `/api/admin/errands/${id}/retry`)
  expect((await again(ana, good)).status).toBe(403)
  expect((await again(admin, randomUUID())).status).toBe(404)
  expect((await again(admin, good)).body).toEqual({ state: 'done' })
  expect((await again(admin, good)).status).toBe(404)
  expect((await again(admin, bad)).body).toEqual({ state: 'failed' })
  const { errands } = (await admin.call('GET', '/api/admin/state')).body
  expect(errands.filter((e: { id: string }) => e.id === bad || e.id === good)).toMatchObject([{ id: bad, attempts: 31 }])
  await s.sql`update errands set tried = null where id = ${bad}`
  expect((await again(admin, bad)).body).toEqual({ state: 'waiting' })
  await s.sql`delete from errands where id = ${bad}`
})

test('the system status shows a rebuild, and a reader that is ahead of the log', async () => {
  const { readModels } = s.deps
  const parked = { count: 0, streams: [] }
  s.deps.readModels = {
    ...readModels,
    status: async () => [
      { name: 'story', version: 1, position: 9n, logEnd: null, rebuilding: 3n, parked },
      { name: 'folders', version: 1, position: 9n, logEnd: 7n, rebuilding: null, parked },
    ],
  }
  const { followers } = (await admin.call('GET', '/api/admin/state').finally(() => Object.assign(s.deps, { readModels }))).body
  expect(followers.slice(0, 2)).toEqual([
    { name: 'story', position: '9', logEnd: null, rebuilding: '3', parked },
    { name: 'folders', position: '9', logEnd: '7', rebuilding: null, parked },
  ])
})

test('only an administrator may read the log', async () => {
  for (const path of ['/api/admin/events', '/api/admin/events/export', '/api/admin/state']) {
    expect((await ana.call('GET', path)).status).toBe(403)
    expect((await coach.call('GET', path)).status).toBe(403)
    expect((await s.browser().call('GET', path)).status).toBe(401)
  }
  expect((await admin.call('GET', `/api/admin/events?folder=${randomUUID()}`)).body.events).toEqual([])
})

test("a person's history has what they did and what others did to them", async () => {
  await expect.poll(async () => (await events(`?person=${ana.id}&type=PaymentOpened`)).events).toHaveLength(1)
  const [billed] = (await events(`?person=${ana.id}&type=PaymentOpened`)).events
  expect(billed).toMatchObject({ actor: 'system', about: { id: ana.id, name: 'Ana García' } })
  const [reviewed] = (await events(`?person=${ana.id}&type=FeedbackGiven`)).events
  expect(reviewed).toMatchObject({ who: { name: 'Cal García' }, about: { id: ana.id } })
  // The instructor's history includes the session, but none of the player's other folders.
  const { events: its } = await events(`?person=${coach.id}&limit=200`)
  const types = its.map(e => e.type)
  for (const type of ['InstructorApproved', 'FolderAssigned', 'FeedbackGiven', 'PaymentOpened']) expect(types).toContain(type)
  expect(types).not.toContain('FolderCreated')
  expect((await events(`?person=${randomUUID()}`)).events).toEqual([])
})

test('a registration is in the log with its role and its author', async () => {
  for (const [person, role] of [
    [ana, 'player'],
    [coach, 'instructor'],
  ] as const) {
    await expect.poll(async () => (await events(`?type=AccountRegistered&person=${person.id}`)).events).toHaveLength(1)
    const [registered] = (await events(`?type=AccountRegistered&person=${person.id}`)).events
    expect(registered).toMatchObject({ stream: `account-${person.id}`, actor: person.id, data: { role } })
  }
})
