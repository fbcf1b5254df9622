import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { familyHistories, packageHistories, paymentHistories, playPaymentHistory, refundHistories } from './payment-histories.ts'
import { type SimulatedStripe, startSimulatedStripe } from './payment-simulation.ts'

let stripe: SimulatedStripe
beforeAll(async () => {
  stripe = await startSimulatedStripe()
})
afterAll(() => stripe.stop())

const RUNS = Number(process.env.HISTORIES ?? 44)
test('one charge and one transfer come of doubled, reordered, lost and killed calls', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(paymentHistories, history => playPaymentHistory(stripe, 'paying', history)),
    { numRuns: RUNS / 2 },
  )
})
test('whatever is given back, late, twice or in vain, the share is what is true', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(refundHistories, history => playPaymentHistory(stripe, 'returning', history)),
    { numRuns: RUNS / 2 },
  )
})
test('a guardian is charged once, and nobody whose bill it is not', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(familyHistories, history => playPaymentHistory(stripe, 'of a family', history)),
    { numRuns: RUNS / 2 },
  )
})
test('whatever becomes of a package, its credits are those that somebody paid for', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(packageHistories, history => playPaymentHistory(stripe, 'of a package', history)),
    { numRuns: RUNS / 2 },
  )
})
