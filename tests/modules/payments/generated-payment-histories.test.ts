import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import {
  arbitraryFamilyHistory,
  arbitraryPaymentHistoryWithPackage,
  arbitraryRefundHistory,
  arbitraryStepsUntilPayment,
  playAndCheckPaymentHistory,
} from './arbitrary-payment-histories.ts'
import { type StripeSandboxWithoutWebhooks, startStripeSandboxWithoutWebhooks } from './stripe-sandbox-without-webhooks.ts'

let stripe: StripeSandboxWithoutWebhooks
beforeAll(async () => {
  stripe = await startStripeSandboxWithoutWebhooks()
})
afterAll(() => stripe.stop())

const RUNS = Number(process.env.HISTORIES ?? 44)
test('repeated, reordered, lost and killed calls lead to one charge and one transfer', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryStepsUntilPayment, history => playAndCheckPaymentHistory(stripe, 'paying', history)),
    { numRuns: RUNS / 2 },
  )
})
test('the share is correct after any sequence of late, repeated or failed refunds', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryRefundHistory, history => playAndCheckPaymentHistory(stripe, 'returning', history)),
    { numRuns: RUNS / 2 },
  )
})
test('the bill of a family is charged once, to a card of the person who paid it', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFamilyHistory, history => playAndCheckPaymentHistory(stripe, 'of a family', history)),
    { numRuns: RUNS / 2 },
  )
})
test('a package has only credits that were paid for, after any sequence of events', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPaymentHistoryWithPackage, history => playAndCheckPaymentHistory(stripe, 'of a package', history)),
    { numRuns: RUNS / 2 },
  )
})
