import { HTTPError } from 'h3'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { PasswordQueueFullError } from '../../modules/accounts/passwords.ts'
import { AppendTooLarge, CommandIdReused, CommandRefused, RevisionConflict, StreamDeleted } from '../../modules/kernel/store.ts'
import { ObjectStoreUnavailableError } from '../../modules/media/object-store-errors.ts'
import {
  assertFound,
  invalidField,
  notAllowed,
  notFound,
  notSignedIn,
  Problem,
  problemBody,
  problemOfError,
  serviceUnavailable,
  tooManyRequests,
  zodErrorProblem,
} from '../../src/api/problem.ts'

const describeProblem = (p: Problem | undefined) => p && [p.status, p.code, p.message, p.headers]

describe('an error response', () => {
  test('has its status, a code for programs and a sentence for people', () => {
    expect([notFound(), notFound('No such lead.'), notAllowed(), notAllowed('Not here.'), notSignedIn()].map(describeProblem)).toEqual([
      [404, 'not-found', 'We could not find that.', {}],
      [404, 'not-found', 'No such lead.', {}],
      [403, 'forbidden', 'This area is not open to your account.', {}],
      [403, 'forbidden', 'Not here.', {}],
      [401, 'signed-out', 'Log in to continue.', {}],
    ])
  })

  test('says after how many whole seconds to retry, at least one', () => {
    expect([0, 0.1, 1.5, 60].map(s => tooManyRequests(s).headers['retry-after'])).toEqual(['1', '1', '2', '60'])
    expect(describeProblem(tooManyRequests(3))).toEqual([
      429,
      'too-many',
      'Too many attempts. Wait a moment and try again.',
      { 'retry-after': '3' },
    ])
    expect([60, 61, 3540, 3541, 3600, 3601, 86_400].map(s => tooManyRequests(s).message)).toEqual([
      'Too many attempts. Wait a moment and try again.',
      'Too many attempts. Try again in 2 minutes.',
      'Too many attempts. Try again in 59 minutes.',
      ...['1 hour', '1 hour', '2 hours', '24 hours'].map(wait => `Too many attempts. Try again in ${wait}.`),
    ])
    expect(describeProblem(serviceUnavailable(5))).toEqual([
      ...[503, 'unavailable', 'Our database is not available right now. Try again in a moment.', { 'retry-after': '5' }],
    ])
    expect(serviceUnavailable(5, 'Busy.').message).toBe('Busy.')
  })

  test('is an RFC 9457 problem, with the field that caused it if there is one', () => {
    expect(problemBody(notFound(), 'r1')).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'not-found',
      message: 'We could not find that.',
      request: 'r1',
    })
    expect(problemBody(invalidField('email', 'Too long'), 'r2')).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      code: 'invalid',
      message: 'Too long',
      request: 'r2',
      field: 'email',
      errors: [{ field: 'email', message: 'Too long' }],
    })
    expect(problemBody(new Problem(418, 'Short and stout.', 'teapot'), 'r3').title).toBe('Error')
    const titles = [400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 429, 500, 503].map(
      s => problemBody(new Problem(s, '', ''), '').title,
    )
    expect(titles).toEqual([
      ...['Bad Request', 'Unauthorized', 'Forbidden', 'Not Found', 'Method Not Allowed', 'Conflict', 'Gone', 'Precondition Failed'],
      ...['Content Too Large', 'Unsupported Media Type', 'Unprocessable Content', 'Too Many Requests', 'Internal Server Error'],
      'Service Unavailable',
    ])
  })

  test('assertFound returns any found value, even 0 or an empty string', () => {
    expect([assertFound(0), assertFound(''), assertFound('a')]).toEqual([0, '', 'a'])
    for (const nothing of [null, undefined, false as const]) expect(() => assertFound(nothing)).toThrow('We could not find that.')
  })
})

test('each field that a schema refuses has its own sentence, and the first is shown', () => {
  const schema = z.strictObject({ name: z.string('Say a name'), at: z.strictObject({ x: z.number('A number') }) })
  const refused = (value: unknown) => zodErrorProblem(schema.safeParse(value).error!)
  const { status, code, message, errors, field } = refused({ at: { x: 'a', y: 1, z: 2 }, more: 1 })
  expect([status, code, message, field]).toEqual([422, 'invalid', 'Say a name', undefined])
  expect(errors).toEqual([
    { field: 'name', message: 'Say a name' },
    { field: 'at.x', message: 'A number' },
    { field: 'at.y', message: 'This field is not part of the request.' },
    { field: 'at.z', message: 'This field is not part of the request.' },
    { field: 'more', message: 'This field is not part of the request.' },
  ])
})

test('at most fifty wrong fields are listed, which limits the size of the answer', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 0]))
  const { status, message, errors } = zodErrorProblem(z.strictObject({}).safeParse(many).error!)
  expect([status, message, errors!.length]).toEqual([422, 'This field is not part of the request.', 50])
  expect([errors![0]!.field, errors![49]!.field]).toEqual(['k0', 'k49'])
  const long = zodErrorProblem(z.strictObject({}).safeParse({ ['k'.repeat(50_000)]: 0 }).error!)
  expect(long.errors![0]!.field.length).toBeLessThanOrEqual(200)
})

describe('an error becomes a problem response with', () => {
  const away = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  test.each<[string, unknown, unknown[]]>([
    ['its own status and text for a Problem', notFound('No.'), [404, 'not-found', 'No.', {}]],
    [
      '409 for a refused command',
      new CommandRefused('A card is needed.', 'card-needed', 'card'),
      [409, 'card-needed', 'A card is needed.', {}],
    ],
    ['409 for a revision conflict', new RevisionConflict('s', 1n, 2n), [409, 'conflict', expect.stringContaining('Reload'), {}]],
    [
      '422 for an idempotency key of another command',
      new CommandIdReused('x'),
      [422, 'key-reused', expect.stringContaining('new key'), {}],
    ],
    [
      '413 for an append that is too large',
      new AppendTooLarge('s', 9, null),
      [413, 'too-large', expect.stringContaining('Shorten it'), {}],
    ],
    ['410 for a deleted stream', new StreamDeleted('s', null), [410, 'gone', 'This was removed for good.', {}]],
    ['404 for an unknown path', new HTTPError({ status: 404 }), [404, 'not-found', 'There is nothing at this address.', {}]],
    ['400 for a malformed URL', new HTTPError({ status: 400 }), [400, 'unreadable', 'This request cannot be read.', {}]],
    [
      '503 for a full password queue',
      new PasswordQueueFullError('x'),
      [503, 'unavailable', expect.stringContaining('logging in'), { 'retry-after': '2' }],
    ],
    [
      '503 for an unavailable object store',
      new ObjectStoreUnavailableError('x'),
      [503, 'unavailable', expect.stringContaining('videos are not available'), { 'retry-after': '2' }],
    ],
    [
      '503 for an unavailable database',
      away,
      [503, 'unavailable', expect.stringContaining('database is not available'), { 'retry-after': '2' }],
    ],
  ])('%s', (_, error, expected) => expect(describeProblem(problemOfError(error, false))).toEqual(expected))

  test('status 412 for a conflict under `If-Match`, and the field of a refused command', () => {
    expect(problemOfError(new RevisionConflict('s', 1n, 2n), true)?.status).toBe(412)
    expect(problemOfError(new CommandRefused('Too much.', 'too-much', 'cents'), false)?.field).toBe('cents')
    expect(problemOfError(new CommandIdReused('x'), false)?.errors).toEqual([])
  })
  test('no details if the error is internal', () => {
    const inside = HTTPError.isError(new HTTPError({ status: 500, unhandled: true })) && new HTTPError({ status: 500, unhandled: true })
    for (const error of [new Error('bug'), inside, 'text', undefined]) expect(problemOfError(error, false)).toBeUndefined()
  })
})
