import { expect, test } from 'vitest'
import { mustReloadOlderPages } from '../../src/client/use-more-pages.ts'

const reply = { rows: ['new'], next: 'b' }

test('older pages load again whenever the first page has been fetched again', () => {
  expect(mustReloadOlderPages({ from: 'b', reply }, 'b', reply)).toBe(false)
  expect(mustReloadOlderPages({ from: 'b', reply }, 'b', { ...reply })).toBe(true)
})
test('older pages load again if they no longer follow the first page', () => {
  expect(mustReloadOlderPages({ from: 'b', reply: undefined }, 'b', undefined)).toBe(false)
  expect(mustReloadOlderPages({ from: 'b', reply: undefined }, 'c', undefined)).toBe(true)
  expect(mustReloadOlderPages({ from: 'b', reply: undefined }, null, undefined)).toBe(true)
})
