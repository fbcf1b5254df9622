import { expect, test } from 'vitest'
import { extractInviteCode } from '../../../src/islands/connect-instructor/extract-invite-code.ts'

test.each([
  [' 2jgh9cbn ', '2JGH9CBN'],
  ['https://diamondlink.example/invite/2JGH9CBN', '2JGH9CBN'],
  ['Castillo', undefined],
  ['2JGH9CB', undefined],
  ['2JGH9CBN2', undefined],
])('the invite code in %s is %s', (typed, code) => expect(extractInviteCode(typed)).toBe(code))
