import { assertBodySize, type H3Event, HTTPError } from 'h3'
import type { Endpoint } from '../../modules/endpoint.ts'
import { Problem, zodErrorProblem } from './problem.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

/**
 * Reads a request body as its contract says: JSON validated by the schema, raw bytes, or undefined if the endpoint takes no body.
 * @throws Problem 413 (too large), 415 (content type), 400 (malformed or interrupted), 422 (invalid)
 */
export async function readBody(event: H3Event, endpoint: Endpoint): Promise<unknown> {
  if (!endpoint.body && !endpoint.bytes && /^(GET|HEAD)$/.test(event.req.method)) return undefined
  const type = (event.req.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase()
  const accepted = endpoint.bytes ?? ['application/json']
  // An endpoint without a body needs no content type, but still refuses the types that a form on another site can send (CSRF).
  const bare = !endpoint.body && !endpoint.bytes
  if (!accepted.includes(type) && !(bare && type === '')) {
    throw new Problem(415, `Send this as ${accepted.join(', ')}.`, 'unsupported-type', { headers: { accept: accepted.join(', ') } })
  }
  if (bare) return undefined
  const read = await readContent(event, endpoint)
  return typeof read === 'string' ? check(read, endpoint) : read
}

async function readContent(event: H3Event, endpoint: Endpoint): Promise<string | Uint8Array> {
  try {
    limit(event, endpoint.limit ?? BYTES_PER_MEGABYTE)
    return endpoint.bytes ? new Uint8Array(await event.req.arrayBuffer()) : await event.req.text()
  } catch (error) {
    if (error instanceof Problem) throw error
    if (HTTPError.isError(error) && error.status === 413) throw new Problem(413, 'This is too large to send.', 'too-large')
    throw new Problem(400, 'The request was interrupted. Try again.', 'unreadable')
  }
}

/** Limits the size of a body. Node's HTTP parser enforces a declared length, so only a body without one has to be counted. */
function limit(event: H3Event, most: number) {
  const length = event.req.headers.get('content-length')
  if (length === null) assertBodySize(event, most)
  else if (Number(length) > most) throw new Problem(413, 'This is too large to send.', 'too-large')
}

function check(text: string, endpoint: Endpoint): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem(400, 'This is not valid JSON.', 'malformed')
  }
  // In valid UTF-8, only an escape can produce NUL or half a surrogate pair, and finding one is cheaper than checking every string.
  if (/\\u(0000|d[89a-f])/i.test(text) && !refuseStackOverflow(() => isStorableJson(value))) {
    throw new Problem(422, 'The text contains a character that we cannot store.', 'invalid', { errors: [] })
  }
  const parsed = refuseStackOverflow(() => endpoint.body!.safeParse(value))
  if (!parsed.success) throw zodErrorProblem(parsed.error)
  return parsed.data
}

/** Runs a check on untrusted input whose nesting or number of errors may overflow the stack. @throws Problem 422 instead of a RangeError */
function refuseStackOverflow<T>(look: () => T): T {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Problem(422, 'This is more than we can accept at once. Send less.', 'invalid', { errors: [] })
  }
}

/** Whether Postgres can store all strings and keys of a value: it accepts neither NUL nor half a surrogate pair. */
export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (Array.isArray(value)) return value.every(isStorableJson)
  if (value && typeof value === 'object') return Object.entries(value).every(([key, inner]) => isStorableJson(key) && isStorableJson(inner))
  return true
}
