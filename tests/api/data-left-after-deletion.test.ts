import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reviewVideoKey } from '../../modules/media/object-keys.ts'
import { DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { createLogger } from '../../src/server/logging.ts'
import { projections } from '../../src/server/module-registry.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { linesContaining, readAllLetters, readAllObjects, readAllTables, wordsContainedInText } from './deletion-scan.ts'
import {
  createAssignedFolder,
  createFolder,
  createFolderWithVideo,
  newReviewInput,
  startUploadAndSendParts,
  type TestUser,
} from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000

let t: ServerWithStripe
let admin: Awaited<ReturnType<ServerWithStripe['admin']>>
const logged: string[] = []
beforeAll(async () => {
  t = await startServerWithStripe({ log: createLogger('debug', { write: line => logged.push(line) }) })
  admin = await t.admin()
})
afterAll(() => t.end())

async function bodyOfSuccess(answer: ReturnType<TestUser['call']>) {
  const { status, text, body } = await answer
  expect([status, status < 300 ? '' : text]).toEqual([status, ''])
  expect(status).toBeLessThan(300)
  return body
}

/** Schedules an account's deletion, and carries it out after the grace period. Returns the letters sent after it was scheduled. */
async function deleteAccount(who: TestUser) {
  const before = (await readAllLetters(t)).length
  await bodyOfSuccess(who.call('POST', '/api/account/deletion', { password: newPlayerInput().password }))
  await t.waitUntilIdle()
  const scheduled = (await readAllLetters(t)).length
  t.advanceClock(DELETION_GRACE_DAYS * DAY_MS + 1000)
  await t.makeDue('account.delete')
  await t.makeDue('guardian.delete')
  expect(await t.sql`select 1 from users where id = ${who.id}`).toHaveLength(0)
  expect(scheduled).toBeGreaterThan(before)
  return (await readAllLetters(t)).slice(0, -scheduled)
}

/** Asserts that no table, object, log line or given letter contains these words, nor any table once all read models are rebuilt. */
async function expectForgotten(words: readonly string[], lettersSince: object[]) {
  expect(linesContaining(await readAllTables(t), words)).toEqual([])
  expect(wordsContainedInText(await readAllObjects(t), words)).toEqual([])
  expect(wordsContainedInText(JSON.stringify(lettersSince), words)).toEqual([])
  expect(linesContaining(logged.join('\n'), words)).toEqual([])
  await Promise.all(projections.map(p => t.deps.readModels.rebuild(p.name)))
  expect(linesContaining(await readAllTables(t), words)).toEqual([])
}

/** Creates a delivered session whose review compares the session's video with the model clip `clip`. */
async function comparedSession(player: TestUser, instructor: TestUser, clip: string) {
  const made = await createAssignedFolder(player, instructor)
  const side = (folder: string, video: string) => ({ folder, video, origin: 0, offset: 0, scale: 1 })
  const sides = [side(made.folder, made.video), side(instructor.id, clip)]
  const review = newReviewInput(made.video, {
    comparisons: [{ id: randomUUID(), title: 'Quince title', sides, mode: 'side', stretch: false }],
  })
  await bodyOfSuccess(instructor.call('POST', `/api/folders/${made.folder}/feedback`, review))
  await t.waitUntilIdle()
  return made
}
async function modelClip(instructor: TestUser, title: string) {
  const modelClip = { title, skill: 'hitting', side: 'left', angle: 'side', rightsConfirmed: true }
  const { id, complete } = await startUploadAndSendParts(instructor, instructor.id, undefined, { name: `${title}.mp4` })
  await bodyOfSuccess(complete({ milliseconds: 2500, width: 320, height: 240, poster: false, modelClip }))
  return id
}
async function pay(player: TestUser, payment: string) {
  await bodyOfSuccess(player.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: 1550 }))
  await t.deliverAll()
}

test('a deleted player leaves no links, saved videos, packages or comparisons', async () => {
  const words = ['quince grandma', 'quince title', 'quince season', 'quincetta', 'quince.swing', 'quince bullpen']
  const [player, instructor] = [await t.player({ firstName: 'Quincetta' }), await t.instructor()]
  await t.onboard(instructor)
  await t.saveCardOf(player)
  const { folder, assignment } = await comparedSession(player, instructor, await modelClip(instructor, 'A load'))
  await pay(player, assignment)

  const links = `/api/folders/${folder}/links?session=${assignment}`
  const { token } = await bodyOfSuccess(player.call('POST', links, { id: randomUUID(), name: 'Quince grandma' }))
  await bodyOfSuccess(t.browser().call('GET', `/api/shared/${token}`))
  await bodyOfSuccess(player.call('POST', `/api/folders/${folder}/review-video?session=${assignment}`))
  await t.deps.objects.put(reviewVideoKey(folder, assignment), 'video/mp4', Buffer.from('quince title'))
  // With a second folder and a limit of one, the response has a cursor, which names a folder.
  await createFolderWithVideo(player, 'Quince bullpen')
  await bodyOfSuccess(player.call('GET', '/api/folders?limit=1'))
  const unfinished = await createFolder(player, 'Quince bullpen')
  await startUploadAndSendParts(player, unfinished, undefined, { name: 'quince.swing.mp4' })
  const { url } = await bodyOfSuccess(player.call('POST', '/api/packages/checkout', { package: 'triple' }))
  await bodyOfSuccess(
    player.call('POST', '/api/packages/confirm', { session: new URL(await t.enterCard(url)).searchParams.get('session') }),
  )
  await t.waitUntilIdle()
  const [bought] = (await bodyOfSuccess(player.call('GET', '/api/billing'))).purchases
  const { books } = await bodyOfSuccess(admin.call('GET', `/api/purchases/${bought.id}`))
  const refund = { refund: randomUUID(), what: 'unused', cents: books.refundable.unused, reason: 'The quince season is over.' }
  await bodyOfSuccess(admin.call('POST', `/api/admin/purchases/${bought.id}/refund`, refund))
  await t.deliverAll()
  expect(wordsContainedInText((await readAllTables(t)) + (await readAllObjects(t)), words).sort()).toEqual([...words].sort())

  const letters = await deleteAccount(player)
  expect((await t.browser().call('GET', `/api/shared/${token}`)).status).toBe(404)
  await expectForgotten(words, letters)
})

test('a guardian deleted with the last child leaves no personal data anywhere', async () => {
  const email = 'medlarine@mail.test'
  const words = ['medlarine', 'medlar reason', 'medlar words', 'medlar cousin', 'medlar answer', 'medlar swap']
  const [minor, instructor] = [
    await t.player({ firstName: 'Leo', dateOfBirth: birthDateForAge(14), guardianName: 'Bo Lane', guardianEmail: 'bo@mail.test' }),
    await t.instructor(),
  ]
  await t.onboard(instructor)
  const swap = { name: 'Medlarine Lane', email, reason: 'A medlar swap.' }
  await bodyOfSuccess(admin.call('POST', `/api/admin/people/${minor.id}/guardian`, swap))
  await t.waitUntilIdle()
  const guardian = t.browser()
  const token = guardianTokenIn((await t.letters(email)).at(-1))
  await bodyOfSuccess(guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes', timeZone: 'America/Chicago' }))
  const { url } = await bodyOfSuccess(guardian.call('POST', '/api/family/cards/setup', { back: '/family/money' }))
  await bodyOfSuccess(
    guardian.call('POST', '/api/family/cards/confirm', { session: new URL(await t.enterCard(url)).searchParams.get('setup') }),
  )

  const request = async (folder: string) => {
    const assignment = randomUUID()
    await bodyOfSuccess(minor.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: instructor.id }))
    return assignment
  }
  const { folder, video } = await createFolderWithVideo(minor, 'Swings')
  await bodyOfSuccess(guardian.call('POST', `/api/family/approvals/${await request(folder)}/decline`, { reason: 'A medlar reason.' }))
  const session = await request(folder)
  await bodyOfSuccess(guardian.call('POST', `/api/family/approvals/${session}/approve`))
  await bodyOfSuccess(instructor.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video)))
  await t.waitUntilIdle()
  await bodyOfSuccess(guardian.call('POST', `/api/family/payments/${session}/pay`, { tip: 0, total: 1550 }))
  await t.deliverAll()
  const rating = `/folders/${folder}/rating`
  await bodyOfSuccess(guardian.call('PUT', `/api/family${rating}?session=${session}`, { stars: 4, comment: 'Medlar words' }))
  await bodyOfSuccess(instructor.call('POST', `/api${rating}/answer?session=${session}`, { answer: 'A medlar answer' }))
  const link = { id: randomUUID(), name: 'Medlar cousin' }
  await bodyOfSuccess(guardian.call('POST', `/api/family/children/${minor.id}/reviews/${session}/links`, link))
  await bodyOfSuccess(guardian.call('POST', `/api/family/children/${minor.id}/export`))
  await bodyOfSuccess(t.browser().call('POST', '/api/family/sign-in', { email }))
  await t.waitUntilIdle()
  expect(wordsContainedInText((await readAllTables(t)) + (await readAllObjects(t)), words).sort()).toEqual([...words].sort())

  const letters = await deleteAccount(minor)
  expect(await t.sql`select 1 from guardians where email = ${email}`).toHaveLength(0)
  expect((await guardian.call('GET', '/api/family')).status).toBe(401)
  await expectForgotten(words, letters)
})

test('a deleted instructor leaves only the feedback that players paid for', async () => {
  const words = ['cloudberrina', 'cloudberry about', 'cloudberry years', 'cloudberry clip', 'cloudberry spare', 'cloudberry phrase']
  const records = ['cloudberry passport', 'cloudberry withdrawn', 'cloudberry suspended', 'cloudberry waiver', 'cloudberry request']
  const email = 'cloudberrina@mail.test'
  const [player, instructor] = [await t.player(), await t.instructor({ firstName: 'Cloudberrina', email, phone: '555 741 8520' })]
  const all = [...words, ...records, '555 741 8520', '5557418520']
  await t.onboard(instructor)
  await bodyOfSuccess(instructor.call('POST', '/api/payouts/refresh'))
  await t.saveCardOf(player)
  const profile = { type: ['baseball'], skills: ['hitting'], slug: 'cloudberrina' }
  await bodyOfSuccess(
    instructor.call('PUT', '/api/profile', { ...profile, about: 'My cloudberry about.', experience: 'Ten cloudberry years.' }),
  )
  const phrase = { id: randomUUID(), text: 'A cloudberry phrase.', kind: 'tip', link: null }
  await bodyOfSuccess(instructor.call('POST', '/api/phrases', phrase))
  const [shown] = [await modelClip(instructor, 'Cloudberry clip'), await modelClip(instructor, 'Cloudberry spare')]
  const { folder, assignment } = await comparedSession(player, instructor, shown)
  await pay(player, assignment)

  const path = `/api/admin/instructors/${instructor.id}`
  const check = { check: 'identity', checked: '2026-01-05', reference: 'A cloudberry passport', expires: null }
  await bodyOfSuccess(admin.call('POST', `${path}/checks`, check))
  const [recorded] = (await t.deps.store.read(`vetting-${instructor.id}`)).filter(e => e.type === 'CheckRecorded')
  await bodyOfSuccess(
    admin.call('POST', `${path}/checks/${(recorded!.data as { check: string }).check}/withdraw`, { reason: 'Cloudberry withdrawn.' }),
  )
  await bodyOfSuccess(admin.call('POST', `${path}/suspend`, { reason: 'Cloudberry suspended.' }))
  await bodyOfSuccess(admin.call('POST', `${path}/reinstate`))
  const { account } = (await t.stripe.transfers.list({ transfer_group: assignment })).data.map(tr => ({
    account: tr.destination as string,
  }))[0]!
  await t.control({ payouts: [account] })
  const refund = { refund: randomUUID(), cents: 1550, reason: 'Wrong folder' }
  await bodyOfSuccess(admin.call('POST', `/api/admin/payments/${assignment}/refund`, refund))
  await t.waitUntilIdle()
  await bodyOfSuccess(admin.call('POST', `${path}/debt-waivers`, { waiver: randomUUID(), cents: 1200, reason: 'A cloudberry waiver.' }))
  await bodyOfSuccess(instructor.call('POST', '/api/support/request', { requestType: 'issue', content: 'A cloudberry request.' }))
  await bodyOfSuccess(instructor.call('POST', '/api/account/export'))
  await t.deliverAll()
  expect(wordsContainedInText((await readAllTables(t)) + (await readAllObjects(t)), all).sort()).toEqual(
    expect.arrayContaining([...words].sort()),
  )

  const letters = await deleteAccount(instructor)
  await expectForgotten(all, letters)
  const { session } = await bodyOfSuccess(player.call('GET', `/api/folders/${folder}`))
  expect(session).toMatchObject({ instructor: { name: 'Someone who left' }, review: { summary: 'Good load, late hands.' } })
  expect(session.review.comparisons).toMatchObject([{ title: 'Quince title' }])
})
