import type postgres from 'postgres'
import type { AuditEntry } from '../modules/audit/contract.ts'
import type { AnyEvent } from '../modules/kernel/decider.ts'
import { projection, type TypedEvent, tableOf } from '../modules/kernel/projection.ts'
import { idOf } from '../modules/kernel/store.ts'

const entryOf = (e: TypedEvent<AnyEvent>) => ({
  id: e.id,
  position: e.position,
  stream: e.stream,
  revision: e.revision,
  type: e.type,
  at: e.at,
  command: e.meta.name,
  commandId: e.meta.command,
  actor: e.meta.actor,
  cause: e.meta.cause ?? null,
  folder: e.stream.startsWith('folder-') ? idOf(e.stream) : 'folder' in e.data ? String(e.data.folder) : null,
  data: e.data as unknown,
})

/** Events that delete the words of other events, and name these. */
const isDeletion = (e: { type: string; data: object }): e is { type: string; data: { events: string[] } } =>
  e.type === 'PersonForgotten' || e.type === 'SupportRequestDeleted'

type Row = ReturnType<typeof entryOf>

/** An event as it is listed. Of an event whose words are deleted with their person, it stays what happened and when. */
const entry = (row: Row | null, e: TypedEvent<AnyEvent>, key: string): Row | null =>
  key === e.id ? entryOf(e) : row && { ...row, data: {} }

/** Every event there is, whoever wrote it: one row an event. */
export const audit = projection<AnyEvent>()({
  name: 'audit',
  version: 1,
  row: {
    id: 'uuid',
    position: 'bigint',
    stream: 'text',
    revision: 'bigint',
    type: 'text',
    at: 'timestamptz',
    command: 'text',
    commandId: 'text',
    actor: 'text',
    cause: 'text?',
    folder: 'uuid?',
    data: 'jsonb',
  },
  index: ['position', 'type, position', 'stream, position', 'actor, position', 'folder, position'],
  key: e => (isDeletion(e) ? [e.id, ...e.data.events] : e.id),
  // Also the types that nobody has thought of yet.
  on: new Proxy({} as Record<string, typeof entry>, { get: () => entry }),
})

export interface AuditFilter {
  type?: string
  stream?: string
  /** A person's id or e-mail address, or `system`. */
  actor?: string
  folder?: string
  /** Moments, ISO 8601: from the first until just before the second. */
  from?: string
  to?: string
  /** Position to page on from. */
  before?: string
}

/** A folder's events are those of its stream and of its payments. */
const matching = (sql: postgres.Sql, f: AuditFilter) => sql`
  true
  ${f.type ? sql`and a.type = ${f.type}` : sql``}
  ${f.stream ? sql`and a.stream = ${f.stream}` : sql``}
  ${f.actor ? sql`and a.actor = coalesce((select id::text from users where username = ${f.actor.toLowerCase()}), ${f.actor})` : sql``}
  ${
    f.folder
      ? sql`and (a.folder = ${f.folder} or a.stream in (select stream from ${sql(tableOf(audit))} where folder = ${f.folder} and stream like 'payment-%'))`
      : sql``
  }
  ${f.from ? sql`and a.at >= ${f.from}::timestamptz` : sql``}
  ${f.to ? sql`and a.at < ${f.to}::timestamptz` : sql``}
  ${f.before ? sql`and a.position < ${f.before}::bigint` : sql``}`

/** The log, newest first. `next` is the `before` of the following page. */
export async function eventsOf(
  sql: postgres.Sql,
  filter: AuditFilter,
  limit: number,
): Promise<{ events: AuditEntry[]; next: string | null }> {
  const found = await sql<AuditEntry[]>`
    with a as (
      select a.*, case when a.actor ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then a.actor::uuid end as person from ${sql(tableOf(audit))} a
      where ${matching(sql, filter)} order by a.position desc limit ${limit + 1}
    )
    select a.position::text, a.stream, a.revision::text, a.id, a.type, a.at, a.command, a."commandId", a.actor, a.cause, a.folder, a.data,
      case when u.id is not null then json_build_object('name', u.first_name || ' ' || u.last_name, 'role', u.role)
        when g.id is not null then json_build_object('name', g.name, 'role', 'guardian') end as who
    from a left join users u on u.id = a.person left join guardians g on g.id = a.person order by a.position desc`
  const events = found.slice(0, limit)
  return { events, next: found.length > limit ? events.at(-1)!.position : null }
}

/** The types of event there are: hops from one to the next, as a plain distinct would read every row. */
export async function typesOf(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ type: string }[]>`
    with recursive types as (
      (select type from ${sql(tableOf(audit))} order by type limit 1)
      union all
      select (select a.type from ${sql(tableOf(audit))} a where a.type > t.type order by a.type limit 1) from types t where t.type is not null
    )
    select type from types where type is not null`
  return rows.map(row => row.type)
}
