import { expect, test } from 'vitest'
import { findInviteCode } from '../../../src/islands/connect-instructor/find-invite-code.ts'

test.each([
  [' 2jgh9cbn ', '2JGH9CBN'],
  ['https://diamondlink.example/invite/2JGH9CBN', '2JGH9CBN'],
  ['Castillo', undefined],
  ['2JGH9CB', undefined],
  ['2JGH9CBN2', undefined],
])('the invite code in %s is %s', (typed, code) => expect(findInviteCode(typed)).toBe(code))
