import { createHash } from 'node:crypto'
import type { Sql } from 'postgres'
import { tableOf } from '../../modules/kernel/projection.ts'
import { assignments } from '../../projections/assignments.ts'
import { audit } from '../../projections/audit.ts'
import { folders } from '../../projections/folders.ts'
import { purchases } from '../../projections/package-purchases.ts'
import { payments } from '../../projections/payments.ts'
import { progress } from '../../projections/progress.ts'
import { responseTimes } from '../../projections/response-times.ts'
import { supportRequests } from '../../projections/support.ts'
import { vettings } from '../../projections/vetting.ts'

const PEOPLE = 100_000
const INSTRUCTORS = 5000
const GUARDIANS = 30_000
const FOLDERS = 150_000
const SESSIONS = 150_000
const PURCHASES = 60_000
const EVENTS = 500_000
/** The largest number of folders of one player, and of one instructor. */
const MAX_FOLDERS_PER_PLAYER = 300
const MAX_SESSIONS_PER_INSTRUCTOR = 5000

/** The UUID of something, as the SQL function `id_of` computes it. */
const idOf = (what: string) =>
  createHash('md5')
    .update(what)
    .digest('hex')
    .replace(/(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
export const HEAVY_PLAYER = idOf('person5000')
export const HEAVY_INSTRUCTOR = idOf('person0')
export const HEAVY_FOLDER = idOf('folder7')
export const HEAVY_SESSION = idOf('session7')

/**
 * Fills the tables of people and read models as in an installation with 100,000 people, by SQL alone. The people with the lowest numbers
 * are instructors.
 */
export async function fillReadModels(sql: Sql) {
  const t = (model: Parameters<typeof tableOf>[0]) => sql(tableOf(model))
  // Not the sessions that the database had before.
  const filled = sql`assignment = id_of('session' || position)`
  const review = JSON.stringify({
    summary: 'Good load, late hands. '.repeat(20),
    notes: Array.from({ length: 12 }, (_, i) => ({
      id: i,
      at: i * 300,
      kind: 'technique',
      text: 'Let the ball travel a little deeper. '.repeat(2),
    })),
    grades: [{ skill: 'hitting', grade: 55 }],
    checkpoints: [{ skill: 'hitting', name: 'contact', video: 'v', at: 900 }],
  })
  await sql.unsafe(`
    create function id_of(what text) returns uuid immutable language sql
      return overlay(overlay(md5(what) placing '4' from 13) placing '8' from 17)::uuid;
    create function person(n int) returns uuid immutable language sql return id_of('person' || n);
    create function folder_player(f int) returns uuid immutable language sql
      return person(case when f < ${MAX_FOLDERS_PER_PLAYER} then ${INSTRUCTORS} else ${INSTRUCTORS} + 1 + f % ${PEOPLE - INSTRUCTORS - 1} end);
    create function session_instructor(s int) returns uuid immutable language sql
      return person(case when s < ${MAX_SESSIONS_PER_INSTRUCTOR} then 0 else 1 + s % ${INSTRUCTORS - 1} end)`)
  await sql`
    insert into users (id, role, username, email, password, first_name, last_name, command, created)
    select person(n), case when n < ${INSTRUCTORS} then 'instructor' else 'player' end, 'person' || n || '@example.com',
      'person' || n || '@example.com', '-', 'First' || n, 'Last' || n % 1000, id_of('command' || n), '2025-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(0, ${PEOPLE - 1}::int) n`
  await sql`
    insert into guardians (id, email, name, created)
    select id_of('guardian' || n), 'guardian' || n || '@example.com', 'Parent' || n || ' Last' || n % 10000, '2025-01-01'
    from generate_series(0, ${GUARDIANS - 1}::int) n`
  await sql`
    insert into instructors (id, slug, sports, skills, invite_code)
    select person(n), 'person-' || n, '{baseball}', '{hitting}', 'C' || n from generate_series(0, ${INSTRUCTORS - 1}::int) n`
  await sql`
    insert into ${t(vettings)} (instructor, status, email_confirmed, checks)
    select person(n), case when n % 10 = 9 then 'pending' else 'approved' end, true, '[]' from generate_series(0, ${INSTRUCTORS - 1}::int) n`
  await sql`
    insert into ${t(folders)} (folder, player, name, status, assignment, instructor, clips, created, updated)
    select id_of('folder' || f), folder_player(f), 'Swings of week ' || f, 'paid', id_of('session' || f), session_instructor(f),
      jsonb_build_array(jsonb_build_object('id', id_of('video' || f), 'name', 'swing.mp4', 'type', 'video/mp4', 'bytes', 1000000, 'added', '2026-01-01T00:00:00.000Z')),
      at, at
    from generate_series(0, ${FOLDERS - 1}::int) f, lateral (select '2025-06-01'::timestamptz + f * interval '2 minutes' as at) a`
  await sql`
    insert into ${t(assignments)} (assignment, folder, player, instructor, position, status, message, videos, assigned, given, review)
    select id_of('session' || s), id_of('folder' || s), folder_player(s), session_instructor(s), s,
      case when s % 100 = 0 then 'assigned' when s % 100 = 1 then 'feedback-given' else 'paid' end, 'What do you see?',
      jsonb_build_array(id_of('video' || s)), at, case when s % 100 <> 0 then at + interval '1 day' end,
      case when s % 100 <> 0 then ${review}::text::jsonb end
    from generate_series(0, ${SESSIONS - 1}::int) s, lateral (select '2025-06-01'::timestamptz + s * interval '2 minutes' as at) a`
  await sql`
    insert into ${t(progress)} (assignment, folder, player, instructor, videos, assigned, position, given, grades, goals, checkpoints)
    select assignment, folder, player, instructor, videos, position, position, given, coalesce(review -> 'grades', '[]'), '[]',
      coalesce(review -> 'checkpoints', '[]') from ${t(assignments)} where ${filled}`
  await sql`
    insert into ${t(responseTimes)} (assignment, instructor, assigned, given) select assignment, instructor, assigned, given from ${t(assignments)} where ${filled}`
  await sql`
    insert into ${t(payments)} (payment, folder, player, instructor, payer, status, items, total, share, tip, charged, refunded, refunding, disputes, opened, due, paid, transferred, netted, owed)
    select assignment, folder, player, instructor, player, case when status = 'paid' then 'paid' else 'due' end, '[]', 1550, 1240, 0,
      case when status = 'paid' then 1550 else 0 end, 0, '[]', '{}', given, given + interval '7 days',
      case when status = 'paid' then given end, case when status = 'paid' then given end, 0, 0
    from ${t(assignments)} where given is not null and ${filled}`
  await sql`
    insert into ${t(purchases)} (purchase, player, payer, package, folders, amount, bought, refunds, disputes)
    select id_of('purchase' || n), folder_player(n), folder_player(n), 'triple', 3, 4200, '2025-06-02'::timestamptz + n * interval '5 minutes', '{}', '{}'
    from generate_series(0, ${PURCHASES - 1}::int) n`
  await sql`
    insert into ${t(supportRequests)} (request, asker, request_type, content, priority, status, by_system, asked)
    select id_of('request' || n), person(n * 7 % ${PEOPLE}), 'bug', 'The video of swing ' || n || ' does not play', 'low',
      case when n % 50 = 0 then 'open' else 'closed' end, false, '2025-06-01'::timestamptz + n * interval '10 minutes'
    from generate_series(0, 39999) n`
  await sql`
    insert into errands (id, kind, payload, asked, due, done, failed)
    select 'errand' || n, case when n % 3 = 0 then 'letter.feedback' else 'payment.share' end, jsonb_build_object('user', person(n % ${PEOPLE})), at, at,
      case when n % 10000 <> 0 then at end, case when n % 10000 = 0 then at end
    from generate_series(0, 299999) n, lateral (select '2025-06-01'::timestamptz + n * interval '1 minute' as at) a`
  await sql`
    insert into media_work (video, kind, folder, key, type, bytes, state, player, asked)
    select id_of('video' || f), 'rendition', id_of('folder' || f), 'videos/' || f, 'video/mp4', 1000000,
      case when f % 20000 = 0 then 'refused' else 'ready' end, folder_player(f), '2026-01-01'
    from generate_series(0, ${FOLDERS - 1}::int) f`
  await sql`
    insert into ${t(audit)} (id, position, stream, revision, type, at, command, "commandId", actor, folder, data, owner, people)
    select id_of('event' || n), n, 'folder-' || id_of('folder' || n % ${FOLDERS}), n / ${FOLDERS},
      (array['FolderCreated', 'VideoAdded', 'FolderAssigned', 'ReviewStarted', 'FeedbackGiven', 'FolderPaid'])[1 + n % 6],
      '2025-06-01'::timestamptz + n * interval '1 minute', 'folder.any', 'c' || n, folder_player(n % ${FOLDERS})::text,
      id_of('folder' || n % ${FOLDERS}), '{"name": "Swings"}', folder_player(n % ${FOLDERS}),
      jsonb_build_array(folder_player(n % ${FOLDERS}), session_instructor(n % ${SESSIONS}))
    from generate_series(0, ${EVENTS - 1}::int) n`
  // Autovacuum does the same in a database that runs: without it, GIN indexes would keep all of these rows in their unsorted pending lists.
  await sql`vacuum analyze`
}
