import { expect, test } from 'vitest'
import { lastPathSegment } from '../../src/client/last-path-segment.ts'

test.each([
  ['/invite/ABCD2345', 'ABCD2345'],
  ['/invite/ABCD2345/', 'ABCD2345'],
  ['/player/select-instructor/Jos%C3%A9', 'José'],
  ['/', ''],
])('the last segment of %s is "%s"', (pathname, segment) => {
  expect(lastPathSegment(pathname)).toBe(segment)
})

test.each(['%', '%E0%A4%A', 'AB%zz'])('a malformed percent encoding stays unchanged: "%s"', segment => {
  expect(lastPathSegment(`/invite/${segment}`)).toBe(segment)
})
