import { expect, test } from 'vitest'
import { isUuid, uuidSchema } from '../../modules/uuid-validation.ts'

const id = '018f0000-0000-7000-8000-00000000000a'

test('a stored id is a UUID in lower case', () => {
  expect(isUuid(id)).toBe(true)
  const others = [id.toUpperCase(), `x${id}`, `${id}x`, id.slice(1), id.replaceAll('-', ''), id.replace('a', 'g'), '', 5, null, [id]]
  expect(others.filter(isUuid)).toEqual([])
})

test('a UUID from a request is converted to lower case', () => {
  expect(uuidSchema.parse(id.toUpperCase())).toBe(id)
  expect(uuidSchema.safeParse('Ana').success).toBe(false)
})
