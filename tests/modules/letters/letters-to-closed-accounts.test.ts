import { expect, test } from 'vitest'
import { letterErrandTestbed, sampleLetterBill } from './letter-errand-testbed.ts'

/** A testbed in which an administrator has closed one person's account. */
const withClosed = (closed: string, more: Parameters<typeof letterErrandTestbed>[0] = {}) =>
  letterErrandTestbed({ closingReason: async id => (id === closed ? 'Threats to another player.' : null), ...more })
const failed = { payment: 'y1', attempt: 'a2', reason: 'declined' }
/** What a person whose account is closed cannot do. */
const IMPOSSIBLE = /Pay now|Pay before then|another card|cannot assign|Set it up|Set up payouts|Finish setting|Open your earnings/

test('an instructor whose account is closed is asked to write to us for the share', async () => {
  const { sent, run } = withClosed('kim')
  await run('share-held', { payment: 'y1' })
  expect(sent.map(m => [m.to, m.subject])).toEqual([['kim@example.com', '$27.00 is waiting for you']])
  const text = sent[0]!.text.replaceAll(/\s+/g, ' ')
  expect(text).toContain('Your account is closed, so you cannot set up payouts yourself. Write to support@ours.test')
  expect(text).not.toMatch(IMPOSSIBLE)
})

test("while Stripe checks the details, a closed account's letter has no button", async () => {
  const { sent, run } = withClosed('kim', { heldShare: async () => ({ share: 1200, waiting: 1200, started: true, checking: true }) })
  await run('share-held', { payment: 'y1' })
  expect(sent[0]!.text.replaceAll(/\s+/g, ' ')).toContain('we will send the money automatically once the check is done.')
  expect(sent[0]!.html).not.toContain('/instructor/payments')
})

test('a player whose account is closed gets no reminder to log in and pay', async () => {
  const { sent, run } = withClosed('ana')
  await run('payment-reminder', { payment: 'y1' })
  expect(sent).toEqual([])
})

test.each([
  ['charge-coming', 'Visa ending in 4242', 'so you cannot pay in it or change the card. If you have questions, write to support@ours.test'],
  ['charge-coming', null, 'so you cannot pay in it. To settle this bill, write to support@ours.test'],
  ['payment-failed', null, 'so you cannot pay in it. To settle this bill, write to support@ours.test'],
])('%s to a closed account has our address and no button (card: %s)', async (kind, saved, words) => {
  const { sent, run } = withClosed('ana', { bill: async () => ({ ...sampleLetterBill, saved }) })
  await run(kind, failed)
  expect(sent[0]!.text.replaceAll(/\s+/g, ' ')).toContain(`Your account is closed, ${words}`)
  expect(`${sent[0]!.subject} ${sent[0]!.html}`).not.toMatch(IMPOSSIBLE)
  expect(sent[0]!.html).not.toContain('/player/folder')
})

test("the guardian who pays can still pay after the child's account was closed", async () => {
  const { sent, run } = withClosed('ana', { bill: async () => ({ ...sampleLetterBill, payer: 'maria' }) })
  await run('payment-reminder', { payment: 'y1' })
  expect(sent[0]!.html).toContain('/family/money/y1?token=of-maria')
})
