import { apiRoutes } from '../../src/api/index.ts'
import { openApiDocument } from '../../src/api/openapi.ts'

const { paths } = openApiDocument(apiRoutes, { name: 'DiamondLink', origin: 'http://ours.test' })
const patterns = apiRoutes.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  statuses: Object.keys((paths[path]![method.toLowerCase()] as { responses: object }).responses),
}))

/** Describes a response whose status is not in /api/openapi.json; undefined if the status is documented or no such endpoint exists. */
export function describeUndocumentedStatus(method: string, address: string, status: number): string | undefined {
  const path = address.split('?')[0]!
  const route = patterns.find(r => r.method === method && r.pattern.test(path))
  if (!route || route.statuses.includes(String(status))) return undefined
  return `${method} ${path} answered ${status}, of which /api/openapi.json tells nothing (${route.statuses.join(', ')})`
}
