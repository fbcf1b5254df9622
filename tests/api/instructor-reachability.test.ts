import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import {
  createAssignedFolder,
  createFolderWithVideo,
  expectRefusal,
  type FullServer,
  newReviewInput,
  startFullServer,
  type TestUser,
} from './full-server.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

let s: FullServer
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  admin = await s.admin()
})
afterAll(() => s.end())

const DAY_MS = 24 * 3600_000
const day = (away: number) => new Date(Date.now() + away * DAY_MS).toISOString().slice(0, 10)
const decide = async (instructor: { id: string }, what: string, body?: object) =>
  expect((await admin.call('POST', `/api/admin/instructors/${instructor.id}/${what}`, body)).status).toBe(204)
const suspended = async () => {
  const ray = await s.instructor()
  await decide(ray, 'suspend', { reason: 'A parent wrote to us.' })
  return ray
}
const declined = async () => {
  const ray = await s.instructor({ unvetted: true })
  await decide(ray, 'decline', { reason: 'The references did not know you.' })
  return ray
}
const pending = () => s.instructor({ unvetted: true })
const kinds = [
  ['pending', pending],
  ['suspended', suspended],
  ['declined', declined],
] as const

const slugOf = async (instructor: TestUser) => (await instructor.call('GET', '/api/profile')).body.user.profileSlug as string
const codeOf = async (instructor: TestUser) => (await instructor.call('GET', '/api/invite')).body.code as string
const connect = (player: TestUser, instructor: { id: string }, invite?: string, headers?: Record<string, string>) =>
  player.call('PUT', `/api/instructors/${instructor.id}/connection${invite ? `?invite=${invite}` : ''}`, undefined, headers)
const mine = async (player: TestUser) => (await player.call('GET', '/api/my/instructors')).body.instructors
const withCard = async (more: object = {}) => {
  const player = await s.player(more)
  await s.saveCard(player.id)
  return player
}
const minor = async () => {
  const player = await withCard({ dateOfBirth: birthDateForAge(15), guardianName: 'Maria García', guardianEmail: newPlayerInput().email })
  await s.sql`update guardianships set agreed = now() where player = ${player.id}`
  return player
}
const assign = async (player: TestUser, instructor: { id: string }) => {
  const { folder } = await createFolderWithVideo(player)
  return player.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: instructor.id })
}
const ids = (all: { id: string }[]) => all.map(i => i.id)

describe.each(kinds)('a %s instructor', (kind, make) => {
  test('is invisible to strangers in lists, profiles, connections and folders', async () => {
    const [ray, ana] = [await make(), await withCard()]
    const slug = await slugOf(ray)
    for (const who of [s.browser(), ana]) {
      expect(ids((await who.call('GET', '/api/instructors')).body)).not.toContain(ray.id)
      for (const key of [slug, ray.id]) expect((await who.call('GET', `/api/instructors/${key}`)).status).toBe(404)
    }
    expect((await connect(ana, ray)).status).toBe(404)
    expect((await ana.call('PUT', `/api/instructors/${ray.id}/follow`)).status).toBe(404)
    expect(await mine(ana)).toEqual([])
    expectRefusal(await assign(ana, ray), 409, 'no-instructor')
  })

  test('can edit the profile, set up payouts and invite players', async () => {
    const ray = await make()
    const { body } = await ray.call('GET', '/api/profile')
    expect(body.vetting).toMatchObject({ status: kind })
    const { type, skills, about, experience } = body
    const change = { type, skills, about, experience, slug: body.user.profileSlug }
    expect((await ray.call('PUT', '/api/profile', { ...change, about: 'New.' })).body).toMatchObject({
      about: 'New.',
      vetting: { status: kind },
    })
    for (const path of ['/api/invite', '/api/earnings', '/api/queue', `/api/instructors/${ray.id}`])
      expect([path, (await ray.call('GET', path)).status]).toEqual([path, 200])
    expect((await admin.call('GET', `/api/instructors/${ray.id}`)).status).toBe(200)
  })

  test("rejects connections with somebody else's or an outdated invitation", async () => {
    const [ray, kim, ana] = [await make(), await s.instructor(), await withCard()]
    const old = await codeOf(ray)
    await ray.call('POST', '/api/invite')
    for (const code of [await codeOf(kim), old, 'NOBODY22']) expect((await connect(ana, ray, code)).status).toBe(404)
    const bob = await withCard({ inviteCode: old })
    expect(await mine(bob)).toEqual([])
  })
})

test('adults invited by a pending instructor may assign; minors see why they must wait', async () => {
  const ray = await pending()
  const code = await codeOf(ray)
  const [ana, tim] = [await withCard(), await minor()]
  expect((await s.browser().call('GET', `/api/instructors/by-invite/${code}`)).body.id).toBe(ray.id)
  for (const player of [ana, tim]) {
    expect((await connect(player, ray, code)).status).toBe(204)
    expect(await mine(player)).toMatchObject([{ id: ray.id, connected: true, standing: 'invited' }])
    expect((await player.call('GET', `/api/instructors/${ray.id}`)).status).toBe(player === ana ? 200 : 404)
    expect(ids((await player.call('GET', '/api/instructors')).body)).not.toContain(ray.id)
  }
  const registered = await withCard({ inviteCode: code })
  expect(await mine(registered)).toMatchObject([{ id: ray.id, connected: true }])
  expect((await assign(ana, ray)).status).toBe(204)
  const refused = await assign(tim, ray)
  expectRefusal(refused, 409, 'instructor-unchecked')
  expect(refused.body.field).toBe('instructor')
})

test('a minor sees no picture, text or profile of an instructor before the approval', async () => {
  const [ray, tim] = [await pending(), await minor()]
  const code = await codeOf(ray)
  const { type, skills, user } = (await ray.call('GET', '/api/profile')).body
  const change = { type, skills, experience: '', slug: user.profileSlug, about: 'Write to me directly.' }
  expect((await ray.call('PUT', '/api/profile', change)).status).toBe(200)
  await s.sql`update users set picture = 'ray.webp' where id = ${ray.id}`
  expect((await connect(tim, ray, code)).status).toBe(204)
  const seenBy = async (who: Pick<TestUser, 'call'>) => {
    const { tagline, profilePicture } = (await who.call('GET', `/api/instructors/by-invite/${code}`)).body
    return { tagline, profilePicture, profile: (await who.call('GET', `/api/instructors/${ray.id}`)).status }
  }
  expect(await seenBy(tim)).toEqual({ tagline: null, profilePicture: null, profile: 404 })
  expect(await mine(tim)).toMatchObject([{ id: ray.id, profilePicture: null, connected: true }])
  const { token } = await createEmailedLinkToken(s.sql, new Date(), 'confirm-email', { owner: ray.id })
  expect((await s.browser().call('POST', `/api/email-confirmation/${token}`)).status).toBe(204)
  await decide(ray, 'approve')
  expect(await seenBy(tim)).toEqual({ tagline: 'Write to me directly.', profilePicture: 'ray.webp', profile: 200 })
  expect(await mine(tim)).toMatchObject([{ profilePicture: 'ray.webp' }])
})

test('a player can follow a pending instructor with their invitation only', async () => {
  const [ray, kim, ana] = [await pending(), await pending(), await withCard()]
  const follow = (invite: string) => ana.call('PUT', `/api/instructors/${ray.id}/follow?invite=${invite}`)
  expect((await follow(await codeOf(kim))).status).toBe(404)
  expect((await follow(await codeOf(ray))).status).toBe(204)
  expect(await mine(ana)).toMatchObject([{ id: ray.id, followed: true }])
})

test('nobody can connect with or assign to a suspended or declined instructor', async () => {
  for (const [what, body] of [
    ['suspend', { reason: 'A parent wrote to us.' }],
    ['decline', { reason: 'The references did not know you.' }],
  ] as const) {
    const ray = await pending()
    const code = await codeOf(ray)
    const ana = await withCard()
    const headers = { 'idempotency-key': randomUUID() }
    expect((await connect(ana, ray, code, headers)).status).toBe(204)
    await decide(ray, what, body)
    expect((await s.browser().call('GET', `/api/instructors/by-invite/${code}`)).status).toBe(404)
    expect((await connect(await s.player(), ray, code)).status).toBe(404)
    // A request that was accepted earlier is also refused when it is repeated.
    expect((await connect(ana, ray, code, headers)).status).toBe(404)
    expect(await mine(await withCard({ inviteCode: code }))).toEqual([])
    expect(await mine(ana)).toMatchObject([{ id: ray.id, standing: 'closed' }])
    expect((await ana.call('GET', `/api/instructors/${ray.id}`)).status).toBe(404)
    expectRefusal(await assign(ana, ray), 409, 'no-instructor')
  }
})

test.each(['suspended', 'closed'] as const)('a %s instructor can neither deliver feedback nor be asked about it', async how => {
  const [ray, ana] = [await s.instructor(), await withCard()]
  const [open, delivered] = [await createAssignedFolder(ana, ray), await createAssignedFolder(ana, ray)]
  expect((await ray.call('POST', `/api/folders/${delivered.folder}/feedback`, newReviewInput(delivered.video))).status).toBe(204)
  if (how === 'suspended') await decide(ray, 'suspend', { reason: 'A parent wrote to us.' })
  else expect((await admin.call('POST', `/api/admin/people/${ray.id}/close`, { reason: 'Threats to a player.' })).status).toBe(204)
  const deliver = () => ray.call('POST', `/api/folders/${open.folder}/feedback`, newReviewInput(open.video))
  const notSent = 'Your account is closed to players right now, so nothing was sent. Contact support if you think this is a mistake.'
  if (how === 'suspended') expectRefusal(await deliver(), 409, 'closed-to-players', notSent)
  else expect((await deliver()).status).toBe(401)
  const cannotAnswer = 'This instructor cannot answer questions right now. You still have your one free question.'
  const question = await ana.call('POST', `/api/folders/${delivered.folder}/question`, { question: 'How late?' })
  expectRefusal(question, 409, 'no-instructor', cannotAnswer)
  // The page offers no question either.
  expect((await ana.call('GET', `/api/folders/${delivered.folder}`)).body.session.instructorStatus).toBe('unavailable')
})

test('nobody can connect with or assign to an instructor who is leaving', async () => {
  const [ray, ana] = [await s.instructor(), await withCard()]
  const code = await codeOf(ray)
  expect((await ray.call('POST', '/api/account/deletion', { password: newPlayerInput().password })).status).toBe(204)
  expect((await connect(ana, ray)).status).toBe(404)
  const refused = await assign(ana, ray)
  expectRefusal(refused, 409, 'no-instructor', 'This instructor is not taking folders right now. Choose another.')
  expect(refused.body.field).toBe('instructor')
  expect(await mine(await withCard({ inviteCode: code }))).toEqual([])
})

test('an instructor whose check expired counts as pending for minors until a new check', async () => {
  const [ray, ana, tim] = [await s.instructor(), await withCard(), await minor()]
  const check = { check: 'background', checked: day(-300), reference: 'Report 1', expires: day(-1) }
  await decide(ray, 'checks', check)
  const listed = async (who: TestUser) => ids((await who.call('GET', '/api/instructors')).body).includes(ray.id)
  expect([await listed(ana), await listed(tim)]).toEqual([true, false])
  for (const path of ['connection', 'follow'])
    expectRefusal(await tim.call('PUT', `/api/instructors/${ray.id}/${path}`), 409, 'instructor-unchecked', /players under 18 can connect/)
  expect((await tim.call('GET', `/api/instructors/${ray.id}`)).status).toBe(404)
  expectRefusal(await assign(tim, ray), 409, 'no-instructor')
  expect((await assign(ana, ray)).status).toBe(204)
  expect((await ana.call('GET', `/api/instructors/${ray.id}`)).body.checks).toEqual([])
  await decide(ray, 'checks', { ...check, checked: day(-2), reference: 'Report 2', expires: day(300) })
  expect(await listed(tim)).toBe(true)
  expect((await ana.call('GET', `/api/instructors/${ray.id}`)).body.checks).toEqual([{ kind: 'background', checked: day(-2) }])
  expect((await assign(tim, ray)).status).toBe(204)
})

test('a featured instructor is listed first', async () => {
  const [, ray] = [await s.instructor(), await s.instructor()]
  await decide(ray, 'feature', { days: 30 })
  const [first] = (await s.browser().call('GET', '/api/instructors')).body
  expect(first).toMatchObject({ id: ray.id, featured: true })
})
