import { createHash, randomUUID } from 'node:crypto'
import { getQuery, type H3, type H3Event } from 'h3'
import { FastResponse } from 'srvx'
import type { z } from 'zod'
import type { SignedInGuardian, SignedInUser } from '../../modules/accounts/login-sessions.ts'
import type { Endpoint, Endpoints } from '../../modules/endpoint.ts'
import { type CommandSource, derivedId } from '../../modules/kernel/decider.ts'
import { runInTraceOfRequest } from '../../modules/kernel/trace.ts'
import { uuidSchema } from '../../modules/uuid-validation.ts'
import { apiHeaders } from '../security-headers.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { BufferedResponse } from './buffered-response.ts'
import { accountSessionTokenOf, guardianSessionTokenOf, minPositionCookie } from './cookies.ts'
import { notAllowed, notFound, notSignedIn, Problem, problemBody, problemOfError, zodErrorProblem } from './problem.ts'
import { isStorableJson, readBody } from './request-body.ts'
import { responseOrTimeoutProblem } from './request-timeout.ts'
import { isSameOrigin } from './same-origin.ts'

type Out<E, K extends string, None> = E extends { [k in K]: infer S extends z.ZodType } ? z.output<S> : None
type Body<E> = E extends { bytes: readonly string[] } ? Uint8Array : Out<E, 'body', undefined>
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply returns nothing
type Reply<E> = E extends { reply: infer S extends z.ZodType } ? z.input<S> : void

/** What a handler receives, typed by its contract. */
export interface RequestContext<E extends Endpoint = Endpoint> {
  params: Out<E, 'params', object>
  query: Out<E, 'query', object>
  body: Body<E>
  user: E['access'] extends 'anyone' ? SignedInUser | null : E['access'] extends 'guardian' ? null : SignedInUser
  /** The guardian who is signed in to the family pages, if the endpoint is for guardians. */
  guardian: E['access'] extends 'guardian' ? SignedInGuardian : null
  /** The actor and the command id, for `handleCommand`. */
  by: CommandSource
  /** The highest log position that the client has seen (read-your-writes token). */
  minPosition: bigint | undefined
  /** Network address of the caller; `''` if unknown. */
  address: string
  request: Request
  /** Headers of a successful response, in lower case. */
  headers: Record<string, string>
  /** `Set-Cookie` headers of a successful response. */
  cookies: string[]
  deps: AppDependencies
}

/** A reply, `commandReply(position, reply)` for a command, or a whole `Response` for anything that is not JSON. */
type Answer<R> = R | CommandReply<R> | Response
export type EndpointHandler<E extends Endpoint = Endpoint> = ((ctx: RequestContext<E>) => Promise<Answer<Reply<E>>> | Answer<Reply<E>>) & {
  reads?: readonly string[]
}

class CommandReply<R> {
  readonly position: bigint
  readonly reply: R
  constructor(position: bigint, reply: R) {
    this.position = position
    this.reply = reply
  }
}

/** The reply to a command, with its position in the log (`x-position`), which the client sends back as `x-seen`. */
export function commandReply(position: bigint): CommandReply<void>
export function commandReply<R>(position: bigint, reply: R): CommandReply<R>
export function commandReply(position: bigint, reply?: unknown) {
  return new CommandReply(position, reply)
}

/**
 * Makes a handler wait up to 2 s for these projections to reach the client's minimum position. After that it runs anyway, and the response
 * is marked `x-stale: true`.
 */
export const withCaughtUpReadModels = <C, R>(reads: readonly string[], handler: (ctx: C) => R) =>
  Object.assign((ctx: C) => handler(ctx), { reads }) as ((ctx: C) => R) & { reads: readonly string[] }

export interface Route {
  method: string
  /** The path pattern as in the contract: `/api/folders/{folder}`. */
  path: string
  endpoint: Endpoint
  handler: EndpointHandler
}

/** Combines a contract with a handler for each of its endpoints. */
export const routesOfContract = <const C extends Endpoints>(
  contract: C,
  handlers: { [K in keyof C]: EndpointHandler<C[K] & Endpoint> },
): Route[] =>
  Object.entries(contract).map(([call, endpoint]) => {
    const [method, path] = call.split(' ') as [string, string]
    return { method, path, endpoint, handler: handlers[call as keyof C] as unknown as EndpointHandler }
  })

/** Mounts routes and adds HEAD and OPTIONS. Other methods get a 405 as problem+json; unknown paths are left to the app's `onError`. */
export function mountRoutes(app: H3, routes: readonly Route[], deps: AppDependencies) {
  const paths = Map.groupBy(routes, route => route.path)
  for (const [path, all] of paths) {
    const byMethod = new Map(all.map(route => [route.method, route]))
    const allow = [...byMethod.keys(), ...(byMethod.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    app.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), event => {
      const { method } = event.req
      if (method === 'OPTIONS') return new FastResponse(null, { status: 204, headers: { ...apiHeaders(deps.config), allow } })
      const route = byMethod.get(method === 'HEAD' ? 'GET' : method)
      if (route) return runInTraceOfRequest(event.req.headers.get('traceparent'), () => answer(route, event, deps))
      return errorToProblemResponse(
        event,
        deps,
        new Problem(405, `This URL does not accept ${method}.`, 'method-not-allowed', { headers: { allow } }),
      )
    })
  }
}

function answer(route: Route, event: H3Event, deps: AppDependencies): Promise<Response> {
  const started = performance.now()
  return responseOrTimeoutProblem(event.req, deps, handleRequest(route, event, deps), problem =>
    errorToProblemResponse(event, deps, problem),
  ).then(response => {
    const seconds = (performance.now() - started) / 1000
    deps.metricsRecorder?.recordResponse({ method: event.req.method, route: route.path, status: response.status, seconds })
    return response
  })
}

const signedInUser = (req: Request, { sessions, config }: AppDependencies) => {
  const token = accountSessionTokenOf(req, config.origin)
  return token ? sessions.find(token) : null
}
/**
 * The guardian who is signed in, or null. Guardians have a separate cookie, so that in one browser a guardian's session cannot be used for
 * the calls of an account, or the other way around.
 */
export const findSignedInGuardian = (req: Request, { sessions, config }: AppDependencies) => {
  const token = guardianSessionTokenOf(req, config.origin)
  return token ? sessions.findGuardian(token) : null
}

/** Handles a request from start to end: origin, session, role, parameters, body, handler, reply. */
async function handleRequest(route: Route, event: H3Event, deps: AppDependencies): Promise<Response> {
  const { endpoint, handler } = route
  const { req } = event
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  try {
    if (req.method !== 'GET' && req.method !== 'HEAD' && !endpoint.webhook && !isSameOrigin(req, deps.config.origin)) {
      throw notAllowed('This request came from another site.')
    }
    const forGuardians = endpoint.access === 'guardian'
    const user = forGuardians ? null : await signedInUser(req, deps)
    const guardian = forGuardians ? await findSignedInGuardian(req, deps) : null
    if (!user && !guardian && endpoint.access !== 'anyone') throw notSignedIn()
    if (Array.isArray(endpoint.access) && !endpoint.access.includes(user!.role)) throw notAllowed()
    const params = endpoint.params ? parse(endpoint.params, decodedParams(event.context.params ?? {}), () => notFound()) : {}
    const query = endpoint.query ? parse(endpoint.query, queryOf(event), zodErrorProblem) : {}
    const body = await readBody(event, endpoint)
    const ctx: RequestContext = {
      params,
      query,
      body: body as undefined,
      user: user as SignedInUser,
      guardian: guardian as null,
      by: byOf(req, user?.id ?? guardian?.id ?? 'nobody', [route.path, params, query], body),
      minPosition: minPositionOf(req),
      address: req.ip ?? '',
      request: req,
      headers,
      cookies,
      deps,
    }
    if (handler.reads && ctx.minPosition !== undefined && !(await deps.readModels.caughtUp([...handler.reads], ctx.minPosition)))
      headers['x-stale'] = 'true'
    let reply: unknown = await handler(ctx)
    const id = requestId(event)
    const guarded = apiHeaders(deps.config)
    if (reply instanceof Response) return withCookies(withHeaders(reply, { ...guarded, ...headers, 'x-request-id': id }), cookies)
    if (reply instanceof CommandReply) {
      if (reply.position >= 0n) {
        headers['x-position'] = String(reply.position)
        cookies.push(minPositionCookie(reply.position, deps.config.origin))
      }
      reply = reply.reply
    }
    deps.log.debug({ request: id, method: route.method, path: route.path, user: user?.id }, 'answered')
    const status = endpoint.status ?? (endpoint.reply ? 200 : 204)
    if (!endpoint.reply)
      return withCookies(new FastResponse(null, { status, headers: { ...guarded, ...headers, 'x-request-id': id } }), cookies)
    const text = JSON.stringify(endpoint.reply.parse(reply))
    const all = { 'content-type': 'application/json', ...guarded, ...headers, 'x-request-id': id }
    return cookies.length ? withCookies(new FastResponse(text, { status, headers: all }), cookies) : new BufferedResponse(text, status, all)
  } catch (error) {
    return errorToProblemResponse(event, deps, error)
  }
}

/** Turns an error into problem+json. Internal errors are logged with the request id and reported without details. */
export function errorToProblemResponse(event: H3Event, deps: Pick<AppDependencies, 'log' | 'config'>, error: unknown): Response {
  const id = requestId(event)
  // The path may contain a link's token, even a mistyped path that matches no route, so only the route's pattern is logged.
  const asked = { request: id, method: event.req.method, path: event.context.matchedRoute?.route ?? 'no route' }
  let problem = problemOfError(error, event.req.headers.has('if-match'))
  if (!problem) {
    deps.log.error({ ...asked, err: error }, 'failed')
    problem = new Problem(500, 'Something went wrong on our side. Try again in a moment.', 'internal')
  } else {
    deps.log.debug({ ...asked, code: problem.code }, 'refused')
  }
  const headers = { 'content-type': 'application/problem+json', ...apiHeaders(deps.config), ...problem.headers, 'x-request-id': id }
  return new BufferedResponse(JSON.stringify(problemBody(problem, id)), problem.status, headers)
}

/** The caller's `x-request-id` if it is well-formed, otherwise a new one. It stays the same for the whole request. */
function requestId(event: H3Event): string {
  if (typeof event.context.id === 'string') return event.context.id
  const requestIdHeader = event.req.headers.get('x-request-id')
  const id = requestIdHeader && /^[\w-]{8,64}$/.test(requestIdHeader) ? requestIdHeader : randomUUID()
  event.context.id = id
  return id
}

function parse(schema: z.ZodType, value: unknown, otherwise: (error: z.ZodError) => Problem): object {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw otherwise(parsed.error)
  return parsed.data as object
}

function decodedParams(params: Record<string, string>) {
  try {
    const values = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, decodeURIComponent(value)]))
    if (!isStorableJson(values)) throw notFound()
    return values
  } catch {
    throw notFound()
  }
}

function queryOf(event: H3Event) {
  // The specification allows clients to add this flag to any request; it has no effect here.
  const { dev_bypass: _, ...values } = getQuery(event)
  if (!isStorableJson(values)) throw new Problem(422, 'The address contains a character that we cannot store.', 'invalid', { errors: [] })
  return values
}

/** A source with a new command id, which is created only when it is needed, because most requests send no commands. */
function newCommandSource(actor: string): CommandSource {
  let command: string | undefined
  return {
    actor,
    get command() {
      command ??= randomUUID()
      return command
    },
  }
}

/** Derives the command id from the actor and the key, so that nobody can send another user's command id or one that the system uses. */
function byOf(req: Request, actor: string, asked: unknown[], body: unknown): CommandSource {
  const sent = req.headers.get('idempotency-key')
  if (sent === null || req.method === 'GET') return newCommandSource(actor)
  const { data: key } = uuidSchema.safeParse(sent)
  if (!key) throw new Problem(400, 'Idempotency-Key must be a UUID.', 'bad-key')
  const hash = createHash('sha256').update(JSON.stringify([req.method, ...asked]))
  hash.update(body instanceof Uint8Array ? body : JSON.stringify(body ?? null))
  return { command: derivedId('request', actor, key), actor, asked: hash.digest('base64url') }
}

function minPositionOf(req: Request) {
  const minPositionHeader = req.headers.get('x-seen')
  return minPositionHeader && /^\d{1,18}$/.test(minPositionHeader) ? BigInt(minPositionHeader) : undefined
}

function withCookies(response: Response, cookies: string[]) {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

function withHeaders(response: Response, headers: Record<string, string>) {
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}
