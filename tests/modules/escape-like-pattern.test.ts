import { expect, test } from 'vitest'
import { escapeLikePattern } from '../../modules/escape-like-pattern.ts'

test("the characters that mean something in a pattern of SQL's like are escaped", () => {
  expect(escapeLikePattern('100% _a\\b c%')).toBe('100\\% \\_a\\\\b c\\%')
})
