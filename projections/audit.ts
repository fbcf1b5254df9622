import type postgres from 'postgres'
import type { AdminEventLogEntry } from '../modules/audit/contract.ts'
import { isTextDeletionEvent } from '../modules/audit/is-text-deletion-event.ts'
import type { AnyEvent } from '../modules/kernel/decider.ts'
import { projection, type TypedEvent, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import { personalTextsByPath, setPersonalTextsInPlace } from '../modules/privacy/get-and-set-texts-by-path.ts'
import { DELETED_TEXT } from '../modules/privacy/policy.ts'
import { isUuid } from '../modules/uuid-validation.ts'
import { folders } from './folders.ts'
import { purchases } from './package-purchases.ts'
import { payments } from './payments.ts'
import { personalTextFields } from './personal-text-fields.ts'
import { supportRequests } from './support-requests.ts'

/** Streams about one person, whose id is part of the stream's name. */
const PERSON_STREAMS = ['account', 'allowance', 'consent', 'payout', 'perks', 'vetting', 'wallet']
/** Event fields that hold a person's id. */
const PERSON_FIELDS = ['payer', 'player', 'instructor', 'guardian', 'former', 'by', 'user', 'friend', 'referrer'] as const

/**
 * The id of the person whom an event is about: the one in its stream's name, or the payer or player in its data; null if there is none.
 * `payer` takes precedence over `player`, because an event about a guardian's payment is about the guardian.
 */
function ownerOf({ stream, data }: TypedEvent<AnyEvent>): string | null {
  const eventData = data as Record<string, unknown>
  const personId = PERSON_STREAMS.includes(stream.slice(0, stream.indexOf('-')))
    ? idOfStream(stream)
    : (eventData.payer ?? eventData.player)
  return isUuid(personId) ? personId : null
}

/** The ids of all people in an event: its author, the owner of its stream, and those in its data. */
function peopleOf(e: TypedEvent<AnyEvent>): string[] {
  const named = PERSON_FIELDS.map(field => (e.data as Record<string, unknown>)[field])
  return [...new Set([e.meta.actor, ownerOf(e), ...named].filter(isUuid))]
}

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
  folder: e.stream.startsWith('folder-') ? idOfStream(e.stream) : 'folder' in e.data ? String(e.data.folder) : null,
  data: e.data as unknown,
  owner: ownerOf(e),
  people: peopleOf(e) as unknown,
})

type Row = ReturnType<typeof entryOf>

const textPathsByType = new Map(personalTextFields.flatMap(table => Object.entries<readonly string[]>(table.fields)))

/**
 * An event's data after its texts were deleted. All other values stay: without an amount or a cause, the sentence about the event would say
 * something untrue.
 */
function withDeletedTexts({ type, data }: Row): unknown {
  const rest = structuredClone(data)
  const paths = Object.keys(personalTextsByPath(rest, textPathsByType.get(type) ?? []))
  setPersonalTextsInPlace(rest, paths, () => DELETED_TEXT)
  return rest
}

/** An event as the log lists it. When the texts in an event are deleted, a sentence that says so replaces each of them. */
const entry = (row: Row | null, e: TypedEvent<AnyEvent>, key: string): Row | null =>
  key === e.id ? entryOf(e) : row && { ...row, data: withDeletedTexts(row) }

/** The event log that administrators read, including automatic events: one row per event. */
export const audit = projection<AnyEvent>()({
  name: 'audit',
  version: 5,
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
    owner: 'uuid?',
    people: 'jsonb',
  },
  index: [
    'position',
    'at',
    'type, position',
    'stream, position',
    'actor, position',
    'folder, position',
    'using gin (people jsonb_path_ops)',
  ],
  key: e => (isTextDeletionEvent(e) ? [e.id, ...e.data.events] : e.id),
  // The proxy returns the handler for every event type, including types that are added later.
  on: new Proxy({} as Record<string, typeof entry>, { get: () => entry }),
})

export interface AuditFilter {
  type?: string
  stream?: string
  /** A person's id or email address, or `system`. */
  actor?: string
  person?: string
  folder?: string
  /** ISO 8601 timestamps: `from` is inclusive, `to` is exclusive. */
  from?: string
  to?: string
  /** Matches only events before this log position. */
  before?: string
}

/** The folders and streams of one person's records. The events in them do not always name the person. */
interface Belongings {
  folders: string[]
  streams: string[]
}
async function belongingsOf(sql: postgres.Sql, person: string): Promise<Belongings> {
  const [row] = await sql<Belongings[]>`
    select array(select folder from ${sql(tableOf(folders))} where player = ${person}) as folders,
      array(
        select 'payment-' || payment from ${sql(tableOf(payments))} where player = ${person} or payer = ${person} or instructor = ${person}
        union all select 'purchase-' || purchase from ${sql(tableOf(purchases))} where player = ${person} or payer = ${person}
        union all select 'request-' || request from ${sql(tableOf(supportRequests))} where asker = ${person}
      ) as streams`
  return row!
}

const idByAddress = (sql: postgres.Sql, table: string, column: string, address: string) =>
  sql`(select id::text from ${sql(table)} where ${sql(column)} = ${address.toLowerCase()})`

/**
 * SQL condition for the events that match a filter, apart from its `person`. The events of a folder are those of its own stream, those that
 * name the folder, and those of its payments.
 */
const matching = (sql: postgres.Sql, f: AuditFilter) => sql`
  true
  ${f.type ? sql`and a.type = ${f.type}` : sql``}
  ${f.stream ? sql`and a.stream = ${f.stream}` : sql``}
  ${f.actor ? sql`and a.actor in (${f.actor}, ${idByAddress(sql, 'users', 'username', f.actor)}, ${idByAddress(sql, 'guardians', 'email', f.actor)})` : sql``}
  ${
    f.folder
      ? sql`and (a.folder = ${f.folder} or a.stream = any(array(select stream from ${sql(tableOf(audit))} where folder = ${f.folder} and stream like 'payment-%')))`
      : sql``
  }
  ${f.from ? sql`and a.at >= ${f.from}::timestamptz` : sql``}
  ${f.to ? sql`and a.at < ${f.to}::timestamptz` : sql``}
  ${f.before ? sql`and a.position < ${f.before}::bigint` : sql``}`

/**
 * SQL query for the positions of the events that match a filter and concern sessions that were assigned to this instructor or requested from
 * them, except events that name the instructor. The sessions come from the log itself, because other read models forget a deleted player's.
 */
const positionsInSessionsOfInstructor = (sql: postgres.Sql, instructor: string, f: AuditFilter) => {
  const table = sql(tableOf(audit))
  const named = JSON.stringify([instructor])
  return sql`
    select a.position from (
      select stream, data ->> 'assignment' as assignment from ${table}
      where people @> ${named}::text::jsonb and type in ('FolderAssigned', 'ApprovalRequested') and data ->> 'instructor' = ${instructor}
    ) own cross join lateral (select * from ${table} where stream = own.stream offset 0) a
    where not a.people @> ${named}::text::jsonb and a.data ->> 'assignment' = own.assignment and ${matching(sql, f)}`
}

/** SQL query for the positions of the events that match a filter. */
const matchingPositions = (sql: postgres.Sql, f: AuditFilter, its: Belongings | undefined) =>
  f.person && its
    ? // Postgres looks up each folder and stream in an index. With a single condition, it would read the whole log for people with a lot of
      // data.
      sql`
        select a.position from ${sql(tableOf(audit))} a where a.people @> ${JSON.stringify([f.person])}::text::jsonb and ${matching(sql, f)}
        union
        select a.position from unnest(${its.folders}::uuid[]) own
          cross join lateral (select * from ${sql(tableOf(audit))} where folder = own offset 0) a where ${matching(sql, f)}
        union
        ${positionsInSessionsOfInstructor(sql, f.person, f)}
        union
        select a.position from unnest(${its.streams}::text[]) own
          cross join lateral (select * from ${sql(tableOf(audit))} where stream = own offset 0) a where ${matching(sql, f)}`
    : sql`select a.position from ${sql(tableOf(audit))} a where ${matching(sql, f)}`

/** A page of the event log, newest first. `next` is the `before` of the next page; null on the last page. */
export async function pageOfAuditEntries(
  sql: postgres.Sql,
  filter: AuditFilter,
  limit: number,
): Promise<{ events: AdminEventLogEntry[]; next: string | null }> {
  const belongings = filter.person ? await belongingsOf(sql, filter.person) : undefined
  const entries = await sql<AdminEventLogEntry[]>`
    with a as (
      select a.*, case when a.actor ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then a.actor::uuid end as person,
        case when a.stream ~ '^(payment|purchase|request)-' then substring(a.stream from '-(.*)$')::uuid end as thing
      from ${sql(tableOf(audit))} a
      where a.position = any(array(
        select position from (${matchingPositions(sql, filter, belongings)}) found order by position desc limit ${limit + 1}
      ))
    ), b as (
      select a.*, coalesce(a.owner, p.payer, c.payer, r.asker, f.player) as whose from a
      left join ${sql(tableOf(payments))} p on p.payment = a.thing left join ${sql(tableOf(purchases))} c on c.purchase = a.thing
      left join ${sql(tableOf(supportRequests))} r on r.request = a.thing left join ${sql(tableOf(folders))} f on f.folder = a.folder
    )
    select b.position::text, b.stream, b.revision::text, b.id, b.type, b.at, b.command, b."commandId", b.actor, b.cause, b.folder, b.data,
      case when u.id is not null then json_build_object('name', u.first_name || ' ' || u.last_name, 'role', u.role)
        when g.id is not null then json_build_object('name', g.name, 'role', 'guardian') end as who,
      case when ou.id is not null then json_build_object('id', ou.id, 'name', ou.first_name || ' ' || ou.last_name)
        when og.id is not null then json_build_object('id', og.id, 'name', og.name) end as about
    from b left join users u on u.id = b.person left join guardians g on g.id = b.person
    left join users ou on ou.id = b.whose left join guardians og on og.id = b.whose
    order by b.position desc`
  const events = entries.slice(0, limit)
  return { events, next: entries.length > limit ? events.at(-1)!.position : null }
}

/** All event types in the log. The query skips from one type to the next in the index, because a plain `distinct` would read every row. */
export async function eventTypesInAuditLog(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ type: string }[]>`
    with recursive types as (
      (select type from ${sql(tableOf(audit))} order by type limit 1)
      union all
      select (select a.type from ${sql(tableOf(audit))} a where a.type > t.type order by a.type limit 1) from types t where t.type is not null
    )
    select type from types where type is not null`
  return rows.map(row => row.type)
}
