import { expect, test } from 'vitest'
import { firstRow } from '../../modules/kernel/projection.ts'

test('a row cannot be created again by another stream', () => {
  const row = { id: 'f', n: 1 }
  expect(firstRow(null, row)).toBe(row)
  expect(() => firstRow({ id: 'f', n: 7 }, row)).toThrow('Another stream has begun this row.')
})
