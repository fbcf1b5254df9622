import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PackageBadge, PaymentBadge } from '../../src/payments/status-badges.tsx'

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, '')
const paymentLabel = (payment: Parameters<typeof PaymentBadge>[0]['payment']) =>
  textOf(renderToStaticMarkup(<PaymentBadge payment={payment} />))
const packageLabel = (purchase: Parameters<typeof PackageBadge>[0]['purchase']) =>
  textOf(renderToStaticMarkup(<PackageBadge purchase={purchase} />))

test('a badge tells an open dispute from one that the bank decided for the payer', () => {
  expect(paymentLabel({ status: 'disputed', isDisputeLost: false, overdue: false })).toBe('In dispute')
  expect(paymentLabel({ status: 'disputed', isDisputeLost: true, overdue: false })).toBe('Returned by the bank')
  expect(packageLabel({ status: 'disputed', isDisputeLost: false })).toBe('In dispute')
  expect(packageLabel({ status: 'disputed', isDisputeLost: true })).toBe('Returned by the bank')
})

test('a bill is overdue only while nobody has started to pay it', () => {
  expect(paymentLabel({ status: 'due', isDisputeLost: false, overdue: true })).toBe('Overdue')
  expect(paymentLabel({ status: 'failed', isDisputeLost: false, overdue: true })).toBe('Failed')
})
