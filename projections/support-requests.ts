import type { Sql } from 'postgres'
import type { Role } from '../modules/endpoint.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import { type PageOfRows, paginateRows, type TimeAndId } from '../modules/pagination.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import type { SupportRequest, SupportRequestListName, SupportRequestStatus } from '../modules/support/contract.ts'
import type { SupportEvent } from '../modules/support/support-request.ts'
import { olderThanKeySql } from './older-than-key-sql.ts'

/** Support requests: one row per request. */
export const supportRequests = projection<SupportEvent | PersonForgotten>()({
  name: 'requests',
  version: 4,
  row: {
    request: 'uuid',
    asker: 'uuid',
    /** Whether the server wrote this request about the asker; otherwise the asker wrote it. */
    by_system: 'bool',
    request_type: 'text',
    content: 'text',
    device_info: 'text?',
    priority: 'text',
    suggested_solution: 'text?',
    status: 'text',
    answer: 'text?',
    answered: 'timestamptz?',
    /** All answers, oldest first: `{ text, at }`. */
    answers: 'jsonb',
    asked: 'timestamptz',
  },
  index: ['asker, asked desc', 'status, asked', 'using gin (content gin_trgm_ops)'],
  key: e => (e.type === 'PersonForgotten' ? e.data.requests : idOfStream(e.stream)),
  on: {
    SupportRequested: (row, { stream, at, data, meta }) =>
      createRowOrThrow(row, {
        request: idOfStream(stream),
        asker: data.by,
        by_system: meta.actor === 'system',
        request_type: data.requestType,
        content: data.content,
        device_info: data.deviceInfo,
        priority: data.priority,
        suggested_solution: data.suggestedSolution,
        status: 'open',
        answer: null,
        answered: null,
        answers: [],
        asked: at,
      }),
    SupportAnswered: (row, { at, data }) =>
      row && {
        ...row,
        status: 'answered',
        answer: data.answer,
        answered: at,
        answers: [...(row.answers as object[]), { text: data.answer, at }],
      },
    SupportStatusSet: (row, { data }) => row && { ...row, status: data.status },
    SupportRequestDeleted: () => null,
    PersonForgotten: () => null,
  },
})

const columns = (sql: Sql) => sql`
  r.request as id, r.request_type as "requestType", r.content, r.device_info as "deviceInfo", r.priority,
  r.suggested_solution as "suggestedSolution", r.status, r.answer, r.answered, r.answers, r.asked`

export const supportRequestsOfUser = (sql: Sql, user: string) =>
  sql<SupportRequest[]>`select ${columns(sql)} from ${sql(tableOf(supportRequests))} r where r.asker = ${user} order by r.asked desc`

type RequestWithSender = SupportRequest & { bySystem: boolean; by: { id: string; name: string; email: string; role: Role } | null }

/**
 * How many waiting requests of one person are sorted together with everybody else's. Any further ones come last, so that nobody can flood
 * the queue.
 */
const MAX_WAITING_PER_PERSON = 20

const OVER: SupportRequestStatus[] = ['answered', 'closed']
const STATUSES_OF_LIST: Record<SupportRequestListName, SupportRequestStatus[]> = {
  open: ['open'],
  waiting: ['open', 'in-progress'],
  done: OVER,
}

/**
 * The sort key of a request in a list. `isLate`: the request exceeds `MAX_WAITING_PER_PERSON` and therefore comes last. Done requests are
 * sorted by time alone.
 */
export type SupportRequestCursor = [isLate: boolean, urgency: number, asked: string, id: string]

const withSender = (sql: Sql) => sql`
  ${columns(sql)}, r.by_system as "bySystem", r.late, r.pressing, case when u.id is null then null
    else json_build_object('id', u.id, 'name', u.first_name || ' ' || u.last_name, 'email', u.email, 'role', u.role) end as "by"`

/**
 * A page of the requests with these statuses (open, in progress, or both): by urgency, then by age, but late ones last. Names are looked up
 * only for the requests on the page.
 */
const waitingPage = (sql: Sql, statuses: SupportRequestStatus[], after: SupportRequestCursor | undefined, limit: number) => sql`
  select ${withSender(sql)} from (
    select * from (
      select *, array_position(array['critical', 'high', 'medium', 'low'], priority) as pressing,
        row_number() over (partition by asker order by asked, request) > ${MAX_WAITING_PER_PERSON} as late
      from ${sql(tableOf(supportRequests))} where status = any(${statuses})
    ) q
    where ${after ? sql`(late, pressing, asked, request) > (${after[0]}, ${after[1]}::int, ${after[2]}::timestamptz, ${after[3]}::uuid)` : sql`true`}
    order by late, pressing, asked, request limit ${limit}
  ) r left join users u on u.id = r.asker
  order by r.late, r.pressing, r.asked, r.request`

/** Answered and closed requests, newest first. Postgres reads each status from an index, and only as far as the page needs. */
function donePage(sql: Sql, after: SupportRequestCursor | undefined, limit: number) {
  const older = after ? sql`and ${olderThanKeySql(sql, sql`asked`, sql`request`, [after[2], after[3]])}` : sql``
  const ofStatus = (status: SupportRequestStatus) => sql`
    (select *, false as late, 0 as pressing from ${sql(tableOf(supportRequests))} where status = ${status} ${older}
      order by asked desc, request limit ${limit})`
  return sql`
    select ${withSender(sql)} from (
      select * from (${ofStatus('answered')} union all ${ofStatus('closed')}) q order by asked desc, request limit ${limit}
    ) r left join users u on u.id = r.asker
    order by r.asked desc, r.request`
}

/** A page of a list, with the number of requests on all pages. */
export async function pageOfSupportRequests(
  sql: Sql,
  list: SupportRequestListName,
  { after, limit }: { after?: SupportRequestCursor | undefined; limit: number },
): Promise<PageOfRows<RequestWithSender> & { total: number }> {
  const [found, [counted]] = await Promise.all([
    sql<
      (RequestWithSender & { late: boolean; pressing: number })[]
    >`${list === 'done' ? donePage(sql, after, limit + 1) : waitingPage(sql, STATUSES_OF_LIST[list], after, limit + 1)}`,
    sql<{ count: number }[]>`
      select count(*)::int as count from ${sql(tableOf(supportRequests))} where status = any(${STATUSES_OF_LIST[list]})`,
  ])
  const { rows, next } = paginateRows(found, limit, r => [r.late, r.pressing, r.asked, r.id] satisfies SupportRequestCursor)
  return { rows: rows.map(({ late: _, pressing: __, ...request }) => request), next, total: counted!.count }
}

/** One request with its sender; an empty list if there is none. */
export const supportRequestWithSender = (sql: Sql, request: string) => sql<RequestWithSender[]>`
  select ${withSender(sql)} from (select *, false as late, 0 as pressing from ${sql(tableOf(supportRequests))} where request = ${request}) r
  left join users u on u.id = r.asker`

/** A page of a person's own requests, newest first. */
export async function pageOfOwnSupportRequests(
  sql: Sql,
  user: string,
  { before, limit }: { before?: TimeAndId | undefined; limit: number },
): Promise<PageOfRows<SupportRequest>> {
  const older = before ? sql`and ${olderThanKeySql(sql, sql`r.asked`, sql`r.request`, before)}` : sql``
  const requestRows = await sql<SupportRequest[]>`
    select ${columns(sql)} from ${sql(tableOf(supportRequests))} r where r.asker = ${user} ${older}
    order by r.asked desc, r.request limit ${limit + 1}`
  return paginateRows(requestRows, limit, r => [r.asked, r.id] satisfies TimeAndId)
}

const MAX_LISTED_REQUESTS = 500

/**
 * Up to `MAX_LISTED_REQUESTS` requests, of all statuses or of one. Waiting ones come first; among them, a person's requests beyond
 * `MAX_WAITING_PER_PERSON` come last. Otherwise, requests are in the order of their urgency and then their age.
 */
export const supportRequestsByUrgency = (sql: Sql, status?: SupportRequestStatus) => sql<RequestWithSender[]>`
  select ${columns(sql)}, r.by_system as "bySystem",
    case when u.id is null then null
      else json_build_object('id', u.id, 'name', u.first_name || ' ' || u.last_name, 'email', u.email, 'role', u.role) end as "by"
  from (
    select *, not over and nth > ${MAX_WAITING_PER_PERSON} as late from (
      select *, array_position(array['critical', 'high', 'medium', 'low'], priority) as pressing,
        row_number() over (partition by asker, over order by asked) as nth
      from ${sql(tableOf(supportRequests))}, lateral (select status in ('answered', 'closed') as over) o
      where ${status ? sql`status = any(${OVER.includes(status) ? OVER : STATUSES_OF_LIST.waiting})` : sql`true`}
    ) q
    where ${status ? sql`status = ${status}` : sql`true`}
    -- Names are looked up for those that are listed, not for all.
    order by over, late, pressing, asked limit ${MAX_LISTED_REQUESTS}
  ) r left join users u on u.id = r.asker
  order by r.over, r.late, r.pressing, r.asked`
