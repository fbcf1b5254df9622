import { expect, test } from 'vitest'
import { createRowOnce } from '../../modules/kernel/projection.ts'

test('a row cannot be created again by another stream', () => {
  const row = { id: 'f', n: 1 }
  expect(createRowOnce(null, row)).toBe(row)
  expect(() => createRowOnce({ id: 'f', n: 7 }, row)).toThrow('Another stream has begun this row.')
})
