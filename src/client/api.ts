import type { z } from 'zod'
import type {} from '../page-load/preloaded-responses-interface.ts'
import type { ApiContracts } from './contracts.ts'
import { readStorageText } from './read-stored-text.ts'

type Part<E, Name extends string, Key extends string> = E extends { [K in Key]: infer S extends z.ZodType }
  ? { [K in Name]: z.input<S> }
  : unknown
type InputOf<E> = Part<E, 'params', 'params'> &
  Part<E, 'query', 'query'> &
  Part<E, 'body', 'body'> &
  (E extends { bytes: unknown } ? { body: Blob } : unknown)
/** The input of a call: the path parameters, query and body of its contract. */
export type CallInput<K extends keyof ApiContracts> = InputOf<ApiContracts[K]>
/** The result of a call: the reply of its contract, or undefined if the contract has none. */
export type Reply<K extends keyof ApiContracts> = ApiContracts[K] extends { reply: infer S extends z.ZodType } ? z.output<S> : undefined
type AllOptional<T> = Record<never, never> extends T ? true : false
export type CallOptions = {
  signal?: AbortSignal
  /** The command's UUID: a new one for each submit, the same one for its retries. */
  idempotencyKey?: string
}
/** The arguments of a call after its endpoint. The input may be left out if no part of it is required. */
export type CallArgs<K extends keyof ApiContracts> =
  AllOptional<CallInput<K>> extends true ? [input?: CallInput<K>, options?: CallOptions] : [input: CallInput<K>, options?: CallOptions]

/**
 * An error response of the API; `message` is the sentence to show. The fields are declared without initializers to keep the script of every
 * page small.
 */
export class ApiError extends Error {
  declare status: number
  declare code: string | undefined
  /** Error messages by field of the request body; empty if the error is not about a field. */
  declare fields: Record<string, string>
  /** Whether the request was a GET. */
  declare isQuery?: boolean
  /** The `Retry-After` header of a 503, in seconds. */
  declare retryAfterSeconds?: number
  constructor(message: string, status: number, code?: string, errors: { field: string; message: string }[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.fields = Object.fromEntries(errors.map(e => [e.field, e.message]))
  }
}

/** The sentence that the server sent, or undefined if no response arrived, for example because there is no connection. */
export const errorMessageSentByServer = (error: unknown) => (error instanceof ApiError ? error.message : undefined)

/** Stores the highest log position that a command of this tab has reached; later requests send it as `x-seen` to read their own writes. */
function rememberPosition(position: string | null) {
  if (!position || BigInt(position) <= BigInt(readStorageText('sessionStorage', 'position') ?? -1)) return
  try {
    sessionStorage.setItem('position', position)
  } catch {
    // Without storage, a query may briefly return data from before the command.
  }
}

/**
 * Forgets the position when the session has ended. That also happens when the server's log is restored from a backup and no longer reaches
 * the position, so that each request with it would wait in vain.
 */
function forgetPosition() {
  try {
    sessionStorage.removeItem('position')
  } catch {
    // Without storage, there is no position.
  }
}

async function readError(response: Response) {
  const text = await response.text()
  const fallback = text || response.statusText || 'Unknown error'
  try {
    const json = JSON.parse(text)
    return new ApiError(json?.message || fallback, response.status, json?.code, json?.errors ?? (json?.field && [json]))
  } catch {
    return new ApiError(fallback, response.status)
  }
}

let handleExpired: (() => void) | undefined
/** Sets the function that is called when a request finds that the session has ended (401). */
export const setSessionExpiredHandler = (then: () => void) => {
  handleExpired = then
}

const encodeBody = (body: unknown): { type?: string; body?: BodyInit } => {
  if (body === undefined) return {}
  if (body instanceof Blob) return { type: body.type, body }
  return { type: 'application/json', body: JSON.stringify(body) }
}

/**
 * How long to wait for a response: the server responds within 30 s, and the rest allows for a slow connection. Without a limit, browsers
 * wait for up to a quarter of an hour after a connection has died silently, and the pressed button stays busy.
 */
const REQUEST_TIMEOUT_MS = 60_000

/**
 * Makes a request to the API, or takes its preloaded response. Resolves to the parsed JSON, or to undefined after a 204.
 * @param path including its query
 * @param body JSON, or a Blob that is sent unchanged
 * @throws ApiError if the server responds with an error, DOMException TimeoutError if it does not respond in time, TypeError if offline
 */
export async function sendApiRequest(
  method: string,
  path: string,
  body?: unknown,
  { signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS), idempotencyKey }: CallOptions = {},
): Promise<unknown> {
  const testing = readStorageText('localStorage', 'devTesting') === 'enabled'
  const minPosition = readStorageText('sessionStorage', 'position')
  const sent = encodeBody(body)
  const preloaded = method === 'GET' && (await globalThis.preloadedQueries?.take(path))
  const response =
    preloaded ||
    (await fetch(testing ? `${path}${path.includes('?') ? '&' : '?'}dev_bypass=true` : path, {
      method,
      credentials: 'include',
      headers: {
        Accept: 'application/json',
        ...(sent.type && { 'Content-Type': sent.type }),
        ...(minPosition && { 'x-seen': minPosition }),
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        ...(testing && { 'X-Dev-Testing': 'true' }),
      },
      body: sent.body,
      signal,
    }))
  if (!response.ok) {
    const error = await readError(response)
    error.isQuery = method === 'GET'
    if (error.status === 503) error.retryAfterSeconds = Number(response.headers.get('retry-after'))
    if (error.status === 401) forgetPosition()
    if (error.status === 401 && path !== '/api/user' && path !== '/api/login') handleExpired?.()
    throw error
  }
  rememberPosition(response.headers.get('x-position'))
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (!/\bjson\b/.test(type)) throw new Error(`Expected JSON response but got ${type}`)
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('Invalid JSON response from server')
  }
}

interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}
/** The HTTP method of a call, and its path with parameters and query filled in. */
export const buildMethodAndPath = (endpoint: string, input?: AnyInput): [method: string, path: string] => {
  const [method, path] = endpoint.split(' ') as [string, string]
  const search = `${new URLSearchParams(Object.entries(input?.query ?? {}).filter(pair => `${pair[1] ?? ''}`))}`
  return [method, path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(input!.params![name]!)) + (search && `?${search}`)]
}

/**
 * Calls the API: `callApi('POST /api/folders/{folder}/assign', { params: { folder }, body: { instructor } })`.
 * @throws ApiError, whose message can be shown
 */
export const callApi = <K extends keyof ApiContracts & string>(endpoint: K, ...[input, options]: CallArgs<K>) =>
  sendApiRequest(...buildMethodAndPath(endpoint, input as AnyInput), (input as AnyInput)?.body, options) as Promise<Reply<K>>
