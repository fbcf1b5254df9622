import type { Sql } from 'postgres'
import type { Role } from '../modules/endpoint.ts'
import { firstRow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOf } from '../modules/kernel/store.ts'
import type { PersonForgotten } from '../modules/privacy/account.ts'
import type { Request, RequestStatus } from '../modules/support/contract.ts'
import type { SupportEvent } from '../modules/support/request.ts'

/** Support requests: one row per request. */
export const requests = projection<SupportEvent | PersonForgotten>()({
  name: 'requests',
  version: 2,
  row: {
    request: 'uuid',
    asker: 'uuid',
    request_type: 'text',
    content: 'text',
    device_info: 'text?',
    priority: 'text',
    suggested_solution: 'text?',
    status: 'text',
    answer: 'text?',
    answered: 'timestamptz?',
    asked: 'timestamptz',
  },
  index: ['asker, asked desc', 'status, asked', 'using gin (content gin_trgm_ops)'],
  key: e => (e.type === 'PersonForgotten' ? e.data.requests : idOf(e.stream)),
  on: {
    SupportRequested: (row, { stream, at, data }) =>
      firstRow(row, {
        request: idOf(stream),
        asker: data.by,
        request_type: data.requestType,
        content: data.content,
        device_info: data.deviceInfo,
        priority: data.priority,
        suggested_solution: data.suggestedSolution,
        status: 'open',
        answer: null,
        answered: null,
        asked: at,
      }),
    SupportAnswered: (row, { at, data }) => row && { ...row, status: 'answered', answer: data.answer, answered: at },
    SupportStatusSet: (row, { data }) => row && { ...row, status: data.status },
    SupportRequestDeleted: () => null,
    PersonForgotten: () => null,
  },
})

const columns = (sql: Sql) => sql`
  r.request as id, r.request_type as "requestType", r.content, r.device_info as "deviceInfo", r.priority,
  r.suggested_solution as "suggestedSolution", r.status, r.answer, r.answered, r.asked`

export const requestsOf = (sql: Sql, user: string) =>
  sql<Request[]>`select ${columns(sql)} from ${sql(tableOf(requests))} r where r.asker = ${user} order by r.asked desc`

type RequestWithSender = Request & { by: { id: string; name: string; email: string; role: Role } | null }

/**
 * How many waiting requests of one person are listed in turn with other people's. Any beyond that come last, so that nobody can flood the
 * queue.
 */
const MAX_WAITING_PER_PERSON = 20

const OVER: RequestStatus[] = ['answered', 'closed']
const WAITING: RequestStatus[] = ['open', 'in-progress']
const MAX_LISTED_REQUESTS = 500

/** All requests, or those with a status. Waiting ones come first, by urgency and then by age. */
export const allRequests = (sql: Sql, status?: RequestStatus) => sql<RequestWithSender[]>`
  select ${columns(sql)},
    case when u.id is null then null
      else json_build_object('id', u.id, 'name', u.first_name || ' ' || u.last_name, 'email', u.email, 'role', u.role) end as "by"
  from (
    select *, not over and nth > ${MAX_WAITING_PER_PERSON} as late from (
      select *, array_position(array['critical', 'high', 'medium', 'low'], priority) as pressing,
        row_number() over (partition by asker, over order by asked) as nth
      from ${sql(tableOf(requests))}, lateral (select status in ('answered', 'closed') as over) o
      where ${status ? sql`status = any(${OVER.includes(status) ? OVER : WAITING})` : sql`true`}
    ) q
    where ${status ? sql`status = ${status}` : sql`true`}
    -- Names are looked up for those that are listed, not for all.
    order by over, late, pressing, asked limit ${MAX_LISTED_REQUESTS}
  ) r left join users u on u.id = r.asker
  order by r.over, r.late, r.pressing, r.asked`
