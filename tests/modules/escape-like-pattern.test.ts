import { expect, test } from 'vitest'
import { escapeLikePattern } from '../../modules/escape-like-pattern.ts'

test('characters with a special meaning in the patterns of SQL LIKE are escaped', () => {
  expect(escapeLikePattern('100% _a\\b c%')).toBe('100\\% \\_a\\\\b c\\%')
})
