import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { DATA_EXPORT_DAYS } from '../../modules/privacy/policy.ts'
import { assignments } from '../../projections/assignments.ts'
import { dataExportContents } from '../../src/server/data-export-contents.ts'
import { joinBytes, minimalMp4File, mp4Box } from '../modules/media/container-builders.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { createAssignedFolder, createFolder, newReviewInput, startUploadAndSendParts, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge } from './test-server.ts'

const DAY_MS = 24 * 3600_000
let t: ServerWithStripe
beforeAll(async () => {
  t = await startServerWithStripe()
})
afterAll(() => t.end())

const latest = async (who: TestUser) => (await who.call('GET', '/api/account/export')).body.export
/** Requests an export and waits until it is ready. */
async function createExport(who: TestUser) {
  expect((await who.call('POST', '/api/account/export')).status).toBe(204)
  await t.waitUntilIdle()
  return latest(who)
}
async function download(who: TestUser, id: string) {
  const answer = await who.call('GET', `/api/account/exports/${id}`)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const file = await fetch(answer.headers.get('location')!)
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="DiamondLink-/)
  return unzipSync(new Uint8Array(await file.arrayBuffer()))
}
const objects = async (prefix: string) => {
  const keys: string[] = []
  for await (const { key } of t.deps.objects.list(prefix)) keys.push(key)
  return keys
}

test('an export contains account, originals, reviews, receipts and letters', async () => {
  const instructor = await t.instructor()
  const email = 'packing@mail.test'
  const player = await t.player({ firstName: 'Packing', email })
  await t.saveCardOf(player)
  const folder = await createFolder(player, 'Back foot: load')
  // Large enough for more than one part of a multipart upload.
  const film = joinBytes(minimalMp4File(), mp4Box('free', new Uint8Array(9 * 2 ** 20).fill(7)))
  const { id: video, complete } = await startUploadAndSendParts(player, folder, film, { name: 'swing.mp4' })
  expect((await complete()).status).toBe(200)
  const assignment = crypto.randomUUID()
  await player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: instructor.id, message: 'Am I late?' })
  expect((await instructor.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204)
  await t.waitUntilIdle()
  await player.call('POST', `/api/payments/${assignment}/pay`, { tip: 0, total: 1550 })
  await t.deliverAll()
  await player.call('POST', '/api/support/request', { requestType: 'issue', content: 'My video stops.', deviceInfo: 'A phone' })

  const { id, made: file } = await createExport(player)
  const files = await download(player, id)
  const text = (name: string) => strFromU8(files[name]!)
  const json = (name: string) => JSON.parse(text(name))
  expect(Object.keys(files).sort()).toEqual([
    'Emails/emails.json',
    'Folders/Back foot_ load/Session 1/Feedback.pdf',
    'Folders/Back foot_ load/Session 1/session.json',
    'Folders/Back foot_ load/Videos/swing.mp4',
    'Folders/Back foot_ load/folder.json',
    'Logins/logins.json',
    'Payments/cards.json',
    'Payments/credits.json',
    'Payments/receipts.json',
    'Profile/profile.json',
    'Read me.txt',
    'Support/requests.json',
  ])
  expect(Buffer.compare(files['Folders/Back foot_ load/Videos/swing.mp4']!, film)).toBe(0)
  expect(json('Profile/profile.json')).toMatchObject({ role: 'player', firstName: 'Packing', email, guardian: null })
  expect(text('Profile/profile.json')).not.toMatch(/password|argon2/)
  const session = json('Folders/Back foot_ load/Session 1/session.json')
  expect(session).toMatchObject({ message: 'Am I late?', review: { summary: 'Good load, late hands.' } })
  expect(JSON.stringify(session)).not.toContain('X-Amz')
  expect(text('Folders/Back foot_ load/Session 1/Feedback.pdf')).toMatch(/^%PDF-/)
  expect(json('Payments/receipts.json').sessions).toMatchObject([{ id: assignment, receipt: expect.stringMatching(/^DL-/) }])
  expect(json('Payments/cards.json')).toMatchObject([{ brand: 'visa', last4: '4242' }])
  expect(json('Support/requests.json')).toMatchObject([{ content: 'My video stops.' }])
  expect(json('Emails/emails.json').map((email: { kind: string }) => email.kind)).toEqual(
    expect.arrayContaining(['welcome', 'feedback-given', 'receipt']),
  )
  expect(json('Logins/logins.json').sessions).toHaveLength(1)
  expect(file.bytes).toBeGreaterThan(film.length)

  expect((await t.letters(email)).map(l => l.subject)).toContain('Your DiamondLink data is ready to download')
  const types = (await t.deps.store.read(`account-${player.id}`)).map(e => e.type).filter(type => type.startsWith('Export'))
  expect(types).toEqual(['ExportRequested', 'ExportMade', 'ExportDownloaded'])
})

test("an instructor's export contains the reviews they gave, but no player's videos", async () => {
  const [player, instructor] = await Promise.all([t.player(), t.instructor()])
  await t.saveCardOf(player)
  const { folder, video } = await createAssignedFolder(player, instructor)
  await instructor.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))
  await t.waitUntilIdle()
  const names = Object.keys(await download(instructor, (await createExport(instructor)).id))
  expect(names.filter(name => /^Reviews\/Swings, .*\/(Feedback\.pdf|session\.json)$/.test(name))).toHaveLength(2)
  expect(names.filter(name => name.endsWith('.mp4'))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['Payments/earnings.json', 'Profile/checks.json', 'Profile/phrases.json']))
})

test("a player's export contains raw recordings only if they cannot be converted", async () => {
  const [player, instructor] = await Promise.all([t.player(), t.instructor()])
  await t.saveCardOf(player)
  const { folder, video, assignment } = await createAssignedFolder(player, instructor)
  const voice = { id: crypto.randomUUID(), frame: 0, milliseconds: 1000, bytes: 4, type: 'audio/webm' as const, actions: [], video }
  await t.deps.objects.put(`voices/${assignment}/${voice.id}`, voice.type, Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))
  const given = await instructor.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, { voices: [voice] }))
  expect([given.status, given.text]).toEqual([204, ''])
  await t.waitUntilIdle()
  expect((await player.call('POST', '/api/account/export')).status).toBe(204)
  const errors = () => t.sql`select error from errands where kind = 'export.make' and payload ->> 'person' = ${player.id}`
  await expect.poll(errors).toMatchObject([{ error: expect.stringContaining('a voice-over is still being prepared') }])
  expect((await latest(player)).made).toBeNull()

  await t.sql`update media_work set state = 'refused', code = 'sound', ended = now() where video = ${voice.id}`
  await t.makeDue('export.make')
  const files = await download(player, (await latest(player)).id)
  expect(Object.keys(files)).toContain('Folders/Swings/Session 1/Voice-overs/1.webm')
})

test("an instructor's export contains all their sessions, however many were paid", async () => {
  const [player, instructor] = await Promise.all([t.player(), t.instructor()])
  await t.saveCardOf(player)
  const { folder } = await createAssignedFolder(player, instructor)
  await t.sql`
    insert into ${t.sql(tableOf(assignments))} (assignment, folder, player, instructor, position, status, videos, assigned, given)
    select gen_random_uuid(), ${folder}, ${player.id}, ${instructor.id}, 1000000 + n, case when n = 0 then 'ended' else 'paid' end, '[]', now(), now()
    from generate_series(0, 205) n`
  await t.waitUntilIdle()
  const names: string[] = []
  // No review is printed, so no fonts are needed.
  for await (const { name } of dataExportContents(t.deps, instructor.id, {} as never)) names.push(name)
  const sessions = names.filter(name => /^Reviews\/.*\/session\.json$/.test(name))
  expect([sessions.length, new Set(sessions).size]).toEqual([206, 206])
})

test("a minor's export contains the guardian's name and limit, but not their card", async () => {
  const guardian = { guardianName: 'Maria García', guardianEmail: 'maria.g@mail.test' }
  const minor = await t.player({ dateOfBirth: `${new Date().getFullYear() - 15}-01-01`, ...guardian })
  const [row] = await t.sql<{ guardian: string }[]>`update guardianships set agreed = now() where player = ${minor.id} returning guardian`
  await t.saveCard(row!.guardian)
  const files = await download(minor, (await createExport(minor)).id)
  expect(JSON.parse(strFromU8(files['Profile/profile.json']!)).guardian).toMatchObject({ name: 'Maria García' })
  expect(JSON.parse(strFromU8(files['Payments/allowance.json']!))).toMatchObject({ monthly: null })
  expect(JSON.parse(strFromU8(files['Payments/cards.json']!))).toEqual([])
})

test('only the owner can download an export, and only for seven days', async () => {
  const [player, other] = await Promise.all([t.player(), t.player()])
  const { id } = await createExport(player)
  expect((await other.call('GET', `/api/account/exports/${id}`)).status).toBe(404)
  expect((await t.browser().call('GET', `/api/account/exports/${id}`)).status).toBe(401)
  expect(await latest(other)).toBeNull()
  expect(await objects(`exports/${player.id}/`)).toHaveLength(1)
  t.advanceClock(DATA_EXPORT_DAYS * DAY_MS + 1000)
  expect((await player.call('GET', `/api/account/exports/${id}`)).status).toBe(404)
  expect(await latest(player)).toBeNull()
  await t.makeDue('export.remove')
  expect(await objects(`exports/${player.id}/`)).toEqual([])
})

test("a guardian can download a child's data; the child and other guardians cannot", async () => {
  const family = async (name: string) => {
    const guardianEmail = `${name.toLowerCase()}@export.test`
    const minor = await t.player({ firstName: name, dateOfBirth: birthDateForAge(14), guardianName: 'Maria', guardianEmail })
    await t.waitUntilIdle()
    const [asked] = await t.letters(guardianEmail)
    const guardian = t.browser()
    const token = guardianTokenIn(asked)
    const before = await guardian.call('POST', `/api/family/children/${minor.id}/export`)
    expect(before.status).toBe(401)
    expect((await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
    return { minor, guardian, guardianEmail, path: `/api/family/children/${minor.id}/export` }
  }
  const { minor, guardian, guardianEmail, path } = await family('Leo')
  await createFolder(minor, 'Tee work')
  expect((await guardian.call('POST', path)).status).toBe(204)
  expect((await guardian.call('POST', path)).body.code).toBe('export-under-way')
  await t.waitUntilIdle()
  const { id } = (await guardian.call('GET', path)).body.export
  const answer = await guardian.call('GET', `${path}s/${id}`)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const files = unzipSync(new Uint8Array(await (await fetch(answer.headers.get('location')!)).arrayBuffer()))
  expect(JSON.parse(strFromU8(files['Profile/profile.json']!))).toMatchObject({ firstName: 'Leo' })
  expect(Object.keys(files)).toContain('Folders/Tee work/folder.json')
  expect((await t.letters(guardianEmail)).at(-1)!.subject).toBe("Leo's DiamondLink data is ready to download")
  expect((await t.letters((await minor.call('GET', '/api/user')).body.email)).map(l => l.subject).join()).not.toContain('data is ready')

  // Only the guardian who looks after the child can download the file.
  expect(await latest(minor)).toBeNull()
  expect((await minor.call('GET', `/api/account/exports/${id}`)).status).toBe(404)
  const other = await family('Mia')
  expect((await other.guardian.call('GET', `${path}s/${id}`)).status).toBe(404)
  expect((await other.guardian.call('GET', `${other.path}s/${id}`)).status).toBe(404)
  const to = { name: 'Mo Lane', email: 'mo@export.test' }
  expect((await guardian.call('POST', `/api/family/children/${minor.id}/guardian`, to)).status).toBe(204)
  expect((await guardian.call('GET', `${path}s/${id}`)).status).toBe(404)
})
