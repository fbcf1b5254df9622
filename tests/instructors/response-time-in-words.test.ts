import { expect, test } from 'vitest'
import { responseTimeInWords } from '../../src/instructors/statistics-and-rating-labels.ts'

test('a response time is shown in hours or days', () => {
  expect([null, 0.4, 3.2, 23, 30].map(responseTimeInWords)).toEqual([undefined, 'an hour', '4 hours', 'a day', '2 days'])
})
