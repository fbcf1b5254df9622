import { afterAll, beforeAll, expect, test } from 'vitest'
import { KNOWN_DEVICE_DAYS, LOGIN_SESSION_DAYS } from '../../modules/accounts/policy.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { REVIEW_LINK_DAYS } from '../../modules/sharing/policy.ts'
import { pageOfAuditEntries } from '../../projections/audit.ts'
import { supportRequestsOfUser } from '../../projections/support-requests.ts'
import { deleteDataPastRetention } from '../../src/server/delete-data-past-retention.ts'
import { scheduledJobs } from '../../src/server/module-registry.ts'
import { consentTokenFor } from './consent-token.ts'
import { createFolderWithVideo, type FullServer, startFullServer } from './full-server.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000
const YEAR_MS = 366 * DAY_MS

let t: FullServer
beforeAll(async () => {
  t = await startFullServer()
})
afterAll(() => t.end())

const deleteExpired = () => deleteDataPastRetention(t.deps, new AbortController().signal)
const objectsOf = async (folder: string) => {
  const keys: string[] = []
  for await (const { key } of t.deps.objects.list('')) if (key.includes(folder)) keys.push(key)
  return keys
}

test('a video that a guardian is asked about is kept until the request ends', async () => {
  const leo = await t.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: newPlayerInput().email })
  const token = await consentTokenFor(t.sql, leo.id)
  expect((await t.browser().call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  const [coach, { folder, video }] = await Promise.all([t.instructor(), createFolderWithVideo(leo)])
  const expiring = async () => (await leo.call('GET', '/api/account/retention')).body.videos.map((v: { video: string }) => v.video)
  expect(await expiring()).toEqual([video])
  const asked = { assignment: crypto.randomUUID(), instructor: coach.id }
  expect((await leo.call('POST', `/api/folders/${folder}/assign`, asked)).status).toBe(204)
  expect((await leo.call('GET', `/api/folders/${folder}`)).body.approval.status).toBe('pending')
  expect(await expiring()).toEqual([])
  expect((await leo.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  expect(await expiring()).toEqual([video])
})

test('a video that was never assigned is deleted after a year, even if archived', async () => {
  const [player, instructor] = await t.playerAndInstructor()
  const [unused, archived, given] = await Promise.all([
    createFolderWithVideo(player),
    createFolderWithVideo(player),
    createFolderWithVideo(player),
  ])
  const assignment = crypto.randomUUID()
  const assigned = await player.call('POST', `/api/folders/${given.folder}/assign`, { assignment, instructor: instructor.id })
  expect(assigned.status).toBe(204)
  expect((await player.call('POST', `/api/folders/${archived.folder}/archive`)).status).toBe(204)
  // Moving the clock a year ahead ends login sessions, so count the videos in the log instead of calling the API.
  const videos = async (of: string) => (await loadState(t.deps.store, folderDecider, of)).videos.length
  const due = (await player.call('GET', '/api/account/retention')).body.videos
  expect(due.map((v: { video: string }) => v.video).sort()).toEqual([unused.video, archived.video].sort())
  const added = (await t.deps.store.read(`folder-${unused.folder}`)).find(e => e.type === 'VideoAdded')!
  expect(new Date(due[0].expires).getUTCFullYear()).toBe(new Date(added.at).getUTCFullYear() + 1)

  t.advanceClock(360 * DAY_MS)
  await deleteExpired()
  expect(await videos(unused.folder)).toBe(1)
  t.advanceClock(10 * DAY_MS)
  await deleteExpired()
  for (const { folder: its } of [unused, archived]) {
    await expect.poll(() => objectsOf(its)).toEqual([])
    expect(await videos(its)).toBe(0)
  }
  expect(await videos(given.folder)).toBe(1)
  expect(await objectsOf(given.folder)).not.toEqual([])
})

test('a support request and its texts in the log are deleted after three years', async () => {
  const [player, admin] = await Promise.all([t.player(), t.admin()])
  const ask = (content: string) => player.call('POST', '/api/support/request', { requestType: 'issue', content })
  const { id } = (await ask('A persimmon stopped my video.')).body
  expect((await admin.call('POST', `/api/admin/support/${id}/answer`, { answer: 'Try a fig.' })).status).toBe(204)
  // The server answers only once the read model has the support request, which is where the deletion looks for expired requests.
  expect((await player.call('GET', '/api/support/my-requests')).body).toHaveLength(1)
  const { requests } = (await player.call('GET', '/api/account/retention')).body
  expect(requests.count).toBe(1)
  // The period starts when the log recorded the request, by the database's clock, which the test does not move.
  const [asked] = await t.deps.store.read(`request-${id}`)
  expect(new Date(requests.next).getUTCFullYear()).toBe(new Date(asked!.at).getUTCFullYear() + 3)
  t.advanceClock(3 * YEAR_MS)
  await deleteExpired()
  await expect.poll(() => supportRequestsOfUser(t.sql, player.id)).toHaveLength(0)
  const listed = () => pageOfAuditEntries(t.sql, { stream: `request-${id}` }, 10)
  await expect.poll(async () => (await listed()).events.length).toBe(3)
  const { events } = await listed()
  expect(JSON.stringify(events)).not.toMatch(/persimmon|fig\b/)
  expect(events.map(e => e.type)).toEqual(['SupportRequestDeleted', 'SupportAnswered', 'SupportRequested'])
  expect(JSON.stringify((await t.deps.store.read(`request-${id}`)).map(e => e.data))).not.toMatch(/persimmon|fig\b/)
  await deleteExpired()
})

test('an email left on the landing page is deleted after a year', async () => {
  await t.sql`insert into leads (email, metadata, created) values ('left@mail.test', '{}', ${t.deps.clock()})`
  await deleteExpired()
  expect(await t.sql`select 1 from leads`).toHaveLength(1)
  t.advanceClock(YEAR_MS)
  await deleteExpired()
  expect(await t.sql`select 1 from leads`).toHaveLength(0)
})

test('sign-ins, known browsers and private links are deleted when they expire', async () => {
  const player = await t.player()
  const of = () => t.sql`
    select 'session' as what from sessions where owner = ${player.id}
    union all select 'browser' from devices where owner = ${player.id}
    union all select 'link' from review_links where player = ${player.id} order by what`
  const left = async () => (await of()).map(row => row.what)
  const made = t.deps.clock()
  await t.sql`insert into review_links (id, hash, player, folder, session, name, created, expires) values
    (${crypto.randomUUID()}, 'h', ${player.id}, ${crypto.randomUUID()}, ${crypto.randomUUID()}, 'Grandma', ${made}, ${new Date(made.getTime() + REVIEW_LINK_DAYS * DAY_MS)})`
  const job = scheduledJobs(t.deps).find(({ name }) => name === 'deleting expired rows')!
  const run = () => job.run(new AbortController().signal)
  expect(await left()).toEqual(['browser', 'link', 'session'])
  t.advanceClock((Math.min(REVIEW_LINK_DAYS, LOGIN_SESSION_DAYS) - 1) * DAY_MS)
  await run()
  expect(await left()).toEqual(['browser', 'link', 'session'])
  t.advanceClock(2 * DAY_MS)
  await run()
  expect(await left()).toEqual(['browser'])
  t.advanceClock((KNOWN_DEVICE_DAYS - LOGIN_SESSION_DAYS) * DAY_MS)
  await run()
  expect(await left()).toEqual([])
})
