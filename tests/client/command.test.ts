import { expect, it } from 'vitest'
import { ApiError } from '../../src/client/api.ts'
import { errorMessage } from '../../src/client/command.ts'

it('says what the server said, but not how it failed', () => {
  expect(errorMessage(new ApiError('Mia took this folder back.', 409))).toBe('Mia took this folder back.')
  expect(errorMessage(new ApiError('connect ECONNREFUSED', 503))).toMatch(/^The server had a problem/)
})
it('says of data that does not load what its answer said, down to the status text', () => {
  const failed = new ApiError('Internal Server Error', 500)
  failed.isQuery = true
  expect(errorMessage(failed)).toBe('Internal Server Error')
})
it('says what our own pages say', () => {
  expect(errorMessage(new Error('Your voice-over is only on this device yet.'))).toBe('Your voice-over is only on this device yet.')
})
it.each(['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.'])('%s: there is no connection', message => {
  expect(errorMessage(new TypeError(message))).toMatch(/^No connection right now/)
})
it.each(['AbortError', 'NetworkError', 'TimeoutError'])('%s: there is no connection', name => {
  expect(errorMessage(new DOMException('signal is aborted without reason', name))).toMatch(/^No connection right now/)
})
it.each([
  new DOMException('The operation is insecure.', 'SecurityError'),
  new SyntaxError('Unexpected token < in JSON'),
  new RangeError('Invalid array length'),
  new ReferenceError('x is not defined'),
  new Error(),
  'boom',
  null,
])('never shows what a browser says of itself: %s', error => {
  expect(errorMessage(error)).toBe('Something went wrong. Try again.')
})
