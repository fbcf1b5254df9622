import fc from 'fast-check'
import {
  arbitraryFamilyHistory,
  arbitraryPaymentHistoryWithPackage,
  arbitraryRefundHistory,
  arbitraryStepsUntilPayment,
  playAndCheckPaymentHistory,
} from '../modules/payments/arbitrary-payment-histories.ts'
import { startStripeSandboxWithoutWebhooks } from '../modules/payments/stripe-sandbox-without-webhooks.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const RUNS = Number(process.env.HISTORIES ?? 2000)

/** M1: plays generated histories of payments and packages in the Stripe sandbox, and counts the batches with a violated invariant. */
export default async function measureGeneratedPaymentHistories(): Promise<BenchmarkFigure[]> {
  const kinds = [
    { kind: 'paying', histories: arbitraryStepsUntilPayment, part: 0.25 },
    { kind: 'returning', histories: arbitraryRefundHistory, part: 0.25 },
    { kind: 'of a package', histories: arbitraryPaymentHistoryWithPackage, part: 0.25 },
    { kind: 'of a family', histories: arbitraryFamilyHistory, part: 0.25 },
  ] as const
  let wrong = 0
  for (const { kind, histories, part } of kinds) {
    // Each batch gets a new sandbox, because listing objects scans everything that the sandbox holds.
    for (let left = Math.round(RUNS * part); left > 0; left -= 250) {
      const stripe = await startStripeSandboxWithoutWebhooks()
      const found = await fc.check(
        fc.asyncProperty(histories, history => playAndCheckPaymentHistory(stripe, kind, history)),
        { numRuns: Math.min(left, 250) },
      )
      await stripe.stop()
      if (!found.failed) continue
      wrong += 1
      console.error(fc.defaultReportMessage(found))
    }
  }
  return [
    {
      id: 'M1',
      name: 'batches of 250 histories with a violated invariant',
      value: wrong,
      unit: '',
      bar: 0,
      better: 'less',
    },
    { id: 'M1', name: 'generated histories of payments, refunds, disputes, packages and families', value: RUNS, unit: '', bar: 2000 },
  ]
}
