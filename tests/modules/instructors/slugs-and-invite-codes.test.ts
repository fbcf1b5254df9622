import { expect, test } from 'vitest'
import { newInviteCode, slugOf } from '../../../modules/instructors/slugs-and-invite-codes.ts'

test.each([
  ['Zoë van der Berg', 'zoe-van-der-berg'],
  ["  D'Angelo  O’Neil ", 'd-angelo-o-neil'],
  ['李 明', 'coach'],
  ['Al', 'coach-al'],
  ['Profile', 'coach-profile'],
  ['x'.repeat(80), 'x'.repeat(50)],
])('the profile URL for the name %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('an invite code has only characters that are easy to read aloud', () => {
  const codes = Array.from({ length: 200 }, newInviteCode)
  expect(codes.every(code => /^[2-9A-HJKMNP-TV-Z]{8}$/.test(code))).toBe(true)
  expect(new Set(codes).size).toBe(200)
})
