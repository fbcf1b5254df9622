import { expect, test } from 'vitest'
import { describeChargeFailure } from '../../../modules/payments/charge-failure-messages.ts'
import { PaymentFailureReason } from '../../../modules/payments/contract.ts'

test('each reason for a failed charge tells the payer what to do', () => {
  const failures = PaymentFailureReason.options.map(describeChargeFailure)
  expect(failures.map(f => f.reason)).toEqual(PaymentFailureReason.options)
  for (const { message } of failures) expect(message).toMatch(/^[A-Z][^.]+\. [A-Z][^.]+\.$/)
  expect(new Set(failures.map(f => f.message)).size).toBe(failures.length)
})
