import { expect, it } from 'vitest'
import { ApiError } from '../../src/client/api.ts'
import { errorMessage } from '../../src/client/use-command.ts'

it("the error message is the server's refusal, but never an internal error", () => {
  expect(errorMessage(new ApiError('Mia took this folder back.', 409))).toBe('Mia took this folder back.')
  expect(errorMessage(new ApiError('connect ECONNREFUSED', 503))).toMatch(/^The server had a problem/)
})
it('the error message of a failed query is its response, or else the status text', () => {
  const failed = new ApiError('Internal Server Error', 500)
  failed.isQuery = true
  expect(errorMessage(failed)).toBe('Internal Server Error')
})
it('the error message is the text of an error that our own code throws', () => {
  expect(errorMessage(new Error('Your voice-over is only on this device yet.'))).toBe('Your voice-over is only on this device yet.')
})
it.each(['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.'])(
  'the error message says that there is no connection after "%s"',
  message => {
    expect(errorMessage(new TypeError(message))).toMatch(/^No connection right now/)
  },
)
it.each(['AbortError', 'NetworkError', 'TimeoutError'])('the error message says that there is no connection after %s', name => {
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
])('the error message is never the text of a programming error: %s', error => {
  expect(errorMessage(error)).toBe('Something went wrong. Try again.')
})
