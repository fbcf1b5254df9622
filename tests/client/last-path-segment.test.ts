import { expect, test } from 'vitest'
import { lastPathSegment } from '../../src/client/last-path-segment.ts'

test.each([
  ['/invite/ABCD2345', 'ABCD2345'],
  ['/invite/ABCD2345/', 'ABCD2345'],
  ['/player/select-instructor/Jos%C3%A9', 'José'],
  ['/', ''],
])('the last part of %s is "%s"', (pathname, segment) => {
  expect(lastPathSegment(pathname)).toBe(segment)
})

test.each(['%', '%E0%A4%A', 'AB%zz'])('a part whose percent signs encode nothing stays as it is: "%s"', segment => {
  expect(lastPathSegment(`/invite/${segment}`)).toBe(segment)
})
