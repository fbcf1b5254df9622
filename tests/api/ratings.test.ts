import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { MIN_RATINGS_TO_SHOW, RATING_CHANGE_DAYS } from '../../modules/ratings/policy.ts'
import { consentTokenFor } from './consent-token.ts'
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

const DAY_MS = 24 * 3600_000

let t: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  t = await startFullServer()
  ;[ana, ray] = await t.playerAndInstructor()
})
afterAll(() => t.end())

interface Delivered {
  folder: string
  assignment: string
}
const deliver = async (made: { folder: string; video: string }, instructor: TestUser) =>
  expect((await instructor.call('POST', `/api/folders/${made.folder}/feedback`, newReviewInput(made.video))).status).toBe(204)
const pay = ({ folder: of, assignment }: Delivered) =>
  handleCommand(t.deps.store, folderDecider, of, 'paid', { assignment }, systemCommandSource())

async function paidSession(player = ana, instructor = ray) {
  const made = await createAssignedFolder(player, instructor)
  await deliver(made, instructor)
  await pay(made)
  return made
}
const path = ({ folder: of, assignment }: Delivered, end = '') => `/api/folders/${of}/rating${end}?session=${assignment}`
const rate = (who: Pick<TestUser, 'call'>, of: Delivered, stars = 5, comment?: string) =>
  who.call('PUT', path(of), { stars, ...(comment !== undefined && { comment }) })
const ratingSeenBy = async (who: Pick<TestUser, 'call'>, { folder: of, assignment }: Delivered) =>
  (await who.call('GET', `/api/folders/${of}?session=${assignment}`)).body.session.rating
const profile = async (of: TestUser) => (await t.browser().call('GET', `/api/instructors/${of.id}`)).body
const card = async (of: TestUser) => (await t.browser().call('GET', '/api/instructors')).body.find((i: { id: string }) => i.id === of.id)

/** Registers a minor and their guardian, who gives consent and has a card. */
async function family(dateOfBirth = birthDateForAge(15)) {
  const leo = await t.player({ firstName: 'Leo', dateOfBirth, guardianName: 'Maria García', guardianEmail: newPlayerInput().email })
  const maria = t.browser()
  const token = await consentTokenFor(t.sql, leo.id)
  expect((await maria.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  await t.saveCard((await maria.call('GET', '/api/family')).body.guardian.id)
  return { leo, maria }
}
async function paidSessionOfMinor({ leo, maria }: Awaited<ReturnType<typeof family>>, instructor = ray) {
  const made = { ...(await createFolderWithVideo(leo)), assignment: randomUUID() }
  const asked = { assignment: made.assignment, instructor: instructor.id }
  expect((await leo.call('POST', `/api/folders/${made.folder}/assign`, asked)).status).toBe(204)
  expect((await maria.call('POST', `/api/family/approvals/${made.assignment}/approve`)).status).toBe(204)
  await deliver(made, instructor)
  await pay(made)
  return made
}

describe('a rating', () => {
  test('can be given once the session is paid, and both sides read it', async () => {
    const made = await createAssignedFolder(ana, ray)
    expect((await rate(ana, made)).status).toBe(404)
    await deliver(made, ray)
    expectRefusal(await rate(ana, made), 409, 'not-paid')
    await pay(made)
    expect((await rate(ana, made, 4, '  Clear,\n and quick. ')).status).toBe(204)
    const said = { stars: 4, comment: 'Clear, and quick.', rater: 'player', answer: null, hidden: null }
    expect(await ratingSeenBy(ana, made)).toMatchObject(said)
    expect(await ratingSeenBy(ray, made)).toMatchObject(said)
    const story = (await ana.call('GET', `/api/folders/${made.folder}`)).body.story
    expect(story.at(-1)).toMatchObject({ type: 'SessionRated', by: { id: ana.id } })
  })

  test('has 1 to 5 stars and no web address', async () => {
    const made = await paidSession()
    for (const [stars, comment] of [[0], [6], [4.5], [5, 'See www.example.com'], [5, 'x'.repeat(301)]] as [number, string?][])
      expect((await rate(ana, made, stars, comment)).status).toBe(422)
  })

  test('may be changed for 30 days', async () => {
    const made = await paidSession()
    await rate(ana, made, 2, 'Late.')
    expect((await rate(ana, made, 3)).status).toBe(204)
    expect(await ratingSeenBy(ana, made)).toMatchObject({ stars: 3, comment: null })
    const { until, rated } = await ratingSeenBy(ana, made)
    expect(Math.round((Date.parse(until) - Date.parse(rated)) / DAY_MS)).toBe(RATING_CHANGE_DAYS)
  })

  test("is given only by the session's player and answered once by its instructor", async () => {
    const made = await paidSession()
    const [other, coach] = [await t.player(), await t.instructor()]
    expect((await rate(other, made)).status).toBe(404)
    const answer = (who: TestUser, text: string) => who.call('POST', path(made, '/answer'), { answer: text })
    expectRefusal(await answer(ray, 'Thank you.'), 409, 'no-rating')
    await rate(ana, made)
    expect((await answer(coach, 'Thank you.')).status).toBe(404)
    expect((await answer(ray, 'Thank you.')).status).toBe(204)
    expectRefusal(await answer(ray, 'Thanks a lot.'), 409, 'answered')
    expect(await ratingSeenBy(ana, made)).toMatchObject({ answer: 'Thank you.' })
  })

  test('loses its answer when it is changed', async () => {
    const made = await paidSession()
    await rate(ana, made, 5, 'Best coach.')
    const to = { stars: 5, comment: 'Best coach.' }
    const answer = (text: string) => ray.call('POST', path(made, '/answer'), { answer: text, to })
    expect((await answer('You earned it.')).status).toBe(204)
    expect((await rate(ana, made, 1, 'Wrong bill.')).status).toBe(204)
    expect(await ratingSeenBy(ana, made)).toMatchObject({ stars: 1, answer: null })
    expectRefusal(await answer('Thank you.'), 409, 'rating-changed')
  })

  test('is not shown to guests of a private link', async () => {
    const made = await paidSession()
    await rate(ana, made, 5, 'Plum words.')
    const links = `/api/folders/${made.folder}/links?session=${made.assignment}`
    const { token } = (await ana.call('POST', links, { id: randomUUID(), name: 'Grandma' })).body
    const shared = await t.browser().call('GET', `/api/shared/${token}`)
    expect([shared.status, shared.body.session.rating]).toEqual([200, null])
    expect(shared.text).not.toContain('Plum')
  })
})

describe('a minor’s session', () => {
  test('is rated by the player or the guardian, as one rating', async () => {
    const of = await family()
    const made = await paidSessionOfMinor(of)
    const asGuardian = (who: Pick<TestUser, 'call'>, stars: number) =>
      who.call('PUT', `/api/family/folders/${made.folder}/rating?session=${made.assignment}`, { stars })
    expect((await rate(of.leo, made, 5, 'Great.')).status).toBe(204)
    expect((await asGuardian(of.maria, 4)).status).toBe(204)
    expect(await ratingSeenBy(of.leo, made)).toMatchObject({ stars: 4, comment: null, rater: 'guardian' })
    expect((await asGuardian((await family()).maria, 1)).status).toBe(404)
    await of.maria.call('POST', `/api/family/children/${of.leo.id}/consent/withdraw`, { reviews: 'finish' })
    expectRefusal(await rate(of.leo, made, 1), 409, 'guardian-needed')
  })
})

describe('on public pages', () => {
  test('ratings appear once three are visible, with first names of adults only', async () => {
    const coach = await t.instructor()
    const mia = await t.player({ firstName: 'Mia' })
    await t.saveCard(mia.id)
    const of = await family()
    const sessions = [await paidSession(mia, coach), await paidSessionOfMinor(of, coach), await paidSession(mia, coach)]
    await rate(mia, sessions[0]!, 5, 'My hands are quiet now.')
    await rate(of.leo, sessions[1]!, 4, 'Helped me.')
    expect([(await profile(coach)).rating, (await profile(coach)).ratings, (await card(coach)).rating]).toEqual([null, [], null])
    await rate(mia, sessions[2]!, 4)
    expect(await profile(coach)).toMatchObject({
      rating: { average: 4.3, count: MIN_RATINGS_TO_SHOW },
      ratings: [
        { stars: 4, comment: null, name: 'Mia', rater: 'player' },
        { stars: 4, comment: 'Helped me.', name: null, rater: 'player' },
        { stars: 5, comment: 'My hands are quiet now.', name: 'Mia' },
      ],
    })
    expect((await card(coach)).rating).toEqual({ average: 4.3, count: 3 })

    const admin = await t.admin()
    const hide = { reason: 'Names a minor.' }
    expect((await admin.call('POST', `/api/admin/ratings/${sessions[0]!.assignment}/hide`, hide)).status).toBe(204)
    await admin.call('GET', '/api/admin/events')
    expect(await profile(coach)).toMatchObject({ rating: null, ratings: [] })
    expect(await ratingSeenBy(mia, sessions[0]!)).toMatchObject({ hidden: 'Names a minor.' })
    const listed = (await admin.call('GET', `/api/admin/instructors/${coach.id}/ratings`)).body.ratings
    expect(listed).toMatchObject([{ stars: 4 }, { player: { id: of.leo.id } }, { hidden: 'Names a minor.', player: { id: mia.id } }])
    expect((await admin.call('POST', `/api/admin/ratings/${sessions[0]!.assignment}/restore`)).status).toBe(204)
    await admin.call('GET', `/api/admin/instructors/${coach.id}/ratings`)
    expect((await profile(coach)).rating).toEqual({ average: 4.3, count: 3 })
    expect((await admin.call('POST', `/api/admin/ratings/${randomUUID()}/hide`, hide)).status).toBe(404)
  })

  test('a player who was under 18 when rating is never named, even later', async () => {
    const coach = await t.instructor()
    const day = new Date(t.deps.clock().getTime() + 5 * DAY_MS)
    const of = await family(`${day.getUTCFullYear() - 18}${day.toISOString().slice(4, 10)}`)
    for (let i = 0; i < MIN_RATINGS_TO_SHOW; i++) await rate(of.leo, await paidSessionOfMinor(of, coach))
    t.advanceClock(6 * DAY_MS)
    await of.leo.call('GET', '/api/folders')
    expect((await profile(coach)).ratings.map((r: { name: string | null }) => r.name)).toEqual([null, null, null])
  })
})
