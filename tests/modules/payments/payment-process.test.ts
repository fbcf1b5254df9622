import { describe, expect, test } from 'vitest'
import type { Process } from '../../../modules/kernel/process.ts'
import { paymentProcess } from '../../../modules/payments/payment-process.ts'

const AT = '2026-03-01T12:00:00.000Z'
/** The errands that the process creates for an event, and their delays in seconds. */
function errandsOf(type: string, data: object, stream = 'payment-p1') {
  const at = AT
  const event = { id: '0190b5c0-0000-7000-8000-000000000001', stream, type, data, at } as never
  const seconds = (due?: string) => (due ? (Date.parse(due) - Date.parse(at)) / 1000 : 0)
  const answer = (paymentProcess as Process).on[type]!(event)
  return [answer].flat().map(({ kind, due, payload }) => [kind, seconds(due), payload])
}

describe('an errand of the payment process is due', () => {
  test('30 s after an attempt, in case its request did not complete it', () => {
    expect(errandsOf('PaymentAttempted', { attempt: 'a1' })).toEqual([['payment.settle', 30, { payment: 'p1', attempt: 'a1' }]])
  })
  test('10 minutes after each attempt to assign within the monthly limit', () => {
    const session = { assignment: 'as1', folder: 'f1', player: 'ana' }
    const check = (type: string, attempt?: string) =>
      errandsOf(type, { ...session, ...(attempt && { attempt }), month: '2026-03', cents: 2500 })
    expect(check('SpendingCounted')).toEqual([['allowance.check', 600, session]])
    for (const type of ['SpendingCounted', 'SpendingKept'])
      expect(check(type, 't1')).toEqual([['allowance.check', 600, { ...session, attempt: 't1' }]])
  })
  test('2 and 60 minutes after the bank asked for authentication', () => {
    const failed = (reason: string, intent: string | null) => errandsOf('PaymentFailed', { attempt: 'a1', reason, intent })
    const look = { payment: 'p1', attempt: 'a1', intent: 'pi_1' }
    expect(failed('authentication-needed', 'pi_1')).toEqual([
      ['payment.look', 120, look],
      ['payment.look', 3600, look],
    ])
    expect(failed('authentication-needed', null)).toEqual([])
    expect(failed('declined', 'pi_1')).toEqual([])
  })
  test('on the due date of the bill, to the millisecond', () => {
    expect(errandsOf('PaymentOpened', { due: '2026-03-08T12:00:00.001Z' })).toEqual([['payment.collect', 604_800.001, { payment: 'p1' }]])
  })
  test('5 minutes after a payout account is found not ready, and immediately if ready', () => {
    const changed = (ready: boolean, released: string[]) => errandsOf('PayoutAccountChanged', { ready, released }, 'payout-i1')
    expect(changed(false, [])).toEqual([['payout.read', 300, { instructor: 'i1' }]])
    expect(changed(true, ['p1', 'p2'])).toEqual([
      ['payment.share', 0, { payment: 'p1' }],
      ['payment.share', 0, { payment: 'p2' }],
    ])
  })
})

/** Events to which the payment process responds immediately, with their errands. */
test.each<[string, object, string, [string, object][]]>([
  ['AssignmentWithdrawn', { assignment: 'p1' }, 'folder-f1', [['card.release', { assignment: 'p1' }]]],
  ['AssignmentDeclined', { assignment: 'p1', reason: 'Away' }, 'folder-f1', [['card.release', { assignment: 'p1' }]]],
  [
    'FeedbackGiven',
    { assignment: 'p1', player: 'ana', instructor: 'casey', billable: { notes: 1 }, terms: { points: 5 }, review: {} },
    'folder-f1',
    [
      [
        'payment.open',
        { payment: 'p1', folder: 'f1', player: 'ana', instructor: 'casey', billable: { notes: 1 }, terms: { points: 5 }, opened: AT },
      ],
    ],
  ],
  [
    'PaymentSucceeded',
    { folder: 'f1' },
    'payment-p1',
    [
      ['folder.paid', { folder: 'f1', assignment: 'p1' }],
      ['payment.share', { payment: 'p1' }],
    ],
  ],
  [
    'ChargeDoubled',
    { charge: 'ch_2', amount: 5, attempt: 'a' },
    'payment-p1',
    [['payment.return', { payment: 'p1', charge: 'ch_2', amount: 5 }]],
  ],
  ...['TransferMade', 'TransferReversed', 'RefundFailed', 'ChargebackClosed'].map((type): [string, object, string, [string, object][]] => [
    type,
    {},
    'payment-p1',
    [['payment.share', { payment: 'p1' }]],
  ]),
  [
    'RefundAsked',
    { refund: 'r1' },
    'payment-p1',
    [
      ['payment.refund', { payment: 'p1', refund: 'r1' }],
      ['payment.share', { payment: 'p1' }],
    ],
  ],
  ['PackageRefundAsked', { refund: 'r1' }, 'purchase-b1', [['package.refund', { purchase: 'b1', refund: 'r1' }]]],
  ['CardRemoved', { card: 'pm_1' }, 'wallet-ana', [['card.remove', { card: 'pm_1' }]]],
])('an errand of the payment process is due immediately after %s', (type, data, stream, errands) => {
  expect(errandsOf(type, data, stream)).toEqual(errands.map(([kind, payload]) => [kind, 0, payload]))
})
test('an errand of the payment process has a unique id that never changes', () => {
  const ids = (seconds: string) => {
    const event = {
      id: '0190b5c0-0000-7000-8000-000000000001',
      stream: 'payment-p1',
      type: 'PaymentFailed',
      at: `2026-03-01T12:00:${seconds}.000Z`,
    }
    const data = { attempt: 'a1', reason: 'authentication-needed', intent: 'pi_1' }
    return [(paymentProcess as Process).on.PaymentFailed!({ ...event, data } as never)].flat().map(({ id }) => id)
  }
  expect(new Set(ids('00')).size).toBe(2)
  expect([ids('00'), paymentProcess.name]).toEqual([ids('00'), 'charging'])
})
