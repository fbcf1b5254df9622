import { z } from 'zod'
import type { Endpoint } from '../../modules/endpoint.ts'
import type { Route } from './routing.ts'

const problem = {
  type: 'object',
  description: 'RFC 9457. `message` is the sentence to show.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    message: { type: 'string' },
    field: { type: 'string' },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } }, required: ['field', 'message'] },
    },
    request: { type: 'string' },
  },
  required: ['type', 'title', 'status', 'code', 'message'],
}

const reasons: Record<string, string> = {
  400: 'Malformed',
  401: 'Not logged in, or wrong credentials',
  403: 'Wrong role, or a request from another site',
  404: 'Not found, or not yours',
  409: 'Refused by a business rule, or in conflict with another change',
  410: 'No longer available',
  412: 'The version in `If-Match` is not the current one',
  413: 'Too large',
  415: 'Wrong content type',
  422: 'A field is invalid (`errors` says which), or the key was used for another request',
  429: 'Too many attempts; `Retry-After` says when to try again',
  500: 'Internal error',
  503: 'A dependency is unavailable; `Retry-After` says when to try again',
}

const header = (description: string, schema: object) => ({ description, schema })
const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
  return json
}

/** Generates an OpenAPI 3.1 document for these routes from the contracts that also validate their requests. */
export function openApiDocument(routes: readonly Route[], product: { name: string; origin: string }) {
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, path, endpoint } of routes) {
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = operation(method, path, endpoint)
  }
  return {
    openapi: '3.1.0',
    info: { title: product.name, version: '1', description: 'Positions and ids are strings, money is integer cents, times are ISO 8601.' },
    servers: [{ url: product.origin }],
    paths,
    components: {
      schemas: { Problem: problem },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'An account. Over HTTPS, its name is __Host-session.' },
        family: {
          type: 'apiKey',
          in: 'cookie',
          name: 'family',
          description: 'A parent or guardian. Over HTTPS, its name is __Host-family.',
        },
      },
    },
  }
}

function operation(method: string, path: string, endpoint: Endpoint) {
  const status = endpoint.status ?? (endpoint.reply || endpoint.media ? 200 : 204)
  const changes = method !== 'GET'
  const failures = [
    ...(changes ? [400] : []),
    ...(endpoint.access === 'anyone' ? [] : [401]),
    ...((changes && !endpoint.webhook) || Array.isArray(endpoint.access) ? [403] : []),
    ...(endpoint.params ? [404] : []),
    ...(changes ? [409, 412] : []),
    ...(endpoint.body || endpoint.bytes ? [413] : []),
    ...(changes ? [415] : []),
    ...((changes && !endpoint.webhook) || endpoint.query ? [422] : []),
    429,
    500,
    503,
    ...(endpoint.refusals ?? []),
  ]
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: endpoint.summary,
    security: endpoint.access === 'anyone' ? [] : [endpoint.access === 'guardian' ? { family: [] } : { session: [] }],
    ...(Array.isArray(endpoint.access) && { 'x-roles': endpoint.access }),
    parameters: parameters(endpoint, changes),
    ...((endpoint.body || endpoint.bytes) && { requestBody: { required: true, content: content(endpoint) } }),
    responses: {
      [status]: {
        description: 'Done',
        headers: {
          'x-request-id': header('Id of this request in the log', { type: 'string' }),
          ...(changes
            ? { 'x-position': header('Position written; send the highest back as `x-seen`', { type: 'string' }) }
            : { 'x-stale': header('The reply may be older than `x-seen`', { const: 'true' }) }),
        },
        ...(endpoint.reply && { content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } } }),
        ...(endpoint.media && {
          content: Object.fromEntries(endpoint.media.map(type => [type, { schema: { type: 'string', format: 'binary' } }])),
        }),
      },
      ...Object.fromEntries(
        failures.map(code => [
          code,
          { description: reasons[code], content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(endpoint.otherwise ?? {}).map(([code, schema]) => [
          code,
          { description: reasons[code], content: { 'application/json': { schema: schemaOf(schema, 'output') } } },
        ]),
      ),
    },
  }
}

function parameters(endpoint: Endpoint, changes: boolean) {
  const from = (schema: z.ZodObject | undefined, place: 'path' | 'query') => {
    if (!schema) return []
    const { properties = {}, required = [] } = schemaOf(schema, 'input')
    return Object.entries(properties).map(([name, of]) => ({
      name,
      in: place,
      required: required.includes(name),
      schema: of,
    }))
  }
  const optional = (name: string, description: string, schema: object) => ({ name, in: 'header', required: false, description, schema })
  return [
    ...from(endpoint.params, 'path'),
    ...from(endpoint.query, 'query'),
    ...(changes && !endpoint.webhook
      ? [
          optional(
            'Idempotency-Key',
            'A request with the same key from the same person runs once; with different content, it is refused (422)',
            {
              type: 'string',
              format: 'uuid',
            },
          ),
        ]
      : [optional('x-seen', 'Highest position seen; the reply is at least as recent', { type: 'string' })]),
  ]
}

function content(endpoint: Endpoint) {
  if (endpoint.body) return { 'application/json': { schema: schemaOf(endpoint.body, 'input') } }
  return Object.fromEntries(endpoint.bytes!.map(type => [type, { schema: { type: 'string', format: 'binary' } }]))
}
