import { expect, test } from 'vitest'
import { reasonFormKeyOf } from '../../../src/islands/admin-instructors/send-command-with-reason.ts'

test('a reason typed for one decision is not offered for another', () => {
  const instructor = 'kim'
  const keys = [
    reasonFormKeyOf({ what: 'decline', instructor }),
    reasonFormKeyOf({ what: 'suspend', instructor }),
    reasonFormKeyOf({ what: 'suspend', instructor: 'lee' }),
    reasonFormKeyOf({ what: 'withdraw', instructor, check: 'identity' }),
    reasonFormKeyOf({ what: 'withdraw', instructor, check: 'background' }),
    reasonFormKeyOf({ what: 'hide', instructor, rating: 'by-leo' }),
    reasonFormKeyOf({ what: 'hide', instructor, rating: 'by-mia' }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
})
