import { H3 } from 'h3'
import pino from 'pino'
import { z } from 'zod'
import { defineEndpoints } from '../../modules/endpoint.ts'
import { CommandRefused, RevisionConflict } from '../../modules/kernel/store.ts'
import type { AppDependencies } from '../../src/api/app-dependencies.ts'
import { assertFound, tooManyRequests } from '../../src/api/problem.ts'
import { commandReply, errorToProblemResponse, mountRoutes, routesOfContract, withCaughtUpReadModels } from '../../src/api/routing.ts'

/** What the sample API below has received and logged, and what its database check returns. The API has every kind of endpoint. */
export const receivedByRoutingTestApi = {
  webhookBody: undefined as Uint8Array | undefined,
  /** What the database check returns; a test may replace it. */
  databaseCheck: Promise.resolve() as Promise<unknown>,
  /** The positions that read models were asked to reach. */
  waits: [] as [readonly string[], bigint][],
  logLines: [] as string[],
}

const contract = defineEndpoints({
  'GET /api/things': { summary: 'All', access: 'anyone', reply: z.object({ things: z.array(z.string()) }) },
  'GET /api/things/{thing}': {
    summary: 'One',
    access: 'signed-in',
    params: z.strictObject({ thing: z.string().min(2) }),
    query: z.strictObject({ limit: z.coerce.number().int().default(5) }),
    reply: z.object({ thing: z.string(), limit: z.int(), user: z.string() }),
  },
  'POST /api/things': {
    summary: 'Create',
    access: ['player'],
    body: z.strictObject({
      name: z.string('Give it a name').min(1, 'Give it a name'),
      deep: z.object({ at: z.int() }).optional(),
      list: z.array(z.object({ text: z.string() })).optional(),
    }),
    reply: z.object({ command: z.string() }),
    status: 201,
  },
  'DELETE /api/things/{thing}': { summary: 'Gone', access: ['player'], params: z.strictObject({ thing: z.string() }), status: 204 },
  'POST /api/hook': { summary: 'Hook', access: 'anyone', webhook: true, bytes: ['application/json'], limit: 20, status: 204 },
  'POST /api/positions/{position}': { summary: '', access: 'anyone', params: z.strictObject({ position: z.coerce.bigint() }), status: 204 },
  'GET /api/file': { summary: 'A file', access: 'anyone', media: ['text/plain'] },
  'GET /api/address': { summary: 'Whose', access: 'anyone', reply: z.object({ address: z.string(), command: z.string() }) },
  'POST /api/errors/{kind}': { summary: 'Errors', access: 'anyone', params: z.strictObject({ kind: z.string() }), status: 204 },
})

const routes = routesOfContract(contract, {
  'GET /api/things': withCaughtUpReadModels(['things'], async () => ({ things: ['a'], secret: 'not in the contract' })),
  'GET /api/things/{thing}': ctx => ({ thing: ctx.params.thing, limit: ctx.query.limit, user: ctx.user.id }),
  'POST /api/things': ctx => commandReply(7n, { command: `${ctx.by.command} ${ctx.by.asked} ${ctx.body.name}` }),
  'DELETE /api/things/{thing}': async () => commandReply(8n),
  'POST /api/hook': ctx => {
    receivedByRoutingTestApi.webhookBody = ctx.body
  },
  'POST /api/positions/{position}': ({ params }) => commandReply(params.position),
  'GET /api/file': ({ headers, cookies }) => {
    Object.assign(headers, { 'x-more': 'more', 'x-own': 'not this' })
    cookies.push('first=1', 'second=2')
    return new Response('as it is', { headers: { 'content-type': 'text/plain', 'x-own': 'own' } })
  },
  'GET /api/address': ({ address, by }) => ({ address, command: by.command }),
  'POST /api/errors/{kind}': ({ params: { kind } }) => {
    if (kind === 'slow') return new Promise<void>(done => setTimeout(done, 200))
    if (kind === 'refused') throw new CommandRefused('A card is needed first.', 'card-needed', 'card')
    if (kind === 'conflict') throw new RevisionConflict('s', 1n, 2n)
    if (kind === 'missing') assertFound(null)
    if (kind === 'busy') throw tooManyRequests(2.1)
    if (kind === 'hang') return new Promise(() => {})
    if (kind === 'away') throw Object.assign(new Error('getaddrinfo EAI_AGAIN db'), { code: 'EAI_AGAIN' })
    throw new Error('the password is hunter2')
  },
})

const deps = {
  config: { origin: 'http://ours.test' },
  log: pino({ level: 'debug' }, { write: line => receivedByRoutingTestApi.logLines.push(line) }),
  sessions: {
    find: (token: string) =>
      token === 'p'.repeat(43)
        ? { id: 'u1', role: 'player', session: 's' }
        : token === 'q'.repeat(43)
          ? { id: 'u3', role: 'player', session: 's' }
          : token === 'i'.repeat(43)
            ? { id: 'u2', role: 'instructor', session: 's' }
            : null,
  },
  requestTimeoutMs: 300,
  storeCheckAfterMs: 100,
  checks: { postgres: () => receivedByRoutingTestApi.databaseCheck, log: async () => {} },
  readModels: {
    caughtUp: async (names: string[], position: bigint) => receivedByRoutingTestApi.waits.push([names, position]) && position < 100n,
  },
} as unknown as AppDependencies
export const sampleApp = new H3({ silent: true, onError: (error, event) => errorToProblemResponse(event, deps, error) })
mountRoutes(sampleApp, routes, deps)

export const samplePlayerHeaders = { cookie: `theme=x; session=${'p'.repeat(43)}` }
export const jsonRequestHeaders = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
export const callSampleRoute = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
  const response = await sampleApp.fetch(new Request(`http://ours.test${path}`, { method, headers, body }))
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : undefined }
}
