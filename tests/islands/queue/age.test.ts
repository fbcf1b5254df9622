import { expect, it } from 'vitest'
import { age } from '../../../src/islands/queue/age.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const since = (hours: number) => age(new Date(now - hours * 3_600_000).toISOString(), now)

it.each([
  [0.5, 'field', 'Just in'],
  [23.9, 'field', 'Waiting 23 h'],
  [24, 'gold', 'Waiting 24 h, 24 h left'],
  [47, 'gold', 'Waiting 47 h, 1 h left'],
  [48, 'clay', 'Waiting 2 days, late'],
  [75, 'clay', 'Waiting 3 days, late'],
])('after %d h', (hours, tone, words) => expect(since(hours)).toMatchObject({ tone, words }))
it('fills up over 48 hours and no further', () => {
  expect(since(12).part).toBe(0.25)
  expect(since(500).part).toBe(1)
})
