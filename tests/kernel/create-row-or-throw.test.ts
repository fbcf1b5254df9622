import { expect, test } from 'vitest'
import { createRowOrThrow } from '../../modules/kernel/projection.ts'

test('a row cannot be created again by another stream', () => {
  const row = { id: 'f', n: 1 }
  expect(createRowOrThrow(null, row)).toBe(row)
  expect(() => createRowOrThrow({ id: 'f', n: 7 }, row)).toThrow('Another stream has begun this row.')
})
