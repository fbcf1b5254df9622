import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payerOf } from '../../modules/accounts/payer.ts'
import { consentDecider } from '../../modules/consent/consent.ts'
import { handleCommand, loadState, systemCommandSource } from '../../modules/kernel/decider.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { backfillConsentEvents } from '../../src/server/consent-answer-and-folder-return-errands.ts'
import { consentTokenFor } from './consent-token.ts'
import {
  createAssignedFolder,
  createFolderWithVideo,
  expectRefusal,
  type FullServer,
  startFullServer,
  type TestUser,
} from './full-server.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

let s: FullServer
let coach: TestUser
beforeAll(async () => {
  s = await startFullServer()
  coach = await s.instructor()
})
afterAll(() => s.end())

/**
 * Creates a minor and a guardian, who answers the consent letter with `answer`, if given. After a yes, the guardian also has a card and a
 * monthly limit.
 */
async function family(answer?: 'yes' | 'no') {
  const minor = await s.player({ dateOfBirth: birthDateForAge(14), guardianName: 'Rosa García', guardianEmail: newPlayerInput().email })
  const token = await consentTokenFor(s.sql, minor.id)
  // An errand records that consent was requested. In a real family, that happens long before the guardian answers the letter.
  await eventually(async () => (await loadState(s.deps.store, consentDecider, minor.id)).status, 'asked')
  const guardian = s.browser()
  if (answer) expect((await guardian.call('POST', `/api/guardian/${token}`, { answer })).status).toBe(204)
  const say = (what: string, body: object) => guardian.call('POST', `/api/family/children/${minor.id}/consent${what}`, body)
  /** Adds a card and a monthly limit, so that sessions are assigned without asking the guardian. */
  const payForChild = async () => {
    await s.saveCard((await guardian.call('GET', '/api/family')).body.guardian.id)
    expect((await guardian.call('PUT', `/api/family/children/${minor.id}/limit`, { monthly: 50_000 })).status).toBe(204)
  }
  const consent = async () => (await guardian.call('GET', `/api/family/children/${minor.id}/consent`)).body
  if (answer === 'yes') await payForChild()
  return { minor, guardian, say, consent, payForChild }
}
const assign = async (who: TestUser, folder: string) =>
  who.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
const state = async (who: TestUser) => (await who.call('GET', '/api/user')).body.guardian
const statusOf = async (who: TestUser, folder: string) => (await who.call('GET', `/api/folders/${folder}`)).body.status
const eventually = (check: () => Promise<unknown>, expected: unknown) => expect.poll(check, { timeout: 8000 }).toEqual(expected)

test('a guardian can agree after a refusal, and the history has both answers', async () => {
  const { minor, guardian, say, consent, payForChild } = await family('no')
  const { folder } = await createFolderWithVideo(minor)
  expect(await state(minor)).toBe('refused')
  expectRefusal(await assign(minor, folder), 409, 'guardian-needed')
  expect((await guardian.call('GET', '/api/family')).body.children).toMatchObject([{ id: minor.id, agreed: false, consent: 'refused' }])
  expect((await say('', { answer: 'yes', optional: ['news'] })).status).toBe(204)
  expect(await state(minor)).toBe('confirmed')
  await payForChild()
  expect((await assign(minor, folder)).status).toBe(204)
  const { status, optional, history } = await consent()
  expect([status, optional]).toEqual(['given', ['news']])
  const steps = history.map((h: { type: string; who: string }) => [h.type, h.who])
  expect(steps).toEqual([
    ['ConsentRenewed', 'Rosa García'],
    ['ConsentRefused', 'Rosa García'],
    ['ConsentAsked', 'Ana'],
  ])
  expectRefusal(await say('', { answer: 'no' }), 409, 'consent-given')
})

test('withdrawn consent returns an unopened session, but lets a started review finish', async () => {
  const { minor, say } = await family('yes')
  const [unread, started] = [await createAssignedFolder(minor, coach), await createAssignedFolder(minor, coach)]
  await coach.call('POST', `/api/folders/${started.folder}/review`)
  expect((await say('/withdraw', { reviews: 'finish' })).status).toBe(204)
  expect(await state(minor)).toBe('withdrawn')
  await eventually(() => statusOf(minor, unread.folder), 'open')
  expect(await statusOf(minor, started.folder)).toBe('in-review')
  expectRefusal(await assign(minor, unread.folder), 409, 'guardian-needed')
  expect((await say('', { answer: 'yes' })).status).toBe(204)
  expect((await assign(minor, unread.folder)).status).toBe(204)
})

test('withdrawn consent returns a started review if the guardian wants that', async () => {
  const { minor, say } = await family('yes')
  const { folder } = await createAssignedFolder(minor, coach)
  await coach.call('POST', `/api/folders/${folder}/review`)
  await say('/withdraw', { reviews: 'hand-back' })
  await eventually(() => statusOf(minor, folder), 'open')
  const { body } = await minor.call('GET', `/api/folders/${folder}`)
  expect(body.declined).toMatchObject({ reason: expect.stringContaining('has withdrawn their consent'), cause: 'consent-withdrawn' })
})

test('a refusal after a withdrawal is rejected; the player still sees the withdrawal', async () => {
  const { minor, guardian, say, consent } = await family('yes')
  await say('/withdraw', { reviews: 'finish' })
  expectRefusal(await say('', { answer: 'no' }), 409, 'consent-withdrawn')
  expect([await state(minor), (await consent()).status]).toEqual(['withdrawn', 'withdrawn'])
  const { folder } = await createFolderWithVideo(minor)
  const refused = await assign(minor, folder)
  expectRefusal(refused, 409, 'guardian-needed')
  expect(refused.body.message).toContain('has withdrawn their consent')
  const { email } = (await guardian.call('GET', '/api/family')).body.guardian
  for (const to of [email, newPlayerInput().email]) {
    expectRefusal(
      await minor.call('POST', '/api/guardian', { name: 'Rosa García', email: to }),
      409,
      'guardian-withdrew',
      'Your parent or guardian has withdrawn their consent. They can agree again on their family page.',
    )
  }
})

test('resending an earlier answer does not override a later one', async () => {
  const { minor, guardian, say } = await family('no')
  const path = `/api/family/children/${minor.id}/consent`
  const yes = () => guardian.call('POST', path, { answer: 'yes' }, { 'idempotency-key': key })
  const key = randomUUID()
  expect((await yes()).status).toBe(204)
  await say('/withdraw', { reviews: 'finish' })
  expect((await yes()).status).toBe(204)
  expect([await state(minor), await payerOf(s.sql, minor.id, s.deps.clock())]).toEqual(['withdrawn', null])
})

test('withdrawn consent ends payments by the guardian and releases their card', async () => {
  const { minor, guardian, say } = await family('yes')
  const { id } = (await guardian.call('GET', '/api/family')).body.guardian
  const payer = () => payerOf(s.sql, minor.id, s.deps.clock())
  const heldCards = async () => Object.keys((await loadState(s.deps.store, walletDecider, id)).held).length
  const { folder } = await createFolderWithVideo(minor)
  expect((await assign(minor, folder)).status).toBe(204)
  expect([await payer(), await heldCards()]).toEqual([{ id, isGuardian: true }, 1])
  await say('/withdraw', { reviews: 'finish' })
  expect(await payer()).toBeNull()
  await eventually(heldCards, 0)
  await say('', { answer: 'yes' })
  expect(await payer()).toEqual({ id, isGuardian: true })
})

test('a guardian can read and change consent only for their own child', async () => {
  const [one, other] = [await family('yes'), await family('no')]
  const path = `/api/family/children/${other.minor.id}/consent`
  expectRefusal(await one.guardian.call('GET', path), 404, 'not-found')
  expectRefusal(await one.guardian.call('POST', path, { answer: 'yes' }), 404, 'not-found')
  expectRefusal(await one.guardian.call('POST', `${path}/withdraw`, { reviews: 'finish' }), 404, 'not-found')
  expect(await state(other.minor)).toBe('refused')
})

test('an answer in the log reaches the account even if no request copied it', async () => {
  const { minor, guardian, say } = await family('yes')
  const { id } = (await guardian.call('GET', '/api/family')).body.guardian
  const source = () => ({ command: randomUUID(), actor: id })
  await handleCommand(s.deps.store, consentDecider, minor.id, 'withdraw', { guardian: id, reviews: 'finish' }, source())
  await eventually(() => state(minor), 'withdrawn')
  await handleCommand(s.deps.store, consentDecider, minor.id, 'give', { guardian: id, optional: [] }, source())
  await eventually(() => state(minor), 'confirmed')
  expect((await say('/withdraw', { reviews: 'finish' })).status).toBe(204)
  expect(await state(minor)).toBe('withdrawn')
})

test('consent given before the log recorded consent is added to the log', async () => {
  const { minor, consent, guardian } = await family('yes')
  const { body } = await guardian.call('GET', '/api/family')
  await s.sql`update guardianships set consent = null where player = ${minor.id}`
  expect(await state(minor)).toBe('confirmed')
  await backfillConsentEvents(s.deps, new AbortController().signal)
  expect((await consent()).status).toBe('given')
  const [row] = await s.sql`select consent from guardianships where player = ${minor.id}`
  expect([row, body.children[0].consent]).toEqual([{ consent: 'given' }, 'given'])
})

test.each([
  ['refused', 'did not agree'],
  ['withdrawn', 'has withdrawn their consent'],
])('consent that is %s in the log counts before the account table has it', async (status, message) => {
  const { minor, say, consent } = await family(status === 'refused' ? 'no' : 'yes')
  if (status === 'withdrawn') await say('/withdraw', { reviews: 'finish' })
  const { folder } = await createFolderWithVideo(minor)
  await s.sql`update guardianships set consent = 'given' where player = ${minor.id}`
  expect(await state(minor)).toBe('confirmed')
  expect((await consent()).status).toBe(status)
  const refused = await assign(minor, folder)
  expectRefusal(refused, 409, 'guardian-needed')
  expect(refused.body.message).toContain(message)
})

test('withdrawing consent is refused if the log already has another guardian', async () => {
  const { minor, say } = await family('yes')
  const change = { guardian: randomUUID(), former: null, reason: null }
  await handleCommand(s.deps.store, consentDecider, minor.id, 'change', change, systemCommandSource())
  expectRefusal(await say('/withdraw', { reviews: 'finish' }), 409, 'guardian-changed')
})

test.each(['yes', 'no'] as const)('a former guardian cannot answer "%s" once the log has another guardian', async answer => {
  const { minor, guardian, say } = await family('yes')
  const former = (await guardian.call('GET', '/api/family')).body.guardian.id
  const change = { guardian: randomUUID(), former, reason: null }
  await handleCommand(s.deps.store, consentDecider, minor.id, 'change', change, systemCommandSource())
  expectRefusal(await say('', { answer }), 409, 'guardian-changed')
  expect(await loadState(s.deps.store, consentDecider, minor.id)).toMatchObject({ status: 'asked', guardian: change.guardian })
})

test('an answer repeated after a change of guardian and back is not found', async () => {
  const { minor, guardian, say } = await family('no')
  const agree = () => guardian.call('POST', `/api/family/children/${minor.id}/consent`, { answer: 'yes' }, { 'idempotency-key': key })
  const key = randomUUID()
  expect((await agree()).status).toBe(204)
  const { name, email } = (await guardian.call('GET', '/api/family')).body.guardian
  const admin = await s.admin()
  for (const to of [
    { name: 'Mo Lane', email: newPlayerInput().email },
    { name, email },
  ]) {
    const change = { ...to, reason: 'The player asked by phone.' }
    expect((await admin.call('POST', `/api/admin/people/${minor.id}/guardian`, change)).status).toBe(204)
  }
  expectRefusal(await agree(), 404, 'not-found')
  expect(await state(minor)).toBe('waiting')
  // There is no consent to withdraw, so the player is still waiting for an answer.
  expect((await say('/withdraw', { reviews: 'finish' })).status).toBe(204)
  expect(await state(minor)).toBe('waiting')
})

test('a repeated answer is not found once another guardian has agreed in the log', async () => {
  const { minor, guardian } = await family('no')
  const agree = () => guardian.call('POST', `/api/family/children/${minor.id}/consent`, { answer: 'yes' }, { 'idempotency-key': key })
  const key = randomUUID()
  expect((await agree()).status).toBe(204)
  const other = randomUUID()
  const change = { guardian: other, former: null, reason: null }
  await handleCommand(s.deps.store, consentDecider, minor.id, 'change', change, systemCommandSource())
  await handleCommand(s.deps.store, consentDecider, minor.id, 'give', { guardian: other, optional: [] }, systemCommandSource())
  expectRefusal(await agree(), 404, 'not-found')
})

test('the history names nobody for an event that the system recorded', async () => {
  const { minor, consent } = await family('yes')
  await handleCommand(s.deps.store, consentDecider, minor.id, 'comeOfAge', {}, systemCommandSource())
  expect((await consent()).history[0]).toMatchObject({ type: 'GuardianshipEnded', who: null })
})

test('an adult player needs nobody else to agree', async () => {
  const adult = await s.player()
  await s.saveCard(adult.id)
  expect((await assign(adult, (await createFolderWithVideo(adult)).folder)).status).toBe(204)
})

test('consent from before the log recorded consent counts as given', async () => {
  const { minor, consent } = await family('yes')
  const { store } = s.deps
  const { read } = store
  store.read = async (stream, ...rest) => (stream === `consent-${minor.id}` ? [] : read(stream, ...rest))
  const shown = await consent()
  store.read = read
  expect(shown).toMatchObject({ status: 'given', history: [] })
})

test('the audit names the guardian who agreed', async () => {
  const { minor } = await family('yes')
  const admin = await s.admin()
  const { events } = (await admin.call('GET', `/api/admin/events?stream=consent-${minor.id}`)).body
  expect(events.find((e: { type: string }) => e.type === 'ConsentGiven').who).toEqual({ name: 'Rosa García', role: 'guardian' })
})
