import { expect, it } from 'vitest'
import { parseTip, percentTipCents, tipBaseCents, tipCents } from '../../src/payments/tip.ts'

it('a tip is computed from the price before discounts', () => {
  expect(tipBaseCents([{ cents: 1500 }, { cents: 100 }, { cents: -1500 }])).toBe(1600)
  expect(percentTipCents(15, 1650)).toBe(248)
})
it.each([
  ['5', 500],
  ['$7.50', 750],
  [' 0.5', 50],
  ['0', 0],
  ['200', 20_000],
])('the tip amount %j is accepted', (text, cents) => expect(parseTip(text)).toEqual({ cents }))
it.each(['', 'five', '-3', '1.234', '200.01', '1e3'])('the tip amount %j is refused', text =>
  expect(parseTip(text)).toHaveProperty('wrong'),
)
it.each([
  [{ choice: '0', amount: '9' }, 0],
  [{ choice: '20', amount: '9' }, 300],
  [{ choice: 'other', amount: '7.50' }, 750],
  [{ choice: 'other', amount: 'much' }, 0],
])('tipCents computes the tip for %j', (said, cents) => expect(tipCents(said, [{ cents: 1500 }, { cents: -500 }])).toBe(cents))
