import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAYS_TO_WAIT_FOR_FAILED_PAYMENT, DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { createAssignedFolder, expectRefusal, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const REASON = 'Threats to another player.'

let t: ServerWithStripe
let admin: Pick<TestUser, 'call'>
beforeAll(async () => {
  t = await startServerWithStripe()
  admin = await t.admin()
})
afterAll(() => t.end())

const close = ({ id }: { id: string }) => admin.call('POST', `/api/admin/people/${id}/close`, { reason: REASON })
const reopen = ({ id }: { id: string }) => admin.call('POST', `/api/admin/people/${id}/reopen`)
const logIn = (username: string) => t.browser().call('POST', '/api/login', { username, password: newPlayerInput().password })
const users = (id: string) => t.sql`select 1 from users where id = ${id}`
const folderOf = async ({ folder }: { folder: string }) => (await admin.call('GET', `/api/folders/${folder}`)).body

const deletionWaitsFor = async ({ id }: { id: string }) => (await admin.call('GET', `/api/admin/people/${id}`)).body.deletionWaitsFor

test('closing an account signs the player out and ends open sessions, started or not', async () => {
  const { email } = newPlayerInput()
  const [player, instructor] = await Promise.all([t.player({ email }), t.instructor()])
  await t.saveCardOf(player)
  const [waiting, started] = [await createAssignedFolder(player, instructor), await createAssignedFolder(player, instructor)]
  expect((await instructor.call('POST', `/api/folders/${started.folder}/review`)).status).toBe(204)
  expect((await close(player)).status).toBe(204)
  await t.waitUntilIdle()
  expect(await Promise.all([waiting, started].map(async f => (await folderOf(f)).status))).toEqual(['open', 'open'])
  expectRefusal(await player.call('GET', '/api/user'), 401, 'signed-out')
  expectRefusal(await logIn(email), 403, 'account-closed', 'We closed this account. Our email to you says why.')
  expect((await t.letters(email)).at(-1)).toMatchObject({
    subject: 'We closed your DiamondLink account',
    text: expect.stringContaining(REASON),
  })
  expect((await admin.call('GET', `/api/admin/people/${player.id}`)).body).toMatchObject({
    closingReason: REASON,
    deletionDue: expect.any(String),
    signIns: [],
  })
  const [stored] = await t.sql<{ data: string }[]>`
    select data::text from events where stream = ${`account-${player.id}`} and type = 'DeletionScheduled'`
  expect(stored!.data).not.toContain('Threats')
})

test('a closed account is deleted after 14 days unless it is reopened', async () => {
  const { email } = newPlayerInput()
  const [kept, deleted] = await Promise.all([t.player({ email }), t.player()])
  for (const player of [kept, deleted]) expect((await close(player)).status).toBe(204)
  await t.waitUntilIdle()
  expect((await reopen(kept)).status).toBe(204)
  await t.waitUntilIdle()
  expect((await logIn(email)).status).toBe(200)
  expect((await t.letters(email)).at(-1)!.subject).toBe('Your DiamondLink account is open again')
  t.advanceClock(DELETION_GRACE_DAYS * 24 * 3600_000 + 1000)
  await t.makeDue('account.delete')
  expect(await users(kept.id)).toHaveLength(1)
  expect(await users(deleted.id)).toHaveLength(0)
  expectRefusal(await reopen(deleted), 404, 'not-found')
})

test("closing an instructor's account returns their folders and blocks new ones", async () => {
  const [player, instructor] = await Promise.all([t.player(), t.instructor()])
  await t.saveCardOf(player)
  const [waiting, started] = [await createAssignedFolder(player, instructor), await createAssignedFolder(player, instructor)]
  expect((await instructor.call('POST', `/api/folders/${started.folder}/review`)).status).toBe(204)
  const delivered = await t.createDeliveredFolder(player, instructor)
  expect((await close(instructor)).status).toBe(204)
  await t.waitUntilIdle()
  expect(await deletionWaitsFor(instructor)).toBe('Some earnings have not reached the instructor.')
  for (const returned of [waiting, started])
    expect(await folderOf(returned)).toMatchObject({ status: 'open', declined: { reason: expect.stringContaining('is leaving') } })
  const assignment = { assignment: crypto.randomUUID(), instructor: instructor.id }
  expectRefusal(await player.call('POST', `/api/folders/${waiting.folder}/assign`, assignment), 409, 'no-instructor')
  expectRefusal(await player.call('POST', `/api/folders/${delivered.folder}/question`, { question: 'How late?' }), 409, 'no-instructor')
})

test("a guardian learns that the child's account was closed, but cannot reopen it", async () => {
  const { email: guardianEmail } = newPlayerInput()
  const child = await t.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail })
  await t.waitUntilIdle()
  const maria = t.browser()
  const token = guardianTokenIn((await t.letters(guardianEmail))[0])
  expect((await maria.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  expect((await close(child)).status).toBe(204)
  await t.waitUntilIdle()
  const letter = (await t.letters(guardianEmail)).at(-1)!
  expect(letter).toMatchObject({ subject: "We closed Ana's DiamondLink account", text: expect.stringContaining(REASON) })
  const path = `/api/family/children/${child.id}/deletion`
  expect((await maria.call('GET', path)).body).toMatchObject({ isClosed: true, due: expect.any(String) })
  expectRefusal(await maria.call('POST', `${path}/cancel`), 409, 'account-closed')
})

test('closing an administrator or an unknown id is answered with 404', async () => {
  const [{ id }] = await t.sql<[{ id: string }]>`select id from users where role = 'admin'`
  for (const someone of [{ id }, { id: crypto.randomUUID() }]) expectRefusal(await close(someone), 404, 'not-found')
})

test('an unpaid bill delays the deletion of a closed account by 30 days', async () => {
  const [player, instructor] = await Promise.all([t.player(), t.instructor()])
  await t.saveCardOf(player)
  await t.createDeliveredFolder(player, instructor)
  expect((await close(player)).status).toBe(204)
  await t.waitUntilIdle()
  expect(await deletionWaitsFor(player)).toBe('A bill is unpaid.')
  for (const days of [DELETION_GRACE_DAYS, DAYS_TO_WAIT_FOR_FAILED_PAYMENT]) {
    expect(await users(player.id)).toHaveLength(1)
    t.advanceClock(days * 24 * 3600_000 + 1000)
    await t.makeDue('account.delete')
  }
  expect(await users(player.id)).toHaveLength(0)
})
