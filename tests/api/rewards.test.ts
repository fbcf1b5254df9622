import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleCommand } from '../../modules/kernel/decider.ts'
import type { PriceTerms } from '../../modules/payments/pricing.ts'
import { creditsAndPointsDecider } from '../../modules/rewards/credits-and-points-decider.ts'
import { nextPriceTerms } from '../../src/api/assignment-payment-reservation.ts'
import { newInstructorInput, newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

async function player(referralCode?: string) {
  const who = h.browser()
  const { body } = await who.call('POST', '/api/register/player', newPlayerInput({ referralCode }))
  return { id: body.id as string, rewards: async () => (await who.call('GET', '/api/rewards')).body }
}
const by = () => ({ command: randomUUID(), actor: 'system' })
const earn = (of: string, friend: string) =>
  handleCommand(h.deps.store, creditsAndPointsDecider, of, 'earn', { payment: randomUUID(), friend, points: 150 }, by())
const credit = (of: string) =>
  handleCommand(h.deps.store, creditsAndPointsDecider, of, 'credit', { purchase: randomUUID(), folders: 3 }, by())
const reserve = (of: string, assignment: string, terms: PriceTerms, referrer: string | null = null) =>
  handleCommand(
    h.deps.store,
    creditsAndPointsDecider,
    of,
    'reserve',
    { assignment, folder: randomUUID(), player: of, referral: referrer === null ? null : { referrer }, terms },
    by(),
  )

test('a player sees the points earned by referrals and their history', async () => {
  const ana = await player()
  expect(await ana.rewards()).toEqual({
    code: expect.stringMatching(/^[2-9A-Z]{7}$/),
    points: 0,
    worth: 0,
    atMost: 750,
    perFriend: 150,
    percentOff: 10,
    discount: false,
    friends: { joined: 0, rewarded: 0 },
    credits: 0,
    history: [],
  })
  const { code } = await ana.rewards()
  const friends = [await player(code), await player(` ${code.toLowerCase()}`), await player(code)]
  await h.browser().call('POST', '/api/register/instructor', newInstructorInput({ referralCode: code }))
  for (const { id } of friends.slice(1)) await earn(ana.id, id)
  const assignment = randomUUID()
  await reserve(ana.id, assignment, { credit: false, referral: false, points: 300 })
  expect(await ana.rewards()).toMatchObject({ points: 0, worth: 0 })
  await handleCommand(h.deps.store, creditsAndPointsDecider, ana.id, 'giveBack', { assignment }, by())
  await credit(ana.id)
  const told = await ana.rewards()
  expect(told).toMatchObject({ code, points: 300, worth: 300, discount: false, friends: { joined: 3, rewarded: 2 }, credits: 3 })
  expect(told.history.map((e: { type: string; points: number }) => [e.type, e.points])).toEqual([
    ['returned', 300],
    ['spent', -300],
    ['earned', 150],
    ['earned', 150],
  ])
})

test('a referral discount waits until package credits are used up', async () => {
  const ana = await player()
  const ben = await player((await ana.rewards()).code)
  expect(await ben.rewards()).toMatchObject({ discount: true, credits: 0 })
  await reserve(ben.id, randomUUID(), { credit: false, referral: true, points: 0 }, ana.id)
  expect(await ben.rewards()).toMatchObject({ discount: false })

  const cal = await player((await ana.rewards()).code)
  await credit(cal.id)
  expect(await cal.rewards()).toMatchObject({ discount: true, credits: 3 })
})

test('a discount outlasts the account of the player who promised it', async () => {
  const ana = await player()
  const { code } = await ana.rewards()
  const ben = await player(code)
  await h.sql`delete from users where id = ${ana.id}`
  expect(await ben.rewards()).toMatchObject({ discount: true })
  expect(await nextPriceTerms(h.deps, ben.id)).toMatchObject({ referral: true })
  const late = await h.browser().call('POST', '/api/register/player', newPlayerInput({ referralCode: code }))
  expect([late.status, late.body.field]).toEqual([422, 'referralCode'])
})
