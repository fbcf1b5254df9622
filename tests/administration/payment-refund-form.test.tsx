import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Payment } from '../../modules/payments/contract.ts'
import { PaymentRefundForm } from '../../src/administration/PaymentDialog.tsx'

const payment = { id: 'b1', playerName: 'Leo Day', total: 50, tip: 0, refunded: 0, share: 1200 } as Payment
const fee = { label: 'Media Service Fee: 1 video', cents: 50 }
const base = { label: 'Feedback session', cents: 1500 }
const formText = (items: Payment['items']) =>
  renderToString(<PaymentRefundForm payment={{ ...payment, items }} onDone={() => {}} />)
    .replaceAll(/<!-- -->|<[^>]*>/g, '')
    .replaceAll('&#x27;', "'")

test('the refund form says what a full refund takes back and what it does not return', () => {
  expect(formText([base, fee])).toContain("Up to $0.50. A full refund also takes back the instructor's share of $12.00.")
  expect(formText([base, fee, { label: 'Package credit', cents: -1500 }])).toContain(
    "the instructor's share of $12.00, and does not return the package credit.",
  )
})
