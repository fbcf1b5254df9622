import type { z } from 'zod'
import type {} from '../page-load/preloaded-queries.ts'
import type { Api } from './contracts.ts'

type Part<E, Name extends string, Key extends string> = E extends { [K in Key]: infer S extends z.ZodType }
  ? { [K in Name]: z.input<S> }
  : unknown
type InputOf<E> = Part<E, 'params', 'params'> &
  Part<E, 'query', 'query'> &
  Part<E, 'body', 'body'> &
  (E extends { bytes: unknown } ? { body: Blob } : unknown)
/** What a call takes. */
export type CallInput<K extends keyof Api> = InputOf<Api[K]>
/** What a call answers. */
export type Reply<K extends keyof Api> = Api[K] extends { reply: infer S extends z.ZodType } ? z.output<S> : undefined
/** Every part of it may be left out. */
type AllOptional<T> = Record<never, never> extends T ? true : false
export type CallOptions = {
  signal?: AbortSignal
  /** The command's UUID: one a submit, the same for its retries. */
  idempotencyKey?: string
}
export type CallArgs<K extends keyof Api> =
  AllOptional<CallInput<K>> extends true ? [input?: CallInput<K>, options?: CallOptions] : [input: CallInput<K>, options?: CallOptions]

/** The server said no; `message` is the sentence to show. Its fields are but declared: every page loads this, and they weigh. */
export class ApiError extends Error {
  declare status: number
  declare code: string | undefined
  /** What is wrong, by field, where the server said which. */
  declare fields: Record<string, string>
  /** Whether a page asked for data, rather than for something to be done. */
  declare isQuery?: boolean
  /** Seconds after which a server that was too busy, or whose records were away, wants to be asked again. */
  declare retryAfterSeconds?: number
  constructor(message: string, status: number, code?: string, errors: { field: string; message: string }[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.fields = Object.fromEntries(errors.map(e => [e.field, e.message]))
  }
}

/** The server's own sentence; undefined where it said nothing, as when the connection is gone. */
export const serverMessage = (error: unknown) => (error instanceof ApiError ? error.message : undefined)

const readStorage = (area: 'localStorage' | 'sessionStorage', key: string) => {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** Keeps the highest position that a command of this tab was answered with. */
function rememberPosition(position: string | null) {
  if (!position || BigInt(position) <= BigInt(readStorage('sessionStorage', 'position') ?? -1)) return
  try {
    sessionStorage.setItem('position', position)
  } catch {
    // Without storage a query may answer a moment late.
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
/** Tells what to do when the server no longer knows the session in the middle of a page. */
export const onSessionExpired = (then: () => void) => {
  handleExpired = then
}

const encodeBody = (body: unknown): { type?: string; body?: BodyInit } => {
  if (body === undefined) return {}
  if (body instanceof Blob) return { type: body.type, body }
  return { type: 'application/json', body: JSON.stringify(body) }
}

/** A request as every one of ours is made; `path` with its query; a Blob goes as it is. @throws ApiError */
export async function request(
  method: string,
  path: string,
  body?: unknown,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<unknown> {
  const testing = readStorage('localStorage', 'devTesting') === 'enabled'
  const seen = readStorage('sessionStorage', 'position')
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
        ...(seen && { 'x-seen': seen }),
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
/** The method, and the path with its query, of a call. */
export const methodAndPath = (endpoint: string, input?: AnyInput): [method: string, path: string] => {
  const [method, path] = endpoint.split(' ') as [string, string]
  const search = `${new URLSearchParams(Object.entries(input?.query ?? {}).filter(pair => `${pair[1] ?? ''}`))}`
  return [method, path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(input!.params![name]!)) + (search && `?${search}`)]
}

/**
 * Calls the API: `call('POST /api/folders/{folder}/assign', { params: { folder }, body: { instructor } })`.
 * @throws ApiError, whose message can be shown
 */
export const call = <K extends keyof Api & string>(endpoint: K, ...[input, options]: CallArgs<K>) =>
  request(...methodAndPath(endpoint, input as AnyInput), (input as AnyInput)?.body, options) as Promise<Reply<K>>
