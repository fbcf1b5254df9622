import { expect, test } from 'vitest'
import { cursorParameter, encodeCursor, pageLimitParameter, paginateRows, timeAndId } from '../../modules/pagination.ts'

const keyOf = (row: { name: string }) => [row.name] as const
const rows = ['Ana', 'Ben', 'Cai'].map(name => ({ name }))

test('a page has the requested number of rows, and a cursor if there are more', () => {
  expect(paginateRows(rows, 2, keyOf)).toEqual({ rows: rows.slice(0, 2), next: encodeCursor(['Ben']) })
  expect(paginateRows(rows, 3, keyOf)).toEqual({ rows, next: null })
  expect(paginateRows([], 3, keyOf)).toEqual({ rows: [], next: null })
})

const key = ['2026-11-28T10:00:00.000Z', '0199a5a0-1111-7222-8333-944455556666'] as const

test('a cursor is decoded to the sort key that it was made from', () => {
  expect(cursorParameter(timeAndId).parse(encodeCursor(key))).toEqual(key)
})

test.each([
  ['not Base64', '%%%'],
  ['not JSON', Buffer.from('{').toString('base64url')],
  ['the key of another list', encodeCursor(['Ana'])],
  ['a key with too few fields', encodeCursor([key[0]])],
])('text that is not a cursor of the list is refused: %s', (_, text) => {
  expect(cursorParameter(timeAndId).safeParse(text).error?.issues).toEqual([
    expect.objectContaining({ code: 'custom', path: [], message: 'This is not a page of this list. Load the list again.' }),
  ])
})

test('a cursor of more than 1,000 characters is refused', () => {
  const cursor = encodeCursor(['x'.repeat(760)])
  expect(cursor.length).toBeGreaterThan(1000)
  expect(cursorParameter(timeAndId).safeParse(cursor).error?.issues[0]?.code).toBe('too_big')
})

test('the number of rows on a page is a whole number from 1 to the maximum of the list', () => {
  const limit = pageLimitParameter({ default: 24, max: 100 })
  expect([limit.parse(undefined), limit.parse('1'), limit.parse('100')]).toEqual([24, 1, 100])
  expect(['0', '101', '2.5', 'ten'].filter(text => limit.safeParse(text).success)).toEqual([])
})
