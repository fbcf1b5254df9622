import { HTTPError } from 'h3'
import type { ZodError } from 'zod'
import { PasswordQueueFullError } from '../../modules/accounts/passwords.ts'
import { countWithNoun } from '../../modules/format-cents-and-counts.ts'
import { AppendTooLarge, CommandIdReused, CommandRefused, RevisionConflict, StreamDeleted } from '../../modules/kernel/store.ts'
import { isTransient } from '../../modules/kernel/transient-errors.ts'
import { ObjectStoreUnavailableError } from '../../modules/media/object-store-errors.ts'

export interface InvalidField {
  field: string
  message: string
}

/** A problem document (RFC 9457), plus `message`: the sentence shown to a person. */
interface ProblemBody {
  type: 'about:blank'
  title: string
  status: number
  code: string
  message: string
  /** The input field that caused the problem, if one did. */
  field?: string
  /** For 422: all invalid fields. */
  errors?: InvalidField[]
  /** The request id, for finding the request in the server's log. */
  request?: string
}

/** An error response, called a problem as in RFC 9457. Handlers throw it, and `routing.ts` turns it into problem+json. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly errors?: InvalidField[]
  readonly field?: string
  readonly headers: Record<string, string>
  constructor(
    status: number,
    message: string,
    code: string,
    more: { errors?: InvalidField[]; field?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.errors = more.errors
    this.field = more.field
    this.headers = more.headers ?? {}
  }
}

/** A 404. It is the same for a missing record and for somebody else's, so that the response does not reveal which ids exist. */
export const notFound = (message = 'We could not find that.') => new Problem(404, message, 'not-found')
export const notAllowed = (message = 'This area is not open to your account.') => new Problem(403, message, 'forbidden')
export const notSignedIn = () => new Problem(401, 'Log in to continue.', 'signed-out')

/** A 429. @param seconds how long to wait before the next request; the message says so, rounded up to minutes or hours */
export function tooManyRequests(seconds: number): Problem {
  const minutes = Math.ceil(seconds / 60)
  const advice =
    minutes <= 1
      ? 'Wait a moment and try again.'
      : `Try again in ${minutes < 60 ? countWithNoun(minutes, 'minute') : countWithNoun(Math.ceil(minutes / 60), 'hour')}.`
  return new Problem(429, `Too many attempts. ${advice}`, 'too-many', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) },
  })
}

export const serviceUnavailable = (seconds: number, message = 'Our database is not available right now. Try again in a moment.') =>
  new Problem(503, message, 'unavailable', { headers: { 'retry-after': String(seconds) } })

export const requestTimedOut = () => serviceUnavailable(5, 'This takes longer than expected. Try again in a moment.')

/** Returns the value, or throws a 404 if it is missing: `assertFound(await folderOf(sql, id))`. */
export function assertFound<T>(value: T | null | undefined | false): T {
  if (value === null || value === undefined || value === false) throw notFound()
  return value
}

/** A 422 for one field, for checks that a schema cannot express. */
export const invalidField = (field: string, message: string) =>
  new Problem(422, message, 'invalid', { field, errors: [{ field, message }] })

/** Limits on listed fields and their names, so that a response stays small whatever was sent. */
const MAX_LISTED_FIELDS = 50
const MAX_FIELD_NAME_LENGTH = 200

/** A 422 for the issues that zod found. The first field's message becomes the problem's message. */
export function zodErrorProblem(error: ZodError): Problem {
  const errors = error.issues
    .slice(0, MAX_LISTED_FIELDS)
    .flatMap(issue =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MAX_LISTED_FIELDS).map(key => ({
            field: [...issue.path, key].join('.').slice(0, MAX_FIELD_NAME_LENGTH),
            message: 'This field is not part of the request.',
          }))
        : [{ field: issue.path.join('.').slice(0, MAX_FIELD_NAME_LENGTH), message: issue.message }],
    )
    .slice(0, MAX_LISTED_FIELDS)
  return new Problem(422, errors[0]!.message, 'invalid', { errors })
}

/**
 * The problem to report for an error; undefined for an internal error (a 500).
 * @param conditional whether the request had an `If-Match` header
 */
export function problemOfError(error: unknown, conditional: boolean): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof CommandRefused) return new Problem(409, error.message, error.code, { field: error.field })
  if (error instanceof RevisionConflict) {
    return new Problem(conditional ? 412 : 409, 'Someone changed this in the meantime. Reload and try again.', 'conflict')
  }
  if (error instanceof CommandIdReused) {
    return new Problem(422, 'This key was used for another request before. Send this one with a new key.', 'key-reused', { errors: [] })
  }
  if (error instanceof AppendTooLarge) return new Problem(413, 'This is too large to be saved. Shorten it and try again.', 'too-large')
  if (error instanceof StreamDeleted) return new Problem(410, 'This was removed for good.', 'gone')
  // Errors from h3 itself: a path that it does not know or cannot parse.
  if (HTTPError.isError(error) && !error.unhandled) {
    return error.status === 404
      ? notFound('There is nothing at this address.')
      : new Problem(error.status, 'This request cannot be read.', 'unreadable')
  }
  if (error instanceof PasswordQueueFullError)
    return serviceUnavailable(error.seconds, 'Many people are logging in right now. Try again in a moment.')
  if (error instanceof ObjectStoreUnavailableError)
    return serviceUnavailable(2, 'The videos are not available right now. Try again in a moment; nothing is lost.')
  if (isTransient(error)) return serviceUnavailable(2)
  return undefined
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export const problemBody = (problem: Problem, request: string): ProblemBody => ({
  type: 'about:blank',
  title: titles[problem.status] ?? 'Error',
  status: problem.status,
  code: problem.code,
  message: problem.message,
  ...(problem.field !== undefined && { field: problem.field }),
  ...(problem.errors && { errors: problem.errors }),
  request,
})
