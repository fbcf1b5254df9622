import { expect, test } from 'vitest'
import { payoutAccountTexts } from '../../../src/islands/earnings/EarningsPage.tsx'

test('while Stripe checks an account, its instructor reads that nothing is missing', () => {
  const checked = payoutAccountTexts({ status: 'started', requirements: [], submitted: true })
  expect(checked.title).toBe('Stripe is checking your details')
  expect(checked.about).toContain('there is nothing for you to do')
  expect(payoutAccountTexts({ status: 'started', requirements: [], submitted: false }).about).toContain('A few details are missing.')
})
