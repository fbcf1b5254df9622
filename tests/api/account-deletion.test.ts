import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider, folderStatusOf, nextSessionVideos } from '../../modules/folders/folder.ts'
import { handleCommand, loadState, systemCommandSource } from '../../modules/kernel/decider.ts'
import { ACCOUNT_DAYS_AFTER_REFUSAL, DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { deleteDataPastRetention } from '../../src/server/delete-data-past-retention.ts'
import { childlessGuardianDeletionErrandHandlers } from '../../src/server/guardian-deletion.ts'
import { createLogger } from '../../src/server/logging.ts'
import { projections } from '../../src/server/module-registry.ts'
import { minimalMp4File } from '../modules/media/container-builders.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { readAllObjects, readAllTables, wordsContainedInText } from './deletion-scan.ts'
import {
  createAssignedFolder,
  createFolder,
  createFolderWithVideo,
  expectRefusal,
  newReviewInput,
  startUploadAndSendParts,
  type TestUser,
} from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000
/** Everything that identifies the person, or that they wrote or received. */
const personalWords = {
  name: ['Zephyrine', 'Quillfeather'],
  contact: ['zephyrine.q@mail.test', '555 867 5309', '5558675309'],
  words: ['plum bullpen', 'plum-swing', 'my plum message', 'plum summary', 'plum note', 'plum question', 'plum answer', 'plum request'],
  answers: ['plum support answer', 'plum rating', 'plum reply', 'plum reason', 'plum refund'],
  phrases: ['plum browser'],
}
const personalWordsIn = (text: string) => wordsContainedInText(text, Object.values(personalWords).flat())

let t: ServerWithStripe
const logged: string[] = []
beforeAll(async () => {
  t = await startServerWithStripe({ log: createLogger('debug', { write: line => logged.push(line) }) })
})
afterAll(() => t.end())

const deletion = async (who: Pick<TestUser, 'call'>) => (await who.call('GET', '/api/account/deletion')).body
const requestDeletion = (who: Pick<TestUser, 'call'>, password = newPlayerInput().password) =>
  who.call('POST', '/api/account/deletion', { password })
/** Moves the clock past the 14 days in which the deletion can be undone. */
async function endUndoPeriod() {
  t.advanceClock(DELETION_GRACE_DAYS * DAY_MS + 1000)
  await t.makeDue('account.delete')
}
const users = (id: string) => t.sql`select 1 from users where id = ${id}`

/** Creates a player with every kind of data: a video, a review, a question, a payment, a rating, a refund and a support request. */
async function createEveryKindOfData(instructor: TestUser) {
  const admin = await t.admin()
  const [firstName, lastName] = personalWords.name
  const [email, phone] = personalWords.contact
  const player = await t.player({ firstName, lastName, email, phone })
  await t.saveCardOf(player)
  const folder = await createFolder(player, 'Plum bullpen')
  const { id: video, complete } = await startUploadAndSendParts(player, folder, minimalMp4File(), { name: 'plum-swing.mp4' })
  expect((await complete()).status).toBe(200)
  const assignment = crypto.randomUUID()
  const assigned = { assignment, instructor: instructor.id, message: 'This is my plum message.' }
  expect((await player.call('POST', `/api/folders/${folder}/assign`, assigned)).status).toBe(204)
  expectRefusal(await requestDeletion(player), 409, 'deletion-obstacle')
  const review = newReviewInput(video, { summary: 'A plum summary.' })
  review.notes[0]!.text = 'A plum note.'
  expect((await instructor.call('POST', `/api/folders/${folder}/feedback`, review)).status).toBe(204)
  expect((await player.call('POST', `/api/folders/${folder}/question`, { question: 'A plum question?' })).status).toBe(204)
  expect((await instructor.call('POST', `/api/folders/${folder}/answer`, { answer: 'A plum answer.' })).status).toBe(204)
  await t.waitUntilIdle()
  expect((await deletion(player)).obstacle).toBe('You received feedback that has not been paid for yet. Pay for it first.')
  expect((await player.call('POST', `/api/payments/${assignment}/pay`, { tip: 0, total: 1550 })).status).toBeLessThan(300)
  await t.deliverAll()
  const rating = `/api/folders/${folder}/rating`
  expect((await player.call('PUT', `${rating}?session=${assignment}`, { stars: 2, comment: 'A plum rating' })).status).toBe(204)
  expect((await player.call('PUT', `${rating}?session=${assignment}`, { stars: 3, comment: 'Another plum rating' })).status).toBe(204)
  expect((await instructor.call('POST', `${rating}/answer?session=${assignment}`, { answer: 'A plum reply' })).status).toBe(204)
  expect((await admin.call('POST', `/api/admin/ratings/${assignment}/hide`, { reason: 'A plum reason.' })).status).toBe(204)
  const refund = { refund: crypto.randomUUID(), cents: 100, reason: 'A plum refund.' }
  expect((await admin.call('POST', `/api/admin/payments/${assignment}/refund`, refund)).status).toBeLessThan(300)
  const wrote = { requestType: 'issue', content: 'A plum request.', deviceInfo: 'Plum browser' }
  const { id } = (await player.call('POST', '/api/support/request', wrote)).body
  await admin.call('POST', `/api/admin/support/${id}/answer`, { answer: 'A plum support answer.' })
  await t.deliverAll()
  return { player, folder, assignment, admin, email: email! }
}

test('nothing is left of a deleted player: tables, objects, events, letters, log', async () => {
  const instructor = await t.instructor()
  await t.onboard(instructor)
  const { player, assignment, email } = await createEveryKindOfData(instructor)
  // Makes sure that the scan finds existing data.
  expect(personalWordsIn(await readAllTables(t))).toEqual(
    expect.arrayContaining(['plum bullpen', 'plum support answer', ...personalWords.name]),
  )
  expect(personalWordsIn(await readAllObjects(t))).toEqual([])

  await t.sql`insert into leads (email, metadata, created) values (${email}, '{}', now())`
  expect((await player.call('POST', '/api/account/export')).status).toBe(204)
  await t.waitUntilIdle()
  expect(personalWordsIn(await readAllObjects(t))).not.toEqual([])
  expect((await requestDeletion(player)).status).toBe(204)
  await t.waitUntilIdle()
  await t.browser().call('POST', '/api/recovery/password', { email })
  await t.waitUntilIdle()
  const letters = (await t.letters(email)).length
  await endUndoPeriod()
  await t.waitUntilIdle()

  expect(await users(player.id)).toHaveLength(0)
  expect((await player.call('GET', '/api/user')).status).toBe(401)
  expect(personalWordsIn(await readAllTables(t))).toEqual([])
  const keys: string[] = []
  for await (const { key } of t.deps.objects.list('')) keys.push(key)
  // The ids of destroyed keys are kept, so that restoring a backup does not bring anybody's data back.
  expect(keys.filter(key => /^(?!health|destroyed-keys\/[0-9a-f-]{36}$)/.test(key))).toEqual([])
  expect(await t.letters(email)).toHaveLength(letters)
  expect(personalWordsIn(logged.join('\n'))).toEqual([])
  expect(logged.length).toBeGreaterThan(0)

  // Rebuilding the read models from the log does not bring the words back.
  await Promise.all(projections.map(p => t.deps.readModels.rebuild(p.name)))
  expect(personalWordsIn(await readAllTables(t))).toEqual([])
  // The payment history stays, under a pseudonym.
  const { payments } = (await instructor.call('GET', '/api/earnings')).body
  expect(payments).toMatchObject([{ id: assignment, playerName: 'A former player' }])
  expect((await t.deps.store.read(`payment-${assignment}`)).map(e => e.type)).toContain('PaymentSucceeded')
})

test('an owner can cancel the deletion of an account within 14 days', async () => {
  const player = await t.player()
  expect((await requestDeletion(player, 'not the password')).body).toMatchObject({ code: 'invalid', field: 'password' })
  expect((await requestDeletion(player)).status).toBe(204)
  const { due } = await deletion(player)
  expect((await player.call('GET', '/api/billing/open')).body.deletionDue).toBe(due)
  expect(Date.parse(due) - t.deps.clock().getTime()).toBeGreaterThan((DELETION_GRACE_DAYS - 1) * DAY_MS)
  expect((await player.call('POST', '/api/account/deletion/cancel')).status).toBe(204)
  expect((await deletion(player)).due).toBeNull()
  await endUndoPeriod()
  expect(await users(player.id)).toHaveLength(1)
})

test('an account scheduled for deletion can neither assign folders nor be assigned any', async () => {
  const [player, leaving, other, instructor] = await Promise.all([t.player(), t.player(), t.instructor(), t.instructor()])
  await t.saveCard(player.id)
  for (const who of [leaving, other]) expect((await requestDeletion(who)).status).toBe(204)
  const assign = async (who: TestUser, to: TestUser) => {
    const folder = await createFolder(who)
    const { id, complete } = await startUploadAndSendParts(who, folder)
    expect([id, (await complete()).status]).toEqual([id, 200])
    return who.call('POST', `/api/folders/${folder}/assign`, { assignment: crypto.randomUUID(), instructor: to.id })
  }
  expectRefusal(await assign(leaving, instructor), 409, 'deletion-scheduled')
  expectRefusal(await assign(player, other), 409, 'no-instructor')
})

test('when an instructor leaves, open folders return and feedback stays readable', async () => {
  const [player, instructor] = await Promise.all([t.player(), t.instructor({ firstName: 'Orlando' })])
  await t.onboard(instructor)
  await t.saveCardOf(player)
  const waits = await createAssignedFolder(player, instructor)
  const { folder, payment } = await t.createDeliveredFolder(player, instructor)
  expectRefusal(await requestDeletion(instructor), 409, 'deletion-obstacle')
  expect((await player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 })).status).toBe(200)
  await t.deliverAll()
  expect(await deletion(instructor)).toMatchObject({ obstacle: null, openSessions: 1 })
  expect((await requestDeletion(instructor)).status).toBe(204)
  await t.waitUntilIdle()
  expect((await player.call('GET', `/api/folders/${waits.folder}`)).body).toMatchObject({
    status: 'open',
    declined: { reason: expect.stringContaining('is leaving') },
  })
  await endUndoPeriod()
  expect(await users(instructor.id)).toHaveLength(0)
  const { session } = (await player.call('GET', `/api/folders/${folder}`)).body
  expect(session).toMatchObject({ instructor: { name: 'Someone who left' }, review: { summary: 'Good load, late hands.' } })
})

test('a folder assigned while its instructor is leaving is returned a minute later', async () => {
  const [player, leaving, staying] = await Promise.all([t.player(), t.instructor(), t.instructor()])
  for (const instructor of [leaving, staying]) expect((await requestDeletion(instructor)).status).toBe(204)
  await t.waitUntilIdle()
  expect((await staying.call('POST', '/api/account/deletion/cancel')).status).toBe(204)
  // Assigns a folder without the API, which refuses that while the deletion of the instructor's account is scheduled.
  const assignTo = async ({ id: instructor }: TestUser) => {
    const { folder } = await createFolderWithVideo(player)
    const videos = nextSessionVideos(await loadState(t.deps.store, folderDecider, folder))
    const assignment = { assignment: crypto.randomUUID(), instructor, message: null, terms: {}, videos }
    const priced = { ...assignment, quote: { items: [], total: 0, atMost: 0 } }
    const { position } = await handleCommand(t.deps.store, folderDecider, folder, 'assign', priced, systemCommandSource())
    expect(await t.deps.readModels.caughtUp(['assignments'], position)).toBe(true)
    return folder
  }
  const folders = [await assignTo(leaving), await assignTo(staying)]
  await t.makeDue('account.hand-back')
  const states = await Promise.all(folders.map(folder => loadState(t.deps.store, folderDecider, folder)))
  expect(states.map(folderStatusOf)).toEqual(['open', 'assigned'])
})

test('the last administrator cannot be deleted', async () => {
  const admins = await t.sql<{ id: string }[]>`select id from users where role = 'admin'`
  const last = await t.admin()
  await t.sql`update users set role = 'player' where id = any(${admins.map(row => row.id)}::uuid[])`
  expect((await deletion(last)).obstacle).toMatch(/only administrator/)
  expectRefusal(await requestDeletion(last), 409, 'deletion-obstacle')
})

/** Creates a minor whose guardian has answered the request for consent with `answer`. */
async function minorOf(guardianEmail: string, answer: 'yes' | 'no') {
  const minor = { firstName: 'Zibeline', dateOfBirth: birthDateForAge(14), guardianName: 'Wilhelmina', guardianEmail }
  const player = await t.player(minor)
  await t.waitUntilIdle()
  const guardian = t.browser()
  const token = guardianTokenIn((await t.letters(guardianEmail)).at(-1))
  expect((await guardian.call('POST', `/api/guardian/${token}`, { answer })).status).toBe(204)
  return { player, guardian }
}
const sweep = () => deleteDataPastRetention(t.deps, new AbortController().signal)
const guardians = (email: string) => t.sql`select 1 from guardians where email = ${email}`

test('an account and its guardian are deleted 30 days after consent was refused', async () => {
  const { player } = await minorOf('wilhelmina@mail.test', 'no')
  const { player: reconsidered, guardian } = await minorOf('other@mail.test', 'no')
  const { account } = (await player.call('GET', '/api/account/retention')).body
  expect(Math.round((Date.parse(account) - t.deps.clock().getTime()) / DAY_MS)).toBe(ACCOUNT_DAYS_AFTER_REFUSAL)
  t.advanceClock((ACCOUNT_DAYS_AFTER_REFUSAL - 1) * DAY_MS)
  await sweep()
  await t.waitUntilIdle()
  expect(await users(player.id)).toHaveLength(1)
  await guardian.call('POST', `/api/family/children/${reconsidered.id}/consent`, { answer: 'yes' })
  t.advanceClock(2 * DAY_MS)
  await sweep()
  await t.makeDue('account.delete')
  await t.makeDue('guardian.delete')
  expect(await users(player.id)).toHaveLength(0)
  expect(await guardians('wilhelmina@mail.test')).toHaveLength(0)
  expect(await users(reconsidered.id)).toHaveLength(1)
  const tables = (await readAllTables(t)).split('\n').filter(row => /wilhelmina@/i.test(row))
  expect(tables).toEqual([])
})

test('deleting the last child also deletes the guardian and their cards', async () => {
  const email = 'ottoline@mail.test'
  const { player: first, guardian } = await minorOf(email, 'yes')
  const { player: second } = await minorOf(email, 'yes')
  const { url } = (await guardian.call('POST', '/api/family/cards/setup', { back: '/family/money' })).body
  const session = new URL(await t.enterCard(url)).searchParams.get('setup')
  const { card } = (await guardian.call('POST', '/api/family/cards/confirm', { session })).body
  const customer = (await t.stripe.paymentMethods.retrieve(card.id)).customer as string
  expect(await t.stripe.customers.retrieve(customer)).toMatchObject({ address: { country: 'US' } })
  const hasChildren = 'A player under 18 names you as parent or guardian, so we cannot delete your data yet.'
  expectRefusal(await guardian.call('DELETE', '/api/family'), 409, 'has-children', hasChildren)
  expect((await guardian.call('PUT', `/api/family/children/${first.id}/limit`, { monthly: 2000 })).status).toBe(204)
  const streams = await t.sql<{ stream: string }[]>`select distinct stream from events where stream ~ '^(wallet|allowance)-'`
  expect(streams.map(row => row.stream)).toContain(`allowance-${first.id}`)
  for (const [player, left] of [
    [first, 1],
    [second, 0],
  ] as const) {
    expect((await requestDeletion(player)).status).toBe(204)
    await endUndoPeriod()
    await t.makeDue('guardian.delete')
    expect(await users(player.id)).toHaveLength(0)
    expect(await guardians(email)).toHaveLength(left)
  }
  expect((await t.stripe.paymentMethods.retrieve(card.id)).customer).toBeNull()
  expect(await t.stripe.customers.retrieve(customer)).toMatchObject({ address: null })
  // The wallet and the allowance stay as payment history, without naming anybody.
  expect((await readAllTables(t)).split('\n').filter(row => row.toLowerCase().includes(email))).toEqual([])
  const family = streams.map(row => row.stream)
  const history = (await t.sql`select data::text as data from events where stream = any(${family})`).map(row => row.data).join()
  expect(history).not.toMatch(/zibeline|wilhelmina|ottoline/i)
  expect((await guardian.call('GET', '/api/family')).status).toBe(401)
})

test('a child keeps a guardian whom they name while that guardian is being deleted', async () => {
  const email = 'seraphine@mail.test'
  const { player: first, guardian } = await minorOf(email, 'yes')
  const { id } = (await guardian.call('GET', '/api/family')).body.guardian
  await t.saveCard(id)
  await t.sql`update guardianships set until = now() where player = ${first.id}`
  let second: TestUser | undefined
  const removeCard = async () => {
    second = await t.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Seraphine Pine', guardianEmail: email })
  }
  const gateway = { ...t.deps.gateway, removeCard, removeAddress: async () => {} }
  await childlessGuardianDeletionErrandHandlers({ ...t.deps, gateway })['guardian.delete']({ guardian: id, position: '0' }, { id })
  expect(await t.sql`select 1 from guardianships where player = ${second!.id} and until is null`).toHaveLength(1)
})

test('a guardian whose children are all adults can delete their own account', async () => {
  const email = 'leopoldine@mail.test'
  const { player, guardian } = await minorOf(email, 'yes')
  await t.sql`update users set born = ${birthDateForAge(19)} where id = ${player.id}`
  expect((await guardian.call('DELETE', '/api/family')).status).toBe(204)
  await t.makeDue('guardian.delete')
  expect(await guardians(email)).toHaveLength(0)
  expect(await users(player.id)).toHaveLength(1)
})
