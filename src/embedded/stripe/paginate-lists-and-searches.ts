import { z } from 'zod'
import type { SandboxApiCall } from './api-handler-types.ts'
import type { DecodedForm } from './decode-form.ts'
import { invalidRequest } from './stripe-error.ts'
import { integerParameter, textParameter, validateParameters } from './validate-parameters.ts'

const bounds = z.strictObject({
  gt: integerParameter.optional(),
  gte: integerParameter.optional(),
  lt: integerParameter.optional(),
  lte: integerParameter.optional(),
})
const page = z.object({
  limit: integerParameter.pipe(z.number().min(1).max(100)).default(10),
  starting_after: textParameter.optional(),
  ending_before: textParameter.optional(),
  created: z.union([integerParameter, bounds]).optional(),
})

interface Listed {
  id: string
  created?: number
}

/** Returns a page of a list, newest first. `filters` are the fields that a request may filter by, in addition to `created`. */
export function pageOfList<T extends Listed>(
  call: SandboxApiCall,
  oldestFirst: T[],
  filters: { [name: string]: (item: T) => unknown } = {},
) {
  const shape = Object.fromEntries(Object.keys(filters).map(name => [name, textParameter.optional()]))
  const listRequest = validateParameters(z.strictObject({ ...page.shape, ...shape }), call.form) as z.infer<typeof page> &
    Record<string, unknown>
  const { created } = listRequest
  const inTime = ({ created: at = 0 }: T) =>
    created === undefined ||
    (typeof created === 'number'
      ? at === created
      : at > (created.gt ?? -1) && at >= (created.gte ?? 0) && at < (created.lt ?? Infinity) && at <= (created.lte ?? Infinity))
  const wanted = oldestFirst
    .filter(
      item =>
        inTime(item) && Object.entries(filters).every(([name, of]) => listRequest[name] === undefined || of(item) === listRequest[name]),
    )
    .reverse()
  const index = (id: string, param: string) => {
    const found = wanted.findIndex(item => item.id === id)
    if (found < 0) throw invalidRequest(`No such object: '${id}'`, 'resource_missing', param)
    return found
  }
  const end = listRequest.ending_before === undefined ? undefined : index(listRequest.ending_before, 'ending_before')
  const start =
    end !== undefined
      ? Math.max(0, end - listRequest.limit)
      : listRequest.starting_after === undefined
        ? 0
        : index(listRequest.starting_after, 'starting_after') + 1
  const stop = end ?? start + listRequest.limit
  return {
    object: 'list',
    url: call.path,
    has_more: end === undefined ? stop < wanted.length : start > 0,
    data: wanted.slice(start, stop),
  }
}

const clause = /^(-?)([a-z_]+)(?:\[(["'])(.*?)\3\])?\s*([:<>]=?|~)\s*(?:(["'])(.*?)\6|([\w.-]+))$/

/** Returns a page of search results, newest first. A query tests fields or metadata: `metadata['payment']:'x' AND status:'succeeded'`. */
export function searchAndPaginate<T extends Listed>(call: SandboxApiCall, oldestFirst: T[]) {
  const {
    query,
    limit,
    page: from,
  } = validateParameters(
    z.strictObject({ query: textParameter, limit: page.shape.limit, page: integerParameter.optional() }),
    call.form as DecodedForm,
  )
  const any = / OR /.test(query)
  const tests = query.split(/ (?:AND|OR) /).map(part => {
    const found = clause.exec(part.trim())
    if (!found) throw invalidRequest('We were unable to parse your search query.', undefined, 'query')
    const [, not, field, , key, op, , quoted, bare] = found
    const value = quoted ?? bare ?? ''
    return (item: T) => {
      const own = (item as Record<string, unknown>)[field!]
      const actual = key === undefined ? own : (own as Record<string, unknown> | null)?.[key]
      return compare(actual, op!, value) !== (not === '-')
    }
  })
  const found = oldestFirst.filter(item => (any ? tests.some(t => t(item)) : tests.every(t => t(item)))).reverse()
  const start = from ?? 0
  const more = found.length > start + limit
  return {
    object: 'search_result',
    url: call.path,
    has_more: more,
    next_page: more ? String(start + limit) : null,
    data: found.slice(start, start + limit),
  }
}

function compare(actual: unknown, op: string, value: string) {
  if (value === 'null') return actual === null || actual === undefined
  if (op === ':') return typeof actual === 'string' ? actual.toLowerCase() === value.toLowerCase() : String(actual) === value
  if (op === '~') return typeof actual === 'string' && actual.toLowerCase().includes(value.toLowerCase())
  const [a, b] = [Number(actual), Number(value)]
  return op === '>' ? a > b : op === '>=' ? a >= b : op === '<' ? a < b : a <= b
}
