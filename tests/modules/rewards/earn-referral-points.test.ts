import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { handleCommand, loadState } from '../../../modules/kernel/decider.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import type { PriceTerms } from '../../../modules/payments/pricing.ts'
import { creditsAndPointsDecider } from '../../../modules/rewards/credits-and-points-decider.ts'
import { rewardErrandHandlers } from '../../../modules/rewards/credits-and-points-process.ts'

const [ana, ben, cal, folder] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string]
const by = () => ({ command: randomUUID(), actor: 'system' })
const full: PriceTerms = { credit: false, referral: false, points: 0 }

/** Reserves discounts for assignments, one after the other. Ana is the referrer unless `referrer` is given. Ben has two package credits. */
async function assigned(...each: { player: string; terms: Partial<PriceTerms>; referrer?: string | null }[]) {
  const store = memoryStore()
  const purchase = randomUUID()
  await handleCommand(store, creditsAndPointsDecider, ben, 'credit', { purchase, folders: 2 }, by())
  const payments: string[] = []
  for (const { player, terms, referrer = ana } of each) {
    const referral = referrer === null ? null : { referrer }
    const assignment = randomUUID()
    const said = { ...full, ...terms, ...(terms.credit && { purchase }) }
    await handleCommand(store, creditsAndPointsDecider, player, 'reserve', { assignment, folder, player, referral, terms: said }, by())
    payments.push(assignment)
  }
  const { 'rewards.earn': earn } = rewardErrandHandlers(store)
  const points = async () => (await loadState(store, creditsAndPointsDecider, ana)).points
  return { payments, earn: (player: string, payment: string) => earn({ player, payment }), points }
}

test('points are earned once per friend, for the first folder, even in a package', async () => {
  const { payments, earn, points } = await assigned(
    { player: ben, terms: { credit: true } },
    { player: ben, terms: { credit: true } },
    { player: ben, terms: { referral: true } },
    { player: cal, terms: { referral: true } },
  )
  await earn(ben, payments[0]!)
  await earn(ben, payments[0]!)
  expect(await points()).toBe(150)
  await earn(ben, payments[1]!)
  await earn(ben, payments[2]!)
  expect(await points()).toBe(150)
  await earn(cal, payments[3]!)
  expect(await points()).toBe(300)
})

test('points are earned only with a referrer and a reservation for the folder', async () => {
  const { payments, earn, points } = await assigned({ player: ben, terms: { credit: true }, referrer: null })
  await earn(ben, payments[0]!)
  await earn(ben, randomUUID())
  expect(await points()).toBe(0)
})
