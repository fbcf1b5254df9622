import type { Sql } from 'postgres'
import { tableOf } from '../../modules/kernel/projection.ts'
import { audit } from '../../projections/audit.ts'
import { EVENT_COUNT } from './large-installation-constants.ts'

/** SQL: the type of event n. Seven events of one folder and its payment follow each other, one event every 30 seconds. */
const typeOf = (sql: Sql) =>
  sql`(array['FolderCreated', 'VideoAdded', 'FolderAssigned', 'ReviewStarted', 'FeedbackGiven', 'FolderPaid', 'PaymentSucceeded'])[1 + n % 7]`
const streamOf = (sql: Sql) =>
  sql`case when n % 7 = 6 then 'payment-' || id_of('session' || n / 7) else 'folder-' || id_of('folder' || n / 7) end`
const revisionOf = (sql: Sql) => sql`case when n % 7 = 6 then 0 else n % 7 end`
const timeOf = (sql: Sql) => sql`'2025-06-01'::timestamptz + n * interval '30 seconds'`

/** Fills the audit table with the events that `fillLog` writes. */
export const fillAudit = (sql: Sql) => sql`
  insert into ${sql(tableOf(audit))} (id, position, stream, revision, type, at, command, "commandId", actor, folder, data, owner, people)
  select id_of('event' || n), n, ${streamOf(sql)}, ${revisionOf(sql)}, ${typeOf(sql)}, ${timeOf(sql)}, 'folder.any', 'c' || n,
    folder_player(n / 7)::text, id_of('folder' || n / 7), '{"name": "Swings"}', folder_player(n / 7),
    jsonb_build_array(folder_player(n / 7), session_instructor(n / 7))
  from generate_series(0, ${EVENT_COUNT - 1}::int) n`

/** Fills the empty event log and its hash chain. */
export async function fillLog(sql: Sql) {
  await sql`
    insert into events (position, stream, revision, id, type, data, meta, at)
    select n, ${streamOf(sql)}, ${revisionOf(sql)}, id_of('event' || n), ${typeOf(sql)}, '{"name": "Swings"}',
      json_build_object('name', 'folder.any', 'command', 'c' || n, 'actor', folder_player(n / 7)), ${timeOf(sql)}
    from generate_series(0, ${EVENT_COUNT - 1}::int) n`
  await sql`update head set position = ${EVENT_COUNT - 1}`
  await sql`
    insert into audit_chain (position, event, data_hash, hash)
    select position, id, md5('data' || position), md5('chain' || position) from events`
}
