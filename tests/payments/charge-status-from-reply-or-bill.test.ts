import { describe, expect, test } from 'vitest'
import type { Payment } from '../../modules/payments/contract.ts'
import { billChargeStatus, type PayReplyAndShownBill } from '../../src/payments/charge-status-from-reply-or-bill.ts'

const billWith = (fields: Partial<Payment>) => ({ status: 'due', failure: null, ...fields }) as Payment
const declined = { reason: 'declined', message: 'Your bank declined the card.' } as const
const confirmation = { reason: 'authentication-needed', message: 'Your bank needs to verify that it is you.' } as const
const processing = { status: 'processing', failure: null, url: null } as const
const shown = { tip: 0, card: 'pm_1' }

describe('the outcome of a charge', () => {
  test('is the reply until the bill is fetched again', () => {
    const bill = billWith({})
    expect(billChargeStatus(bill, { ...shown, bill, reply: processing })).toMatchObject({ isProcessing: true, isFailed: false })
    expect(billChargeStatus(bill, { ...shown, bill, reply: { status: 'failed', failure: declined, url: null } })).toMatchObject({
      isProcessing: false,
      isFailed: true,
      failure: declined,
    })
  })

  test('is the failure in the bill when a slow charge fails after the reply', () => {
    const attempt: PayReplyAndShownBill = { ...shown, bill: billWith({}), reply: processing }
    expect(billChargeStatus(billWith({ status: 'processing' }), attempt).isProcessing).toBe(true)
    expect(billChargeStatus(billWith({ status: 'failed', failure: declined }), attempt)).toEqual({
      isProcessing: false,
      isFailed: true,
      failure: declined,
      bankPageUrl: null,
    })
  })

  test("has the bank's page as long as the bank waits for the payer", () => {
    const attempt: PayReplyAndShownBill = {
      ...shown,
      bill: billWith({}),
      reply: { status: 'failed', failure: confirmation, url: 'https://bank.test' },
    }
    expect(billChargeStatus(attempt.bill, attempt).bankPageUrl).toBe('https://bank.test')
    expect(billChargeStatus(billWith({ status: 'failed', failure: confirmation }), attempt).bankPageUrl).toBe('https://bank.test')
    expect(billChargeStatus(billWith({ status: 'failed', failure: declined }), attempt).bankPageUrl).toBeNull()
    expect(billChargeStatus(billWith({ status: 'failed', failure: confirmation })).bankPageUrl).toBeNull()
  })

  test('is processing once the payer returns from the bank, until the bill has news', () => {
    const bill = billWith({ status: 'failed', failure: confirmation })
    expect(billChargeStatus(bill, undefined, true)).toEqual({ isProcessing: true, isFailed: false, failure: null, bankPageUrl: null })
    expect(billChargeStatus(billWith({ status: 'failed', failure: declined }), undefined, true).isFailed).toBe(true)
    const attempt: PayReplyAndShownBill = { ...shown, bill, reply: { status: 'failed', failure: confirmation, url: 'https://bank.test' } }
    expect(billChargeStatus(bill, attempt, true).bankPageUrl).toBe('https://bank.test')
  })
})
