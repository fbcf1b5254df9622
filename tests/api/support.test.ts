import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { supportRequestDecider } from '../../modules/support/support-request.ts'
import { letterDataSource } from '../../src/server/letter-data.ts'
import { expectRefusal, type TestUser } from './full-server.ts'
import { nextPagePath } from './next-page-path-from-link-header.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { newPlayerInput } from './test-server.ts'

let t: ServerWithStripe
let admin: Awaited<ReturnType<ServerWithStripe['admin']>>
let player: TestUser
beforeAll(async () => {
  t = await startServerWithStripe()
  admin = await t.admin()
  player = await t.player()
})
afterAll(() => t.end())

const issue = { requestType: 'issue', content: 'My video stops at 0:12.' }
const sendSupportRequest = (who: TestUser, more: object = {}, headers: Record<string, string> = {}) =>
  who.call('POST', '/api/support/request', { ...issue, ...more }, headers)
const mine = async (who: TestUser) => (await who.call('GET', '/api/support/my-requests')).body

test('a request is sent, listed immediately, answered by letter, and closed', async () => {
  const ana = newPlayerInput()
  const player = await t.player(ana)
  const more = { deviceInfo: 'Firefox', priority: 'high', suggestedSolution: 'A longer clip?' }
  const asked = await sendSupportRequest(player, more)
  expect(asked.status).toBe(201)
  expect(asked.body).toMatchObject({ ...issue, ...more, status: 'open', answer: null, answered: null })
  expect(await mine(player)).toEqual([asked.body])
  expect(await mine(await t.player())).toEqual([])

  const path = `/api/admin/support/${asked.body.id}`
  expect((await admin.call('POST', `${path}/status`, { status: 'in-progress' })).status).toBe(204)
  expect((await mine(player))[0].status).toBe('in-progress')
  expect((await admin.call('POST', `${path}/answer`, { answer: 'Upload it again, please.' })).status).toBe(204)
  expect((await mine(player))[0]).toMatchObject({ status: 'answered', answer: 'Upload it again, please.', answered: expect.any(String) })
  await t.waitUntilIdle()
  expect((await t.letters(ana.email)).at(-1)!.text).toMatch(/My video stops[\s\S]*Upload it again, please\./)
  await admin.call('POST', `${path}/status`, { status: 'closed' })
  const closed = (await admin.call('GET', '/api/admin/support?status=closed')).body.requests
  expect(new Set(closed.map((r: { status: string }) => r.status))).toEqual(new Set(['closed']))
  expect(closed.find((r: { id: string }) => r.id === asked.body.id)).toMatchObject({
    by: { id: player.id, name: 'Ana García', email: ana.email, role: 'player' },
  })
  expectRefusal(await admin.call('POST', `/api/admin/support/${randomUUID()}/status`, { status: 'closed' }), 404, 'not-found')
})

test('a second answer is shown after the first, and each has a letter of its own', async () => {
  const leo = newPlayerInput()
  const asker = await t.player(leo)
  const { id } = (await sendSupportRequest(asker)).body
  const path = `/api/admin/support/${id}`
  for (const answer of ['Which video is it?', 'We found it.'])
    expect((await admin.call('POST', `${path}/answer`, { answer })).status).toBe(204)
  // The administrator reopens the request because no letter arrived, and sends the same text again.
  expect((await admin.call('POST', `${path}/status`, { status: 'open' })).status).toBe(204)
  expect((await admin.call('POST', `${path}/answer`, { answer: 'We found it.' })).status).toBe(204)
  const [request] = await mine(asker)
  expect(request).toMatchObject({ status: 'answered', answer: 'We found it.' })
  expect(request.answers.map((a: { text: string }) => a.text)).toEqual(['Which video is it?', 'We found it.', 'We found it.'])
  await t.waitUntilIdle()
  const letters = (await t.letters(leo.email)).filter(l => l.subject === 'Support answered your request')
  const countOf = (text: string) => letters.filter(l => l.text!.includes(text)).length
  expect([countOf('Which video is it?'), countOf('We found it.')]).toEqual([1, 2])
})

test('a delayed letter contains the answer it is about, not the latest one', async () => {
  const asker = await t.player()
  const { id } = (await sendSupportRequest(asker)).body
  for (const answer of ['Which video is it?', 'We found it.']) await admin.call('POST', `/api/admin/support/${id}/answer`, { answer })
  await t.waitUntilIdle()
  const errands = await t.sql<{ payload: { request: string; event: string } }[]>`
    select payload from errands where kind = 'letter.support-answered' and payload ->> 'request' = ${id} order by asked, id`
  const facts = letterDataSource(t.deps)
  const answers = await Promise.all(errands.map(async e => (await facts.supportRequest(id, e.payload.event))?.answer))
  expect(answers.sort()).toEqual(['We found it.', 'Which video is it?'])
  expect((await facts.supportRequest(id))?.answer).toBe('We found it.')
})

test('a letter about an automatic request does not say that the person wrote it', async () => {
  const [zoe, id] = [newPlayerInput(), randomUUID()]
  const automatic = { by: (await t.player(zoe)).id, ...issue, priority: 'high', deviceInfo: null, suggestedSolution: null } as const
  await handleCommand(t.deps.store, supportRequestDecider, id, 'ask', automatic, systemCommandSource())
  await admin.call('POST', `/api/admin/support/${id}/answer`, { answer: 'Please name your other parent.' })
  await t.waitUntilIdle()
  const letter = (await t.letters(zoe.email)).find(l => l.text!.includes('your other parent'))
  expect(letter!.subject).toBe('A message from support about your account')
  expect(letter!.text).not.toContain(issue.content)
})

test('a request sent twice is stored once', async () => {
  const other = await t.player()
  const headers = { 'idempotency-key': randomUUID() }
  const [one, two] = [await sendSupportRequest(other, {}, headers), await sendSupportRequest(other, {}, headers)]
  expect(two.body).toEqual(one.body)
  expectRefusal(await sendSupportRequest(other, { content: 'Something else entirely.' }, headers), 422, 'key-reused')
  expect(await mine(other)).toHaveLength(1)
  // The same idempotency key from a different person is a different command.
  const third = await t.player()
  expect((await sendSupportRequest(third, {}, headers)).body.id).not.toBe(one.body.id)
})

test('the device defaults to the user agent, and the priority to medium', async () => {
  const answer = await sendSupportRequest(player, {}, { 'user-agent': 'Bat/1.0' })
  expect(answer.body).toMatchObject({ deviceInfo: 'Bat/1.0', priority: 'medium', suggestedSolution: null })
  const long = await sendSupportRequest(player, {}, { 'user-agent': `${'b'.repeat(499)}xy` })
  expect(long.body.deviceInfo).toBe(`${'b'.repeat(499)}x`)
})

test("a header names the next page of a user's own requests, except on the last page", async () => {
  const other = await t.player()
  const sent: string[] = []
  for (let n = 0; n < 3; n++) sent.push((await sendSupportRequest(other)).body.id)
  const listed: string[][] = []
  for (let path: string | undefined = '/api/support/my-requests?limit=2'; path; ) {
    const page = await other.call('GET', path)
    listed.push(page.body.map((r: { id: string }) => r.id))
    path = nextPagePath(page.headers)
  }
  expect(listed).toEqual([[sent[2], sent[1]], [sent[0]]])
})

test.each([
  [{ requestType: undefined }, 'requestType', 'Please select a request type'],
  [{ requestType: '' }, 'requestType', 'Please select a request type'],
  [{ content: 'too short' }, 'content', 'Request content must be at least 10 characters'],
  [{ content: '             ' }, 'content', 'Request content must be at least 10 characters'],
  [{ priority: 'urgent' }, 'priority', 'Please select a priority'],
])('%j is refused', async (wrong, field, message) => {
  const answer = await sendSupportRequest(player, wrong)
  expect([answer.status, answer.body.message, answer.body.errors]).toEqual([422, message, [{ field, message }]])
})

test('open requests come first, by priority', async () => {
  const other = await t.player()
  for (const priority of ['low', 'critical', 'medium']) await sendSupportRequest(other, { priority })
  const { requests } = (await admin.call('GET', '/api/admin/support')).body
  const statuses = requests.map((r: { status: string }) => r.status)
  expect(statuses.indexOf('closed')).toBeGreaterThan(statuses.lastIndexOf('open'))
  const open = requests.filter((r: { status: string }) => r.status === 'open').map((r: { priority: string }) => r.priority)
  expect(open).toEqual([...open].sort((a, b) => order.indexOf(a) - order.indexOf(b)))
})
const order = ['critical', 'high', 'medium', 'low']

test('the list of open requests counts them all and leaves out those in progress', async () => {
  const countOf = async (list: string, seen: Record<string, string>) =>
    (await admin.call('GET', `/api/admin/support?list=${list}&limit=1`, undefined, seen)).body
  const asked = await sendSupportRequest(await t.player(), {})
  const sentAt = { 'x-seen': asked.headers.get('x-position')! }
  const [open, waiting] = [await countOf('open', sentAt), await countOf('waiting', sentAt)]
  const started = await admin.call('POST', `/api/admin/support/${asked.body.id}/status`, { status: 'in-progress' })
  const startedAt = { 'x-seen': started.headers.get('x-position')! }
  expect(open.requests).toHaveLength(1)
  expect((await countOf('open', startedAt)).total).toBe(open.total - 1)
  expect((await countOf('waiting', startedAt)).total).toBe(waiting.total)
})

test("somebody who floods support does not hide other people's requests", async () => {
  const [other, flooding] = [await t.player(), await t.player()]
  const [first, last] = [
    (await sendSupportRequest(other, { priority: 'low' })).body.id,
    (await sendSupportRequest(other, { priority: 'low' })).body.id,
  ]
  const meta = { name: 'request.ask', actor: flooding.id }
  for (let i = 0; i < 501; i++) {
    const data = { by: flooding.id, ...issue, priority: 'critical', deviceInfo: null, suggestedSolution: null }
    await t.deps.store.append(`request-${randomUUID()}`, -1n, [
      { id: randomUUID(), type: 'SupportRequested', data, meta: { ...meta, command: randomUUID() } },
    ])
  }
  const seen = { 'x-seen': (await sendSupportRequest(other, { priority: 'low' })).headers.get('x-position')! }
  const ids = (await admin.call('GET', '/api/admin/support?status=open', undefined, seen)).body.requests.map((r: { id: string }) => r.id)
  expect(ids).toContain(first)
  expect(ids).toContain(last)
})

test('signed-in people may ask, and only administrators may answer', async () => {
  expectRefusal(await t.browser().call('POST', '/api/support/request', issue), 401, 'signed-out')
  expectRefusal(await player.call('GET', '/api/admin/support'), 403, 'forbidden')
  expectRefusal(await admin.call('POST', `/api/admin/support/${randomUUID()}/answer`, { answer: 'Hello' }), 404, 'not-found')
})
