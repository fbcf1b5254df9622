import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consentDecider } from '../../modules/consent/consent.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { LAST_CARD_REMOVAL_BLOCK_MINUTES } from '../../modules/payments/policy.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { storeReviewLink } from '../../modules/sharing/review-links.ts'
import { endGuardianships, sendComingOfAgeNotices } from '../../src/server/coming-of-age.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { createFolderWithVideo, expectRefusal, type TestUser } from './full-server.ts'
import { readFamilyMoney, setMonthlyLimit } from './server-with-families.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000
/** For a while, a new assignment by itself blocks the removal of the payer's last card. This is a minute longer. */
const HOLD_MS = (LAST_CARD_REMOVAL_BLOCK_MINUTES + 1) * 60_000

let t: ServerWithStripe
let coach: TestUser
beforeAll(async () => {
  t = await startServerWithStripe({ startsAt: new Date() })
  coach = await t.instructor()
})
afterAll(() => t.end())

/** The birth date of a person who turns 18 in `days` days. */
function bornFor(days: number) {
  const day = new Date(t.deps.clock().getTime() + days * DAY_MS)
  return `${day.getUTCFullYear() - 18}${day.toISOString().slice(4, 10)}`
}

/** Creates a minor who turns 18 in `days` days and has a saved card, and a guardian who has given consent. */
async function family(days: number) {
  const email = newPlayerInput().email
  const leo = await t.player({ firstName: 'Leo', dateOfBirth: bornFor(days), guardianName: 'Maria García', guardianEmail: email })
  await expect.poll(() => t.letters(email)).not.toEqual([])
  const [letter] = await t.letters(email)
  const maria = t.browser()
  expect((await maria.call('POST', `/api/guardian/${guardianTokenIn(letter)}`, { answer: 'yes' })).status).toBe(204)
  await t.saveCard(leo.id)
  const children = async () => (await maria.call('GET', '/api/family')).body.children
  return { leo, maria, email, children }
}
const subjects = async (to: string) => (await t.letters(to)).map(letter => letter.subject)
const run = async () => {
  await sendComingOfAgeNotices(t.deps)
  await endGuardianships(t.deps, new AbortController().signal)
}

test('guardian and player get a letter 30 days before the player, at 18, takes over', async () => {
  const { leo, email, children } = await family(40)
  await run()
  await t.movableClock!.advanceClock(15 * DAY_MS)
  await run()
  await run()
  const told = async () => (await subjects(email)).filter(subject => subject.includes("becomes Leo's own"))
  await expect.poll(told).toHaveLength(1)
  const [{ username }] = (await t.sql`select username from users where id = ${leo.id}`) as unknown as [{ username: string }]
  // At night, the player's letter is postponed until morning.
  await t.makeDue('letter.coming-of-age')
  expect((await subjects(username)).filter(subject => subject.includes('is all yours'))).toHaveLength(1)
  expect(await children()).toMatchObject([{ id: leo.id }])
  const { folder } = await createFolderWithVideo(leo)
  const asked = await leo.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
  expect(asked.status).toBe(204)
  expect((await leo.call('GET', `/api/folders/${folder}`)).body.approval.status).toBe('pending')

  await t.movableClock!.advanceClock(26 * DAY_MS)
  await run()
  await run()
  expect(await children()).toEqual([])
  // The server appended the events on its own, so the player's requests do not wait for them.
  await expect
    .poll(async () => (await leo.call('GET', `/api/folders/${folder}`)).body)
    .toMatchObject({ status: 'open', approval: { status: 'lapsed', reason: 'of-age' } })
  expect((await t.deps.store.read(`wallet-${leo.id}`)).map(e => e.type)).toEqual(['CardSaved', 'CardRemoved'])
  expect(await loadState(t.deps.store, consentDecider, leo.id)).toMatchObject({ status: 'none', guardian: null })
  expect(await told()).toHaveLength(1)
  const again = { assignment: randomUUID(), instructor: coach.id }
  expect((await leo.call('POST', `/api/folders/${folder}/assign`, again)).body).toMatchObject({ code: 'card-needed' })
  await t.saveCard(leo.id)
  expect((await leo.call('POST', `/api/folders/${folder}/assign`, again)).status).toBe(204)
  expect((await leo.call('GET', `/api/folders/${folder}`)).body.status).toBe('assigned')
})

describe('a session that the guardian pays for', () => {
  /** Creates a minor with a saved card and a session that the guardian pays for, then advances the clock by `HOLD_MS`. */
  async function familyWithSession() {
    const its = await family(2)
    await t.saveCard((await its.maria.call('GET', '/api/family')).body.guardian.id)
    await setMonthlyLimit(its.maria, its.leo, 4000)
    const { folder } = await createFolderWithVideo(its.leo)
    const assigned = await its.leo.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
    expect(assigned.status).toBe(204)
    expect((await its.leo.call('GET', `/api/folders/${folder}`)).body.status).toBe('assigned')
    await t.movableClock!.advanceClock(HOLD_MS)
    return { ...its, folder }
  }

  test("blocks removing the guardian's last card, not the player's, after the birthday", async () => {
    const { leo, maria, folder } = await familyWithSession()
    const [{ id: card }] = (await readFamilyMoney(maria)).cards
    await t.movableClock!.advanceClock(3 * DAY_MS)
    await run()
    await t.movableClock!.advanceClock(HOLD_MS)
    expectRefusal(await maria.call('DELETE', `/api/family/cards/${card}`), 409, 'card-in-use')
    await t.saveCard(leo.id)
    expect((await leo.call('DELETE', `/api/cards/pm_${leo.id}`)).status).toBe(204)
    expect((await leo.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
    expect((await maria.call('DELETE', `/api/family/cards/${card}`)).status).toBe(204)
  })

  test("does not block removing the minor's old card", async () => {
    const { leo } = await familyWithSession()
    expect((await leo.call('DELETE', `/api/cards/pm_${leo.id}`)).status).toBe(204)
  })
})

test('a card that the player adds on the 18th birthday stays, and pays for a folder', async () => {
  const { leo, children } = await family(1)
  const cards = async () => (await loadState(t.deps.store, walletDecider, leo.id)).cards.map(({ card }) => card)
  const [oldCard] = await cards()
  await t.movableClock!.advanceClock(DAY_MS)
  const newCard = await t.saveCardOf(leo)
  expect(await cards()).toEqual([oldCard, newCard.id])
  const { folder } = await createFolderWithVideo(leo)
  const assigned = await leo.call('POST', `/api/folders/${folder}/assign`, { assignment: randomUUID(), instructor: coach.id })
  expect(assigned.status).toBe(204)
  // An hour later, the assignment no longer blocks the removal of the last card.
  await t.movableClock!.advanceClock(3600_000)
  await run()
  expect(await cards()).toEqual([newCard.id])
  expect(await children()).toEqual([])
})

test("a guardian's private links end on the 18th birthday; the player's own stay", async () => {
  const { leo } = await family(1)
  const [{ guardian }] = (await t.sql`select guardian from guardianships where player = ${leo.id}`) as unknown as [{ guardian: string }]
  const now = t.deps.clock()
  const shareReview = async (name: string, by: string | null) => {
    const of = { player: leo.id, guardian: by, folder: randomUUID(), session: randomUUID() }
    await t.sql.begin(tx => storeReviewLink(tx, of, { id: randomUUID(), name, hash: Buffer.from(randomUUID()) }, now))
  }
  await shareReview('Grandparents', guardian)
  await shareReview('College coach', null)
  await t.movableClock!.advanceClock(2 * DAY_MS)
  await run()
  expect(await t.sql`select name from review_links where player = ${leo.id}`).toMatchObject([{ name: 'College coach' }])
})

test('younger children and players without a guardian get no letter about turning 18', async () => {
  const { email, children } = await family(400)
  await t.player()
  const before = await subjects(email)
  await run()
  expect(await subjects(email)).toEqual(before)
  expect(await children()).toHaveLength(1)
})
