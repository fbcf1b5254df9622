import type { Sql } from 'postgres'
import {
  ADMIN_ID,
  FOLDER_COUNT,
  GUARDIAN_COUNT,
  INSTRUCTOR_COUNT,
  MAX_FOLDERS_PER_PLAYER,
  MAX_SESSIONS_PER_INSTRUCTOR,
  PERSON_COUNT,
  SESSION_COUNT,
} from './large-installation-constants.ts'

/** Creates id functions in SQL, and fills the tables of people and accounts. Guardian n looks after player `INSTRUCTOR_COUNT` + n. */
export async function fillAccounts(sql: Sql) {
  await sql.unsafe(`
    create function id_of(what text) returns uuid immutable language sql
      return overlay(overlay(md5(what) placing '4' from 13) placing '8' from 17)::uuid;
    create function person(n int) returns uuid immutable language sql return id_of('person' || n);
    create function guardian(n int) returns uuid immutable language sql return id_of('guardian' || n);
    create function hash(n text) returns bytea immutable language sql return sha256(convert_to(n, 'utf8'));
    create function folder_player(f int) returns uuid immutable language sql
      return person(case when f < ${MAX_FOLDERS_PER_PLAYER} then ${INSTRUCTOR_COUNT} else ${INSTRUCTOR_COUNT} + 1 + f % ${PERSON_COUNT - INSTRUCTOR_COUNT - 1} end);
    create function folder_payer(f int) returns uuid immutable language sql
      return case when f < ${MAX_FOLDERS_PER_PLAYER} then guardian(0) else folder_player(f) end;
    create function session_instructor(s int) returns uuid immutable language sql
      return person(case when s < ${MAX_SESSIONS_PER_INSTRUCTOR} then 0 else 1 + s % ${INSTRUCTOR_COUNT - 1} end)`)
  await fillPeople(sql)
  await fillSignIns(sql)
  await fillBelongings(sql)
}

async function fillPeople(sql: Sql) {
  await sql`
    insert into users (id, role, username, email, password, first_name, last_name, phone, born, referral_code, command, created)
    select person(n), case when n < ${INSTRUCTOR_COUNT} then 'instructor' else 'player' end, 'person' || n || '@example.com',
      'person' || n || '@example.com', '-', 'First' || n, 'Last' || n % 1000, '+1 555 ' || lpad(n::text, 7, '0'),
      case when n >= ${INSTRUCTOR_COUNT} and n < ${INSTRUCTOR_COUNT + GUARDIAN_COUNT} then '2012-05-01' else '1995-05-01' end::date,
      case when n % 10 = 9 then 'r' || ${INSTRUCTOR_COUNT} + n % 5000 end, id_of('command' || n), '2025-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(0, ${PERSON_COUNT - 1}::int) n`
  await sql`
    insert into users (id, role, username, email, password, first_name, last_name, command, created)
    values (${ADMIN_ID}, 'admin', 'ada@example.com', 'ada@example.com', '-', 'Ada', 'Admin', gen_random_uuid(), '2025-01-01')`
  await sql`
    insert into guardians (id, email, name, created)
    select guardian(n), 'guardian' || n || '@example.com', 'Parent' || n || ' Last' || n % 10000, '2025-01-01'
    from generate_series(0, ${GUARDIAN_COUNT - 1}::int) n`
  await sql`
    insert into guardianships (guardian, player, name, since, agreed, consent, answered)
    select guardian(n), person(${INSTRUCTOR_COUNT} + n), 'Parent' || n, '2025-01-02', case when n % 50 <> 1 then '2025-01-03'::timestamptz end,
      case when n % 50 <> 1 then 'given' end, case when n % 50 <> 1 then '2025-01-03'::timestamptz end
    from generate_series(0, ${GUARDIAN_COUNT - 1}::int) n`
  await sql`
    insert into instructors (id, slug, sports, skills, invite_code)
    select person(n), 'person-' || n, '{baseball}', '{hitting}', 'C' || n from generate_series(0, ${INSTRUCTOR_COUNT - 1}::int) n`
  await sql`insert into former_slugs (slug, instructor) select 'former-' || n, person(n % ${INSTRUCTOR_COUNT}) from generate_series(0, 999) n`
  await sql`
    insert into connections (player, instructor, since)
    select distinct folder_player(s), session_instructor(s), '2025-06-01'::timestamptz from generate_series(0, ${SESSION_COUNT - 1}::int) s`
  await sql`
    insert into follows (player, instructor, since)
    select person(${INSTRUCTOR_COUNT} + n), person(n % ${INSTRUCTOR_COUNT}), '2025-06-01' from generate_series(0, 49999) n`
}

async function fillSignIns(sql: Sql) {
  await sql`
    insert into sessions (id, token, owner, device, started, last_used, expires)
    select id_of('sign-in' || n), hash('sign-in' || n), person(n % ${PERSON_COUNT}), 'Firefox on Windows', '2026-05-01', '2026-05-20', '2026-07-01'
    from generate_series(0, ${2 * PERSON_COUNT - 1}::int) n`
  await sql`
    insert into sessions (id, token, guardian, device, started, last_used, expires)
    select id_of('family' || n), hash('family' || n), guardian(n), 'Safari on iPhone', '2026-05-01', '2026-05-20', '2026-07-01'
    from generate_series(0, ${GUARDIAN_COUNT - 1}::int) n`
  await sql`
    insert into devices (token, owner, last_used)
    select hash('device' || n), person(n % ${PERSON_COUNT}), '2026-05-20' from generate_series(0, ${2 * PERSON_COUNT - 1}::int) n`
  await sql`
    insert into links (id, kind, hash, token, owner, guardian, email, expires)
    select id_of('link' || n), k.kind, hash('link' || n), null, case when k.kind <> 'family-letter' then person(n % ${PERSON_COUNT}) end,
      case when k.kind = 'family-letter' then guardian(n % ${GUARDIAN_COUNT}) end, 'person' || n || '@example.com', '2026-07-01'
    from generate_series(0, 49999) n, lateral (
      select (array['reset-password', 'change-email', 'guardian', 'family-letter', 'restore-email'])[1 + n % 5] as kind
    ) k`
  await sql`
    insert into leads (email, metadata, created) select 'lead' || n || '@example.com', '{}', '2026-05-01' from generate_series(0, 19999) n`
  await sql`
    insert into letter_readers (person, token) select person(n), 'reader' || n from generate_series(0, ${PERSON_COUNT - 1}::int) n
    union all select guardian(n), 'family-reader' || n from generate_series(0, ${GUARDIAN_COUNT - 1}::int) n`
  await sql`
    insert into letter_fates (letter, recipient_hash, fate, at)
    select 'errand' || n * 3, hash('person' || n % ${PERSON_COUNT} || '@example.com'), case when n % 50 = 0 then 'bounced' else 'delivered' end,
      '2025-06-01'::timestamptz + n * interval '5 minutes'
    from generate_series(0, 99999) n`
}

async function fillBelongings(sql: Sql) {
  await sql`
    insert into player_traits (player, bats, throws, level)
    select person(n), 'right', 'right', 'youth' from generate_series(${INSTRUCTOR_COUNT}::int, ${PERSON_COUNT - 1}::int) n`
  await sql`
    insert into referral_codes (code, player) select 'R' || n, person(n) from generate_series(${INSTRUCTOR_COUNT}::int, ${PERSON_COUNT - 1}::int) n`
  await sql`
    insert into phrases (id, instructor, text, kind, written)
    select id_of('phrase' || n), person(n % ${INSTRUCTOR_COUNT}), 'Stay behind the ball', 'tip', '2026-01-01' from generate_series(0, 99999) n`
  await sql`
    insert into drafts (assignment, instructor, revision, draft, saved)
    select id_of('session' || s), session_instructor(s), 3, '{"notes": [], "summary": "", "grades": []}', '2026-05-20'
    from generate_series(0, ${SESSION_COUNT - 1}::int, 10) s`
  await sql`
    insert into held_deliveries (assignment, id, folder, instructor, due)
    select id_of('session' || s), id_of('delivery' || s), id_of('folder' || s), session_instructor(s), '2026-06-01'
    from generate_series(0, ${SESSION_COUNT - 1}::int, 5000) s`
  await sql`
    insert into review_links (id, hash, player, folder, session, name, created, expires)
    select id_of('review-link' || s), hash('review-link' || s), folder_player(s), id_of('folder' || s), id_of('session' || s),
      'Grandma', '2026-05-01', '2026-07-01'
    from generate_series(7, ${SESSION_COUNT - 1}::int, 10) s`
  await sql`
    insert into uploads (id, folder, player, name, type, bytes, fingerprint, part_bytes, multipart, status, started, touched)
    select id_of('video' || f), id_of('folder' || f), folder_player(f), 'swing.mp4', 'video/mp4', 1000000, '-', 5000000, 'upload' || f,
      case when f % 1000 = 7 then 'uploading' else 'done' end, '2026-01-01', '2026-01-01'
    from generate_series(0, ${FOLDER_COUNT - 1}::int) f`
  await sql`
    insert into media_work (video, kind, folder, key, type, bytes, state, player, asked)
    select id_of('video' || f), 'rendition', id_of('folder' || f), 'videos/' || f, 'video/mp4', 1000000,
      case when f % 20000 = 0 then 'refused' else 'ready' end, folder_player(f), '2026-01-01'
    from generate_series(0, ${FOLDER_COUNT - 1}::int) f`
  await sql`
    insert into errands (id, kind, payload, asked, due, done, failed, error)
    select 'errand' || n, case when n % 3 = 0 then 'letter.feedback' else 'payment.share' end, jsonb_build_object('user', person(n % ${PERSON_COUNT})), at, at,
      case when n % 10000 <> 0 then at end, case when n % 10000 = 0 then at end, case when n % 10000 = 0 then 'no answer' end
    from generate_series(0, 299999) n, lateral (select '2025-06-01'::timestamptz + n * interval '1 minute' as at) a`
}
