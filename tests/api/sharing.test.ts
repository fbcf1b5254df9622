import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_REVIEW_LINKS_PER_SESSION, REVIEW_LINK_DAYS } from '../../modules/sharing/policy.ts'
import { consentTokenFor } from './consent-token.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

async function deliveredReview(player = ana) {
  const made = await createAssignedFolder(player, ray, { message: 'My hands, says Ana García.' })
  expect((await ray.call('POST', `/api/folders/${made.folder}/feedback`, newReviewInput(made.video))).status).toBe(204)
  const links = `/api/folders/${made.folder}/links`
  return { ...made, links: `${links}?session=${made.assignment}`, revoke: (id: string) => player.call('DELETE', `${links}/${id}`) }
}
const newLink = (name = 'Grandma') => ({ id: randomUUID(), name })
const open = (token: string) => s.browser().call('GET', `/api/shared/${token}`)
const shared = async (links: string, player = ana) => (await player.call('GET', links)).body.links

describe('a private link', () => {
  test('shows the review without last names, originals, questions or the bill', async () => {
    const { links, assignment, folder } = await deliveredReview()
    expect((await ana.call('POST', `/api/folders/${folder}/question`, { question: 'Does Ana García swing too soon?' })).status).toBe(204)
    const { status, body } = await ana.call('POST', links, newLink())
    expect([status, Object.keys(body)]).toEqual([201, ['token']])
    const answer = await open(body.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      player: 'Ana',
      session: { id: assignment, message: null, question: null, review: { summary: expect.any(String) } },
    })
    const { clips, instructor } = answer.body.session
    expect(clips).toMatchObject([{ name: 'Video 1', url: null }])
    expect(instructor.name).not.toContain(' ')
    for (const secret of ['García', 'swing.mp4', 'cents', 'Delgado', '@example']) expect(answer.text).not.toContain(secret)
  })

  test('counts how often it was opened, and when last', async () => {
    const { links } = await deliveredReview()
    const { token } = (await ana.call('POST', links, newLink('Coach'))).body
    expect(await shared(links)).toMatchObject([{ name: 'Coach', opens: 0, opened: null }])
    await open(token)
    await open(token)
    expect(await shared(links)).toMatchObject([{ opens: 2, opened: expect.stringMatching(/Z$/) }])
    // A viewer whose signed URLs have expired gets new ones, and that does not count as another opening.
    expect((await s.browser().call('GET', `/api/shared/${token}?renewal=true`)).body.session.clips).toHaveLength(1)
    expect(await shared(links)).toMatchObject([{ opens: 2 }])
    const [row] = await s.sql<{ text: string }[]>`select row_to_json(l)::text as text from review_links l where name = 'Coach'`
    expect(row!.text).not.toContain(token)
  })

  test('that is wrong, revoked or expired is not found', async () => {
    const { links, revoke, assignment } = await deliveredReview()
    expect((await open('x'.repeat(43))).status).toBe(404)
    const link = newLink()
    const { token } = (await ana.call('POST', links, link)).body
    expect((await open(token)).status).toBe(200)
    expect((await revoke(link.id)).status).toBe(204)
    expect((await open(token)).status).toBe(404)
    expect((await revoke(link.id)).status).toBe(404)
    const late = (await ana.call('POST', links, newLink())).body.token
    const [{ expires, created }] = (await shared(links)) as [{ expires: string; created: string }]
    expect(Date.parse(expires) - Date.parse(created)).toBe(REVIEW_LINK_DAYS * DAY_MS)
    await s.sql`update review_links set expires = ${s.deps.clock()} where session = ${assignment}`
    expect((await open(late)).status).toBe(404)
    expect(await shared(links)).toEqual([])
  })

  test('created again after a lost response works only with the new secret', async () => {
    const { links } = await deliveredReview()
    const link = newLink()
    const [first, second] = [(await ana.call('POST', links, link)).body.token, (await ana.call('POST', links, link)).body.token]
    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200])
    expect(await shared(links)).toHaveLength(1)
    // A link's id is not found under another review, so nobody can replace the link through that review.
    expect((await ana.call('POST', (await deliveredReview()).links, link)).status).toBe(404)
  })

  test('is refused for others, before delivery, and beyond the maximum number', async () => {
    const { folder, assignment } = await createAssignedFolder(ana, ray)
    const early = `/api/folders/${folder}/links?session=${assignment}`
    expect((await ana.call('POST', early, newLink())).status).toBe(404)
    const { links } = await deliveredReview()
    const other = await s.player()
    expect((await other.call('POST', links, newLink())).status).toBe(404)
    expect((await other.call('GET', links)).status).toBe(404)
    expect((await ray.call('POST', links, newLink())).status).toBe(403)
    const created = Array.from({ length: MAX_REVIEW_LINKS_PER_SESSION }, () => newLink())
    for (const link of created) expect((await ana.call('POST', links, link)).status).toBe(201)
    expectRefusal(await ana.call('POST', links, newLink()), 409, 'too-many-links')
    // Repeating the request for an existing link does not add another.
    expect((await ana.call('POST', links, created[0]!)).status).toBe(201)
  })

  test('is refused beyond the maximum number even if many are requested at once', async () => {
    const { links } = await deliveredReview()
    const answers = await Promise.all(Array.from({ length: 2 * MAX_REVIEW_LINKS_PER_SESSION }, () => ana.call('POST', links, newLink())))
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(MAX_REVIEW_LINKS_PER_SESSION)
    expect(await shared(links)).toHaveLength(MAX_REVIEW_LINKS_PER_SESSION)
  })

  test('belongs to one review, and is made and listed only with its own folder', async () => {
    const [first, second] = [await deliveredReview(), await deliveredReview()]
    const [one, two] = [newLink(), newLink()]
    expect((await ana.call('POST', first.links, one)).status).toBe(201)
    expect((await ana.call('POST', second.links, two)).status).toBe(201)
    expect([await shared(first.links), await shared(second.links)]).toMatchObject([[{ id: one.id }], [{ id: two.id }]])
    const mixed = `/api/folders/${first.folder}/links?session=${second.assignment}`
    expect((await ana.call('POST', mixed, newLink())).status).toBe(404)
  })

  test("ends when the player's account is deleted", async () => {
    const player = await s.player()
    await s.saveCard(player.id)
    const { links } = await deliveredReview(player)
    const { token } = (await player.call('POST', links, newLink())).body
    expect((await open(token)).status).toBe(200)
    await s.sql`delete from users where id = ${player.id}`
    expect((await open(token)).status).toBe(404)
  })
})

describe('a review of a minor', () => {
  /** Registers a minor whose guardian consents, and delivers a review. Meanwhile the minor counts as an adult, so no approval is needed. */
  async function family() {
    const email = newPlayerInput().email
    const minor = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: email })
    const guardian = s.browser()
    const token = await consentTokenFor(s.sql, minor.id)
    expect((await guardian.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
    await s.sql`update users set born = '1990-01-01' where id = ${minor.id}`
    await s.saveCard(minor.id)
    const review = await deliveredReview(minor)
    await s.sql`update users set born = ${birthDateForAge(14)} where id = ${minor.id}`
    return { minor, guardian, ...review, familyLinks: `/api/family/children/${minor.id}/reviews/${review.assignment}/links` }
  }

  test('can be shared by the guardian, but not by the minor', async () => {
    const { minor, guardian, links, familyLinks } = await family()
    expectRefusal(await minor.call('POST', links, newLink()), 409, 'guardian-shares')
    const link = newLink()
    const { status, body } = await guardian.call('POST', familyLinks, link)
    expect(status).toBe(201)
    expect((await open(body.token)).status).toBe(200)
    expect((await guardian.call('GET', familyLinks)).body.links).toMatchObject([{ id: link.id, opens: 1 }])
    // The minor sees that a link exists.
    expect(await shared(links, minor)).toHaveLength(1)
    expect((await guardian.call('DELETE', `${familyLinks}/${link.id}`)).status).toBe(204)
    expect((await open(body.token)).status).toBe(404)
  })

  test('is no longer shared once consent is withdrawn, even if it is given again', async () => {
    const { minor, guardian, links, familyLinks } = await family()
    const { token } = (await guardian.call('POST', familyLinks, newLink())).body
    expect((await open(token)).status).toBe(200)
    const consent = `/api/family/children/${minor.id}/consent`
    expect((await guardian.call('POST', `${consent}/withdraw`, { reviews: 'finish' })).status).toBe(204)
    expect((await open(token)).status).toBe(404)
    expect(await shared(links, minor)).toEqual([])
    expectRefusal(await guardian.call('POST', familyLinks, newLink()), 409, 'no-consent')
    expect((await guardian.call('POST', consent, { answer: 'yes' })).status).toBe(204)
    expect((await open(token)).status).toBe(404)
    expect((await guardian.call('POST', familyLinks, newLink())).status).toBe(201)
  })

  test('stays shared if the guardian agrees again, to something optional', async () => {
    const { minor, guardian, familyLinks } = await family()
    const { token } = (await guardian.call('POST', familyLinks, newLink())).body
    const answer = { answer: 'yes', optional: ['news'] }
    expect((await guardian.call('POST', `/api/family/children/${minor.id}/consent`, answer)).status).toBe(204)
    expect((await open(token)).status).toBe(200)
  })

  test("can be shared by the player from age 18 on, which ends the guardian's links", async () => {
    const { minor, guardian, links, familyLinks } = await family()
    const { token } = (await guardian.call('POST', familyLinks, newLink())).body
    await s.sql`update users set born = ${birthDateForAge(18)} where id = ${minor.id}`
    expect((await open(token)).status).toBe(404)
    expect((await minor.call('POST', links, newLink())).status).toBe(201)
  })

  test('is shown only while the person who shared it may still do so', async () => {
    const { minor, guardian, links, familyLinks } = await family()
    const { token } = (await guardian.call('POST', familyLinks, newLink())).body
    const setConsent = (consent: string) => s.sql`update guardianships set consent = ${consent} where player = ${minor.id}`
    await setConsent('withdrawn')
    expect((await open(token)).status).toBe(404)
    await setConsent('given')
    expect((await open(token)).status).toBe(200)
    const setBirthDate = (born: string) => s.sql`update users set born = ${born} where id = ${minor.id}`
    await setBirthDate(birthDateForAge(18))
    const own = (await minor.call('POST', links, newLink())).body.token
    expect((await open(own)).status).toBe(200)
    // The date of birth was wrong and is corrected: the player is a minor.
    await setBirthDate(birthDateForAge(14))
    expect((await open(own)).status).toBe(404)
  })

  test('cannot be shared by another guardian', async () => {
    const [one, other] = [await family(), await family()]
    expect((await other.guardian.call('POST', one.familyLinks, newLink())).status).toBe(404)
    expect((await other.guardian.call('GET', one.familyLinks)).status).toBe(404)
  })
})
