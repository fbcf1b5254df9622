import type { Sql } from 'postgres'
import { tableOf } from '../../modules/kernel/projection.ts'
import { approvals } from '../../projections/approvals.ts'
import { assignments } from '../../projections/assignments.ts'
import { folders } from '../../projections/folders.ts'
import { modelLibraries } from '../../projections/model-libraries.ts'
import { purchases } from '../../projections/package-purchases.ts'
import { payments } from '../../projections/payments.ts'
import { payoutAccountOwners } from '../../projections/payout-account-owners.ts'
import { progress } from '../../projections/progress.ts'
import { ratings } from '../../projections/ratings.ts'
import { responseTimes } from '../../projections/response-times.ts'
import { story } from '../../projections/story.ts'
import { supportRequests } from '../../projections/support-requests.ts'
import { vettings } from '../../projections/vetting.ts'
import { ADMIN_ID, FOLDER_COUNT, INSTRUCTOR_COUNT, PERSON_COUNT, PURCHASE_COUNT, SESSION_COUNT } from './large-installation-constants.ts'

/** Fills the read models, except for the audit, by SQL alone: without events, and with the functions that `fillAccounts` creates. */
export async function insertSyntheticReadModelRows(sql: Sql) {
  await fillInstructors(sql)
  await fillFolders(sql)
  await fillMoney(sql)
  await sql`
    insert into ${sql(tableOf(supportRequests))} (request, asker, request_type, content, priority, status, by_system, answers, asked)
    select id_of('request' || n), person(n * 7 % ${PERSON_COUNT}), 'bug', 'The video of swing ' || n || ' does not play', 'low',
      case when n % 50 = 0 then 'open' else 'closed' end, false, '[]', '2025-06-01'::timestamptz + n * interval '10 minutes'
    from generate_series(0, 39999) n`
}

/** SQL condition that holds for the sessions that this file has inserted, and not for those that the database had before. */
const isFilled = (sql: Sql) => sql`assignment = id_of('session' || position)`

async function fillInstructors(sql: Sql) {
  await sql`
    insert into ${sql(tableOf(vettings))} (instructor, status, decided, email_confirmed, leaving, closed, checks)
    select person(n), case when n % 10 = 9 then 'pending' else 'approved' end, '2025-02-01'::timestamptz + n * interval '1 hour', true, false, false,
      jsonb_build_array(jsonb_build_object('kind', 'identity', 'checked', '2025-02-01', 'reference', 'r', 'by', ${ADMIN_ID}::text,
        'recorded', '2025-02-01T00:00:00.000Z', 'expires', case when n % 50 = 0 then '2026-06-15' else '2027-06-15' end))
    from generate_series(0, ${INSTRUCTOR_COUNT - 1}::int) n`
  await sql`
    insert into ${sql(tableOf(modelLibraries))} (instructor, clips)
    select person(n), (
      select jsonb_agg(jsonb_build_object('title', 'Follow-through', 'reviews', 1, 'isRemoved', false,
        'video', jsonb_build_object('id', id_of('model' || n || '-' || c), 'name', 'model.mp4')))
      from generate_series(1, 20) c
    ) from generate_series(0, ${INSTRUCTOR_COUNT - 1}::int) n`
  await sql`
    insert into ${sql(tableOf(payoutAccountOwners))} (account, instructor) select 'acct_' || n, person(n) from generate_series(0, ${INSTRUCTOR_COUNT - 1}::int) n`
}

async function fillFolders(sql: Sql) {
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
  await sql`
    insert into ${sql(tableOf(folders))} (folder, player, name, status, assignment, instructor, clips, created, updated)
    select id_of('folder' || f), folder_player(f), 'Swings of week ' || f, 'paid', id_of('session' || f), session_instructor(f),
      jsonb_build_array(jsonb_build_object('id', id_of('video' || f), 'name', 'swing.mp4', 'type', 'video/mp4', 'bytes', 1000000, 'added', '2026-01-01T00:00:00.000Z')),
      at, at
    from generate_series(0, ${FOLDER_COUNT - 1}::int) f, lateral (select '2025-06-01'::timestamptz + f * interval '2 minutes' as at) a`
  await sql`
    insert into ${sql(tableOf(assignments))} (assignment, folder, player, instructor, guardian_payer, position, status, message, videos, assigned, given, review)
    select id_of('session' || s), id_of('folder' || s), folder_player(s), session_instructor(s), nullif(folder_payer(s), folder_player(s)), s,
      case when s % 100 = 0 then 'assigned' when s % 100 = 1 then 'feedback-given' else 'paid' end, 'What do you see?',
      jsonb_build_array(id_of('video' || s)), at, case when s % 100 <> 0 then at + interval '1 day' end,
      case when s % 100 <> 0 then ${review}::text::jsonb end
    from generate_series(0, ${SESSION_COUNT - 1}::int) s, lateral (select '2025-06-01'::timestamptz + s * interval '2 minutes' as at) a`
  await sql`
    insert into ${sql(tableOf(progress))} (assignment, folder, player, instructor, videos, assigned, position, given, grades, goals, checkpoints)
    select assignment, folder, player, instructor, videos, position, position, given, coalesce(review -> 'grades', '[]'), '[]',
      coalesce(review -> 'checkpoints', '[]') from ${sql(tableOf(assignments))} where ${isFilled(sql)}`
  await sql`
    insert into ${sql(tableOf(responseTimes))} (assignment, instructor, assigned, given) select assignment, instructor, assigned, given from ${sql(tableOf(assignments))} where ${isFilled(sql)}`
  await sql`
    insert into ${sql(tableOf(story))} (folder, chapters)
    select id_of('folder' || f), jsonb_build_array(
      jsonb_build_object('at', '2025-06-01T00:00:00.000Z', 'type', 'FolderCreated', 'by', folder_player(f), 'detail', '{"name": "Swings"}'::jsonb),
      jsonb_build_object('at', '2025-06-01T00:00:00.000Z', 'type', 'FolderAssigned', 'by', folder_player(f),
        'detail', jsonb_build_object('assignment', id_of('session' || f), 'instructor', session_instructor(f))))
    from generate_series(0, ${FOLDER_COUNT - 1}::int) f`
  await sql`
    insert into ${sql(tableOf(ratings))} (session, folder, player, instructor, stars, comment, rater, rated, until)
    select assignment, folder, player, instructor, 4, 'Very clear.', 'player', given, given + interval '30 days'
    from ${sql(tableOf(assignments))} where given is not null and position % 2 = 0 and ${isFilled(sql)}`
  await sql`
    insert into ${sql(tableOf(approvals))} (assignment, folder, player, instructor, status, quote, videos, asked)
    select assignment, folder, player, instructor, case when position % 100 = 7 then 'pending' else 'approved' end, '{}', 1,
      assigned + interval '1 hour'
    from ${sql(tableOf(assignments))} where position % 5 = 2 and ${isFilled(sql)}`
}

async function fillMoney(sql: Sql) {
  await sql`
    insert into ${sql(tableOf(payments))} (payment, folder, player, instructor, payer, status, items, total, share, tip, charged, refunded, refunding, disputes, opened, due, paid, transferred, netted, owed)
    select assignment, folder, player, instructor, folder_payer(position::int), case when status = 'paid' then 'paid' else 'due' end, '[]', 1550, 1240, 0,
      case when status = 'paid' then 1550 else 0 end, 0, '[]', '{}', given, given + interval '7 days',
      case when status = 'paid' then given end, case when status = 'paid' then given end, 0, 0
    from ${sql(tableOf(assignments))} where given is not null and ${isFilled(sql)}`
  await sql`
    insert into ${sql(tableOf(purchases))} (purchase, player, payer, package, folders, amount, bought, refunds, disputes)
    select id_of('purchase' || n), folder_player(n), folder_payer(n), 'triple', 3, 4200, '2025-06-02'::timestamptz + n * interval '5 minutes', '{}', '{}'
    from generate_series(0, ${PURCHASE_COUNT - 1}::int) n`
}
