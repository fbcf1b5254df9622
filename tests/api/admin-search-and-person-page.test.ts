import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { SearchResults } from '../../modules/admin-search/contract.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { enqueueErrands } from '../../modules/jobs/outbox.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { morningErrandId } from '../../modules/letters/morning-errands.ts'
import { purchaseDecider } from '../../modules/payments/package-purchase.ts'
import { receiptNumber } from '../../modules/payments/receipt-number.ts'
import { consentTokenFor } from './consent-token.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

let s: FullServer
let admin: Awaited<ReturnType<FullServer['admin']>>
let player: TestUser
let coach: TestUser
let folder: string
let request: string
beforeAll(async () => {
  s = await startFullServer()
  admin = await s.admin()
  player = await s.player(newPlayerInput({ firstName: 'Quincy', lastName: 'Zabriskie' }))
  coach = await s.instructor({ firstName: 'Yolanda', lastName: 'Vreeland' })
  await s.saveCard(player.id)
  const assigned = await createAssignedFolder(player, coach)
  folder = assigned.folder
  await player.call('PATCH', `/api/folders/${folder}`, { name: 'Tee work at Fenway' })
  await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(assigned.video))
  const asked = await player.call('POST', '/api/support/request', { requestType: 'issue', content: 'My 100%_real receipt is missing.' })
  request = asked.body.id
  // `expect.poll` works only inside a test.
  await vi.waitFor(async () => expect((await search('quincy')).payments).toHaveLength(1), { timeout: 60_000 })
})
afterAll(() => s.end())

const search = async (text: string) => (await admin.call('GET', `/api/admin/search?${new URLSearchParams({ text })}`)).body as SearchResults

test.each(['zabris', 'QUINCY ZAB', 'za'])('a person is found by part of the name: %s', async text => {
  const { people, payments, requests } = await search(text)
  expect(people).toMatchObject([{ id: player.id, name: 'Quincy Zabriskie', kind: 'player' }])
  expect(payments).toMatchObject([{ folderName: 'Tee work at Fenway', playerName: 'Quincy Zabriskie', status: 'due' }])
  expect(requests).toMatchObject([{ id: request, by: 'Quincy Zabriskie', status: 'open' }])
})

test('a search for two letters finds nothing inside a word', async () => {
  expect((await search('ri')).people).toEqual([])
})

test('a person is found by email and by the beginning of the id', async () => {
  const { email } = (await player.call('GET', '/api/user')).body
  expect((await search(email)).people.map(p => p.id)).toEqual([player.id])
  expect((await search(player.id.slice(0, 13))).people.map(p => p.id)).toContain(player.id)
  expect((await search(coach.id)).people).toMatchObject([{ name: 'Yolanda Vreeland', kind: 'instructor' }])
})

test('a guardian is found by email', async () => {
  await s.player({
    ...newPlayerInput({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: 'wilhelmina@example.com' }),
  })
  expect((await search('WILHELMINA@')).people).toMatchObject([{ name: 'Maria García', kind: 'guardian' }])
})

test('a folder is found by a word inside its name and by its id', async () => {
  const found = [{ id: folder, name: 'Tee work at Fenway', player: 'Quincy Zabriskie', status: 'feedback-given' }]
  expect((await search('fenway')).folders).toEqual(found)
  expect((await search(folder)).folders).toEqual(found)
})

test('a payment is found by its id and by its receipt number', async () => {
  const { id } = (await search('fenway')).payments[0]!
  expect((await search(id)).payments.map(p => p.id)).toEqual([id])
  expect((await search(receiptNumber(id, new Date().toISOString()))).payments.map(p => p.id)).toEqual([id])
})

test('a package is found by its id, its receipt number and the name of its player', async () => {
  const id = randomUUID()
  const buyer = await s.player({ firstName: 'Ulla', lastName: 'Wexford' })
  const bought = {
    player: buyer.id,
    package: 'season' as const,
    folders: 10,
    amount: 13_000,
    session: 'cs_1',
    intent: 'pi_1',
    charge: 'ch_1',
  }
  await handleCommand(s.deps.store, purchaseDecider, id, 'complete', bought, systemCommandSource(randomUUID()))
  const found = { id, playerName: 'Ulla Wexford', cents: 13_000, status: 'paid' }
  await expect.poll(async () => (await search(id)).packages, { timeout: 15_000 }).toMatchObject([found])
  expect((await search(receiptNumber(id, new Date().toISOString()))).packages).toMatchObject([found])
  expect((await search('wexfo')).packages).toMatchObject([found])
  expect((await search('yolanda')).packages).toEqual([])
})

test('a support request is found by its words; % and _ are not wildcards', async () => {
  expect((await search('100%_REAL')).requests.map(r => r.id)).toEqual([request])
  expect((await search('1__%_real')).requests).toEqual([])
})

test('a search for one character is refused', async () => {
  expect(await admin.call('GET', '/api/admin/search?text=+a+')).toMatchObject({ status: 422 })
})

test('a search for people by name or email can use an index', async () => {
  const plan = await s.sql.begin(async tx => {
    await tx`set local enable_seqscan = off`
    const lines = await tx<{ 'QUERY PLAN': string }[]>`
      explain select id from users where first_name || ' ' || last_name ilike any(${['%zab%']}) or username ilike any(${['%zab%']})`
    return lines.map(line => line['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('users_search')
})

test("a player's page has their data and the delivery status of their letters", async () => {
  const { body } = await admin.call('GET', `/api/admin/people/${player.id}`)
  expect(body).toMatchObject({
    kind: 'player',
    name: 'Quincy Zabriskie',
    deletionDue: null,
    deletionWaitsFor: null,
    guardians: [],
    instructor: null,
    rewards: { points: 0, sessions: 0 },
    debt: null,
    waivers: [],
    folders: [{ id: folder, with: 'Yolanda Vreeland' }],
    payments: [{ folder, status: 'due' }],
    requests: [{ id: request }],
  })
  expect(body.signIns).toHaveLength(1)
  const kinds = body.letters.map((letter: { kind: string }) => letter.kind)
  expect(kinds).toEqual(expect.arrayContaining(['letter.welcome', 'letter.feedback-given', 'letter.payment-due']))
  expect(kinds).not.toContain('letter.assigned')
  expect(body.letters.map((letter: { fate: string }) => letter.fate)).not.toContain('sent')
})

test("an instructor's page shows their status and sessions", async () => {
  const { body } = await admin.call('GET', `/api/admin/people/${coach.id}`)
  expect(body).toMatchObject({
    kind: 'instructor',
    rewards: null,
    instructor: { status: 'approved' },
    debt: 0,
    waivers: [],
    folders: [{ id: folder, with: 'Quincy Zabriskie' }],
    payments: [{ folder }],
  })
  const kinds = body.letters.map((letter: { kind: string }) => letter.kind)
  expect(kinds).toContain('letter.assigned')
  expect(kinds).not.toContain('letter.feedback-given')
})

test("an instructor's page says how each of their sessions went on", async () => {
  const [jo, kit] = await Promise.all([s.instructor(), s.instructor()])
  const { folder: id, video } = await createAssignedFolder(player, jo)
  const call = async (who: TestUser, what: string, body?: object) =>
    expect((await who.call('POST', `/api/folders/${id}/${what}`, body)).status).toBe(204)
  await call(player, 'withdraw')
  await call(player, 'assign', { assignment: randomUUID(), instructor: jo.id })
  const returned = { instructor: jo.id, reason: 'Jo is away.' }
  await handleCommand(s.deps.store, folderDecider, id, 'decline', returned, systemCommandSource())
  const other = randomUUID()
  await call(player, 'assign', { assignment: other, instructor: kit.id })
  await call(player, 'withdraw')
  await call(player, 'assign', { assignment: randomUUID(), instructor: jo.id })
  await call(jo, 'feedback', newReviewInput(video))
  await call(player, 'question', { question: 'Which drill first?' })
  const log = async () => JSON.stringify((await admin.call('GET', `/api/admin/events?person=${jo.id}&limit=200`)).body.events)
  await expect.poll(log).toContain('ClarificationAsked')
  const sessions = (JSON.parse(await log()) as { stream: string; type: string }[]).filter(e => e.stream === `folder-${id}`)
  const first = ['FolderAssigned', 'AssignmentWithdrawn', 'FolderAssigned', 'AssignmentDeclined']
  const last = ['FolderAssigned', 'ReviewStarted', 'FeedbackGiven', 'ClarificationAsked']
  expect(sessions.map(e => e.type).reverse()).toEqual([...first, ...last])
  // It does not include what happened with another instructor.
  expect(JSON.stringify(sessions)).not.toContain(other)
})

test("a guardian's page lists the children, and each child's page names the guardian", async () => {
  const minor = { dateOfBirth: birthDateForAge(14), guardianName: 'Odessa Pine', guardianEmail: 'odessa@example.com' }
  const child = await s.player(minor)
  const { guardians, letters } = (await admin.call('GET', `/api/admin/people/${child.id}`)).body
  expect(guardians).toMatchObject([{ name: 'Odessa Pine', email: 'odessa@example.com', consent: null, until: null }])
  expect(letters.map((letter: { kind: string }) => letter.kind)).not.toContain('letter.guardian')
  // This errand sends one letter to the guardian and one to the child.
  const due = '2999-01-01T00:00:00Z'
  await enqueueErrands(s.sql, [
    { id: randomUUID(), kind: 'letter.deletion-scheduled', payload: { user: child.id, due, guardian: guardians[0].id }, due },
  ])
  for (const id of [child.id, guardians[0].id]) {
    const page = (await admin.call('GET', `/api/admin/people/${id}`)).body
    expect(page.letters.map((letter: { kind: string }) => letter.kind)).toContain('letter.deletion-scheduled')
  }
  const guardian = (await admin.call('GET', `/api/admin/people/${guardians[0].id}`)).body
  expect(guardian).toMatchObject({
    kind: 'guardian',
    children: [{ id: child.id }],
    letters: [{ kind: 'letter.deletion-scheduled' }, { kind: 'letter.guardian' }],
  })
})

test("a guardian's page also lists letters about assignments and questions", async () => {
  const email = newPlayerInput().email
  const child = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Odessa Pine', guardianEmail: email })
  const odessa = s.browser()
  await odessa.call('POST', `/api/guardian/${await consentTokenFor(s.sql, child.id)}`, { answer: 'yes' })
  const { id } = (await odessa.call('GET', '/api/family')).body.guardian
  await s.saveCard(id)
  const { folder: of, video, assignment } = await createAssignedFolder(child, coach)
  expect((await odessa.call('POST', `/api/family/approvals/${assignment}/approve`)).status).toBe(204)
  expect((await coach.call('POST', `/api/folders/${of}/feedback`, newReviewInput(video))).status).toBe(204)
  expect((await child.call('POST', `/api/folders/${of}/question`, { question: 'How late?' })).status).toBe(204)
  const letters = async () => {
    const page = (await admin.call('GET', `/api/admin/people/${id}`)).body
    return page.letters.map((l: { kind: string }) => l.kind)
  }
  await expect.poll(letters).toContain('letter.question')
  expect(await letters()).toEqual(expect.arrayContaining(['letter.assigned', 'letter.feedback-given']))
  // A letter postponed to the child's morning goes only to the child.
  const [given] =
    await s.sql`select id, payload from errands where kind = 'letter.feedback-given' and payload ->> 'assignment' = ${assignment}`
  const morning = { ...given!.payload, isMorning: true }
  const morningErrand = { id: morningErrandId(given!.id), kind: 'letter.feedback-given', payload: morning }
  await enqueueErrands(s.sql, [{ ...morningErrand, due: '2999-01-01T00:00:00Z' }])
  expect((await letters()).filter((letter: string) => letter === 'letter.feedback-given')).toHaveLength(1)
  const ofChild: { kind: string; id: string }[] = (await admin.call('GET', `/api/admin/people/${child.id}`)).body.letters
  expect(ofChild.map(l => l.kind)).not.toContain('letter.question')
  // The errand whose turn came at night sent nothing to the child.
  expect(ofChild.filter(l => l.kind === 'letter.feedback-given').map(l => l.id)).toEqual([morningErrand.id])
})

test("a guardian's page lists only letters sent or due to this guardian", async () => {
  const child = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Odessa Pine', guardianEmail: newPlayerInput().email })
  const odessa = s.browser()
  await odessa.call('POST', `/api/guardian/${await consentTokenFor(s.sql, child.id)}`, { answer: 'yes' })
  const { id: former } = (await odessa.call('GET', '/api/family')).body.guardian
  await s.saveCard(former)
  const { assignment } = await createAssignedFolder(child, coach)
  expect((await odessa.call('POST', `/api/family/approvals/${assignment}/approve`)).status).toBe(204)
  const lettersOf = async (id: string) => {
    const { letters } = (await admin.call('GET', `/api/admin/people/${id}`)).body as { letters: { kind: string; fate: string }[] }
    return letters.filter(l => ['letter.assigned', 'letter.question'].includes(l.kind)).map(l => `${l.kind} ${l.fate}`)
  }
  await expect.poll(() => lettersOf(former), { timeout: 15_000 }).toEqual(['letter.assigned waiting'])
  const [sent] = await s.sql`
    update errands set done = now() where kind = 'letter.assigned' and payload ->> 'assignment' = ${assignment} returning id`
  // That the instructor's letter bounced says nothing about the guardian's.
  await s.sql`insert into letter_fates (letter, recipient_hash, fate, at) values (${sent!.id}, 'x', 'bounced', now())`
  const later = randomUUID()
  await s.sql`update guardianships set until = now() where player = ${child.id}`
  await s.sql`insert into guardians (id, name, email, created) values (${later}, 'Rosa Pine', ${newPlayerInput().email}, now())`
  await s.sql`insert into guardianships (guardian, player, name, since, agreed) values (${later}, ${child.id}, 'Rosa Pine', now(), now())`
  await enqueueErrands(s.sql, [{ id: randomUUID(), kind: 'letter.question', payload: { folder, assignment }, due: '2999-01-01T00:00:00Z' }])
  expect(await lettersOf(former)).toEqual(['letter.assigned sent'])
  expect(await lettersOf(later)).toEqual(['letter.question waiting'])
})

test("a request that is not approved yet is among the letters of the guardian's page", async () => {
  const child = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Odessa Pine', guardianEmail: newPlayerInput().email })
  const odessa = s.browser()
  await odessa.call('POST', `/api/guardian/${await consentTokenFor(s.sql, child.id)}`, { answer: 'yes' })
  const { id: former } = (await odessa.call('GET', '/api/family')).body.guardian
  await s.saveCard(former)
  const { folder: of, assignment, video } = await createAssignedFolder(child, coach)
  const letters = async (id: string) =>
    (await admin.call('GET', `/api/admin/people/${id}`)).body.letters.map((l: { kind: string }) => l.kind) as string[]
  await expect.poll(() => letters(former), { timeout: 15_000 }).toContain('letter.approval-asked')
  expect(await letters(child.id)).not.toContain('letter.approval-asked')

  // A video that cannot be played is announced only to the player.
  const due = '2999-01-01T00:00:00Z'
  await enqueueErrands(s.sql, [{ id: randomUUID(), kind: 'letter.video-refused', payload: { folder: of, video }, due }])
  expect(await letters(child.id)).toContain('letter.video-refused')
  for (const id of [former, coach.id, player.id]) expect(await letters(id)).not.toContain('letter.video-refused')

  // A later guardian does not see the letter that the former one was sent.
  await s.sql`update errands set done = now() where kind = 'letter.approval-asked' and payload ->> 'assignment' = ${assignment}`
  const later = randomUUID()
  await s.sql`update guardianships set until = now() where player = ${child.id}`
  await s.sql`insert into guardians (id, name, email, created) values (${later}, 'Rosa Pine', ${newPlayerInput().email}, now())`
  await s.sql`insert into guardianships (guardian, player, name, since, agreed) values (${later}, ${child.id}, 'Rosa Pine', now(), now())`
  expect(await letters(former)).toContain('letter.approval-asked')
  expect(await letters(later)).not.toContain('letter.approval-asked')
})

test('an invitation is not among the letters of the administrator who sent it', async () => {
  expect((await admin.call('POST', '/api/admin/invitations', { email: newPlayerInput().email })).status).toBeLessThan(300)
  const { id } = (await admin.call('GET', '/api/user')).body
  const { letters } = (await admin.call('GET', `/api/admin/people/${id}`)).body
  expect(letters.map((l: { kind: string }) => l.kind)).not.toContain('letter.admin-invitation')
})

test("a person's page with an unknown id is not found", async () => {
  expectRefusal(await admin.call('GET', `/api/admin/people/${crypto.randomUUID()}`), 404, 'not-found')
})
