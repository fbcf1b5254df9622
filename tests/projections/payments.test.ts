import { describe, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import type { PaymentEvent } from '../../modules/payments/payment.ts'
import { receiptNumber } from '../../modules/payments/receipt-number.ts'
import { paymentBlockingNewAssignments } from '../../projections/deletion-obstacles.ts'
import { payments } from '../../projections/payments.ts'
import { payoutAccountOwners } from '../../projections/payout-account-owners.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { projectedRowsOf, toRecordedEvents } from './project-events-in-memory.ts'

const id = '0190b5c0-0000-7000-8000-000000000023'
const parties = { folder: 'f1', player: 'p1', instructor: 'i1' }
const at = '2026-05-10T18:00:02.000Z'
const card = { id: 'pm_1', brand: 'visa', last4: '4242' }
const opened: PaymentEvent = {
  type: 'PaymentOpened',
  data: { ...parties, items: [{ label: 'Feedback session', cents: 1500 }], total: 1500, share: 1200, opened: at, due: at },
}
const attempted: PaymentEvent = {
  type: 'PaymentAttempted',
  data: { attempt: 'a1', customer: 'cus_1', card, amount: 1800, tip: 300, by: 'player', at },
}
const succeeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: { ...parties, attempt: 'a1', intent: 'pi_1', charge: 'ch_1', amount: 1800, tip: 300, at },
}
const rowAfter = (...events: PaymentEvent[]) =>
  projectedRowsOf(payments, toRecordedEvents(events.map(e => ({ stream: `payment-${id}`, ...e })))).get(id)

describe('the row of a payment', () => {
  test('does not exist before there is a bill', () => {
    expect(rowAfter({ type: 'PaymentAgreed', data: parties })).toBeUndefined()
    expect(rowAfter({ type: 'PaymentAgreed', data: parties }, opened)).toMatchObject({ ...parties, status: 'due', total: 1500, paid: null })
  })
  test('has the card and the tip of an attempt, and why it failed', () => {
    expect(rowAfter(opened, attempted)).toMatchObject({ status: 'processing', tip: 300, card: { brand: 'visa', last4: '4242' } })
    const failed: PaymentEvent = {
      type: 'PaymentFailed',
      data: { ...parties, attempt: 'a1', reason: 'declined', intent: null, by: 'player' },
    }
    expect(rowAfter(opened, attempted, failed)).toMatchObject({ status: 'failed', tip: 0, failure: 'declined' })
    expect(rowAfter(opened, attempted, failed, attempted)).toMatchObject({ status: 'processing', failure: null })
  })
  test("has the card's owner: whoever paid, or the payer if the system charged the card", () => {
    const billed: PaymentEvent = { ...opened, data: { ...opened.data, payer: 'maria' } }
    const ownerOf = (by: string) =>
      projectedRowsOf(payments, toRecordedEvents([billed, attempted].map(e => ({ stream: `payment-${id}`, by, ...e })))).get(id)!.card_owner
    expect(['leo', 'maria', 'system'].map(ownerOf)).toEqual(['leo', 'maria', 'maria'])
  })
  test('has the card that was charged, even if a later attempt used another card', () => {
    const other = { id: 'pm_2', brand: 'amex', last4: '0005' }
    const retried: PaymentEvent = { ...attempted, data: { ...attempted.data, attempt: 'a2', card: other, tip: 0 } }
    const eventsBy = (events: PaymentEvent[], by: string[]) => events.map((e, i) => ({ stream: `payment-${id}`, by: by[i]!, ...e }))
    const row = projectedRowsOf(payments, toRecordedEvents(eventsBy([opened, attempted, retried, succeeded], ['s', 'leo', 'maria', 's'])))
    expect(row.get(id)).toMatchObject({ status: 'paid', tip: 300, card: { id: 'pm_1', last4: '4242' }, card_owner: 'leo' })
  })
  test('has the amounts charged, transferred, reversed and refunded', () => {
    const transferred: PaymentEvent = { type: 'TransferMade', data: { transfer: 'tr_1', account: 'acct_1', amount: 1500, at } }
    const reversed: PaymentEvent = { type: 'TransferReversed', data: { transfer: 'tr_1', reversal: 'trr_1', amount: 1500 } }
    const asked: PaymentEvent = { type: 'RefundAsked', data: { refund: 'r1', amount: 500, reason: 'Cut off' } }
    const failed: PaymentEvent = { type: 'RefundFailed', data: { refund: 'r1', amount: 500 } }
    expect(rowAfter(opened, attempted, succeeded)).toMatchObject({ status: 'paid', charged: 1800, tip: 300, paid: at, transferred: null })
    expect(rowAfter(opened, attempted, succeeded, transferred)).toMatchObject({ transferred: at })
    expect(rowAfter(opened, attempted, succeeded, transferred, reversed)).toMatchObject({ transferred: null })
    expect(rowAfter(opened, attempted, succeeded, asked)).toMatchObject({ refunded: 500 })
    expect(rowAfter(opened, attempted, succeeded, asked, failed)).toMatchObject({ refunded: 0 })
  })
  test('has the outcome of a dispute', () => {
    const disputed: PaymentEvent = { type: 'ChargebackOpened', data: { dispute: 'd1', amount: 1800 } }
    expect(rowAfter(opened, attempted, succeeded, disputed)).toMatchObject({ dispute: 'open' })
    const won: PaymentEvent = { type: 'ChargebackClosed', data: { dispute: 'd1', outcome: 'won' } }
    expect(rowAfter(opened, attempted, succeeded, disputed, won)).toMatchObject({ dispute: 'won' })
  })
})

test('a receipt number has the date in New York, like the letter with the receipt', () => {
  const number = (paid: string) => receiptNumber('0190b5c0-0000-7000-8000-0000abcd0023', paid)
  expect(number(at)).toBe('DL-260510-ABCD0023')
  expect([number('2027-01-01T04:59:59.999Z'), number('2027-01-01T05:00:00.000Z')]).toEqual(['DL-261231-ABCD0023', 'DL-270101-ABCD0023'])
  expect(number('2026-07-04T03:30:00.000Z')).toBe('DL-260703-ABCD0023')
})

test('a receipt number has two digits each for year, month and day', () => {
  expect(receiptNumber('0190b5c0-0000-7000-8000-0000abcd0023', '2026-01-02T12:00:00.000Z')).toBe('DL-260102-ABCD0023')
})

test('a payout account is found by its id', () => {
  const events = toRecordedEvents([{ stream: 'payout-i1', type: 'PayoutAccountOpened', data: { account: 'acct_1' } }])
  expect(projectedRowsOf(payoutAccountOwners, events).get('acct_1')).toEqual({ account: 'acct_1', instructor: 'i1' })
})

test('if several payments block a player, the one due first is returned', async () => {
  const { sql, end } = await createTestDatabase()
  await sql`create table ${sql(tableOf(payments))} (player text, status text, due timestamptz)`
  const now = new Date('2026-06-08T12:00:00Z')
  const later = new Date(now.getTime() + 1)
  for (const [player, status, due] of [
    ['ana', 'failed', later],
    ['ana', 'due', now],
    ['ben', 'failed', later],
    ['ben', 'paid', new Date(0)],
    ['cal', 'due', later],
    ['cal', 'processing', new Date(0)],
  ] as const)
    await sql`insert into ${sql(tableOf(payments))} values (${player}, ${status}, ${due})`
  expect(await Promise.all(['ana', 'ben', 'cal', 'dee'].map(player => paymentBlockingNewAssignments(sql, player, now)))).toEqual([
    'overdue',
    'failed',
    null,
    null,
  ])
  await end()
})
