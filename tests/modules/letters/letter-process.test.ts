import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../modules/kernel/store.ts'
import { letterProcess } from '../../../modules/letters/letter-process.ts'

describe('the letter process', () => {
  const at = '2026-03-01T12:00:00.000Z'
  const on = (type: keyof typeof letterProcess.on, stream: string, data: object) => {
    const e = { id: 'x', type, stream, at, data, position: 1n, revision: 0n, meta: {} } as unknown as RecordedEvent
    return [(letterProcess.on[type] as (e: RecordedEvent) => object)(e)].flat() as {
      id: string
      kind: string
      payload: object
      due?: string
    }[]
  }
  test('schedules reminders after one and three days, and one the day before the charge', () => {
    const opened = on('PaymentOpened', 'payment-y1', { opened: at, due: '2026-03-08T12:00:00.000Z' })
    expect(opened.map(e => [e.kind, e.due])).toEqual([
      ['letter.payment-due', undefined],
      ['letter.payment-reminder', '2026-03-02T12:00:00.000Z'],
      ['letter.payment-reminder', '2026-03-04T12:00:00.000Z'],
      ['letter.charge-coming', '2026-03-07T12:00:00.000Z'],
    ])
    expect(new Set(opened.map(e => e.id)).size).toBe(4)
    expect(on('PaymentOpened', 'payment-y1', { opened: at, due: '2026-03-08T12:00:00.000Z' })).toEqual(opened)
  })
  test('gives a payer an hour to confirm with the bank before the payment has failed', () => {
    const failed = (more: object) => {
      const [letter] = on('PaymentFailed', 'payment-y1', {
        attempt: 't1',
        reason: 'authentication-needed',
        intent: 'pi',
        by: 'player',
        ...more,
      })
      return letter!.due
    }
    expect(failed({})).toBe('2026-03-01T13:05:00.000Z')
    expect(failed({ by: 'guardian' })).toBe('2026-03-01T13:05:00.000Z')
    for (const atOnce of [{ by: 'schedule' }, { reason: 'declined' }, { intent: null }]) expect(failed(atOnce)).toBeUndefined()
  })
  test('requests one letter about a waiting share, however often the share is held', () => {
    const held = (event: string) => {
      const e = { id: event, type: 'ShareHeld', stream: 'payout-i1', at, data: { payment: 'y1' }, position: 1n, revision: 0n, meta: {} }
      return letterProcess.on.ShareHeld!(e as never)
    }
    expect(held('first')).toMatchObject({ kind: 'letter.share-held', payload: { payment: 'y1' } })
    expect(held('again')).toEqual(held('first'))
  })
  test('creates errands with ids, and without texts or names', () => {
    const data = { assignment: 'a1', player: 'p1', instructor: 'i1', reason: 'secret', question: 'secret', answer: 'secret', by: 'u1' }
    const more = {
      check: 'identity',
      expires: '2026-06-30',
      attempt: 't1',
      refund: 'r1',
      isReopened: true,
      message: 'secret',
      review: { summary: 'secret' },
    }
    for (const type of Object.keys(letterProcess.on) as (keyof typeof letterProcess.on)[]) {
      if (type === 'PaymentOpened') continue
      const written = on(type, 'folder-f1', { ...data, ...more })
      expect(written).toHaveLength(1)
      if (type !== 'PaymentFailed') expect(JSON.stringify(written)).not.toContain('secret')
    }
  })
})
