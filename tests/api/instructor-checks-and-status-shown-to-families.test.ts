import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, utcDayOf } from '../../modules/dates.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { createFolderWithVideo, newReviewInput, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000

let t: ServerWithStripe
let admin: TestUser
beforeAll(async () => {
  t = await startServerWithStripe()
  admin = (await t.admin()) as TestUser
})
afterAll(() => t.end())

const decide = async (instructor: TestUser, step: string, body?: object) =>
  expect((await admin.call('POST', `/api/admin/instructors/${instructor.id}/${step}`, body)).status).toBe(204)

/** Creates a minor whose guardian has given consent and saved a card, and a session of the minor that is waiting for approval. */
async function askedSession(coach: TestUser) {
  const email = newPlayerInput().email
  const leo = await t.player({ dateOfBirth: birthDateForAge(15), guardianName: 'Maria García', guardianEmail: email })
  await t.waitUntilIdle()
  const token = guardianTokenIn((await t.letters(email))[0])
  const maria = t.browser()
  expect((await maria.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  await t.saveCard((await maria.call('GET', '/api/family')).body.guardian.id)
  const { folder, video } = await createFolderWithVideo(leo)
  const assignment = randomUUID()
  expect((await leo.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: coach.id })).status).toBe(204)
  return {
    leo,
    maria,
    folder,
    video,
    assignment,
    approve: async () => expect((await maria.call('POST', `/api/family/approvals/${assignment}/approve`)).status).toBe(204),
    deliver: async () => expect((await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))).status).toBe(204),
    money: async () => (await maria.call('GET', '/api/family/money')).body,
    session: async (who: Pick<TestUser, 'call'> = maria, path = '/api/family/folders') =>
      (await who.call('GET', `${path}/${folder}`)).body.session,
    /** The text of the guardian's latest letter with a matching subject. */
    letter: async (subject: RegExp) => {
      await t.waitUntilIdle()
      return (await t.letters(email)).findLast(l => subject.test(l.subject))!.text.replaceAll(/\s+/g, ' ')
    },
  }
}

test("a guardian sees an instructor's valid checks on pages and in letters", async () => {
  const coach = await t.instructor({ firstName: 'Ray', lastName: 'Ostrander' })
  const check = { checked: '2026-05-02', reference: 'Report 20931', expires: null }
  const expires = utcDayOf(addDays(t.deps.clock(), 2))
  for (const kind of ['identity', 'background', 'reference']) await decide(coach, 'checks', { ...check, check: kind })
  await decide(coach, 'checks', { ...check, check: 'safesport', expires })
  await decide(coach, 'checks/reference/withdraw', { reason: 'The wrong person.' })
  const { money, session, letter, leo, ...asked } = await askedSession(coach)
  const kinds = (checks: { kind: string }[]) => checks.map(c => c.kind).sort()
  const [approval] = (await money()).approvals
  expect([kinds(approval.checks), approval.checks[0].checked]).toEqual([['background', 'identity', 'safesport'], '2026-05-02'])
  const words = 'Checked by DiamondLink: identity · background · SafeSport, May 2026.'
  expect(await letter(/wants a session/)).toContain(words)
  await asked.approve()
  expect(kinds((await session()).checks)).toEqual(['background', 'identity', 'safesport'])
  expect(await letter(/sent Ray Ostrander a folder/)).toContain(`Ray Ostrander. ${words}`)

  // The SafeSport check expires before the feedback is delivered.
  t.advanceClock(3 * DAY_MS)
  await asked.deliver()
  const lapsed = 'Ray Ostrander. Checked by DiamondLink: identity · background, May 2026.'
  expect(await letter(/gave .* feedback/)).toContain(lapsed)
  expect(kinds((await session()).checks)).toEqual(['background', 'identity'])
  const { reviewers, payments } = await money()
  expect(reviewers).toMatchObject([{ id: payments[0].instructor, name: 'Ray Ostrander' }])
  expect(kinds(reviewers[0].checks)).toEqual(['background', 'identity'])

  // Later letters about the session do not repeat the checks.
  expect((await leo.call('POST', `/api/folders/${asked.folder}/question`, { question: 'With the heavy bat, too?' })).status).toBe(204)
  expect(await letter(/asked Ray Ostrander a question/)).not.toContain('Checked by')
  expect(await session(leo, '/api/folders')).not.toHaveProperty('checks')
})

test('the player and the guardian see whether the instructor can still answer', async () => {
  const coach = await t.instructor()
  const { leo, session, folder, ...asked } = await askedSession(coach)
  await asked.approve()
  await asked.deliver()
  const statuses = async () => [(await session()).instructorStatus, (await session(leo, '/api/folders')).instructorStatus]
  expect(await statuses()).toEqual(['active', 'active'])
  await decide(coach, 'suspend', { reason: 'A parent wrote to us.' })
  await t.waitUntilIdle()
  expect(await statuses()).toEqual(['unavailable', 'unavailable'])
  const { body } = await coach.call('GET', `/api/folders/${folder}`)
  expect([body.session.id, body.session.instructorStatus]).toEqual([asked.assignment, undefined])
  await decide(coach, 'reinstate')
  await t.waitUntilIdle()
  expect(await statuses()).toEqual(['active', 'active'])
  await t.sql`delete from users where id = ${coach.id}`
  expect(await statuses()).toEqual(['gone', 'gone'])
})

test('a guardian reads whether the instructor or we returned the folder', async () => {
  const coach = await t.instructor({ firstName: 'Jo', lastName: 'Bell' })
  const [declined, returned] = [await askedSession(coach), await askedSession(coach)]
  for (const asked of [declined, returned]) await asked.approve()
  expect((await coach.call('POST', `/api/folders/${declined.folder}/decline`, { reason: 'Away until May.' })).status).toBe(204)
  expect(await declined.letter(/returned Ana's folder$/)).toContain('Jo Bell wrote to Ana')
  await decide(coach, 'suspend', { reason: 'A parent wrote to us.' })
  const letter = await returned.letter(/^Ana's folder came back from Jo Bell$/)
  expect(letter).toContain('Ana sees this reason from us: “This instructor is not taking sessions')
  expect(letter).not.toContain('wrote to')
})
