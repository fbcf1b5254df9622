import type postgres from 'postgres'
import { CommandRefused } from '../kernel/store.ts'
import type { ProfileChange } from './contract.ts'
import { MAX_FORMER_SLUGS } from './policy.ts'
import { isReservedSlug, newInviteCode } from './slugs-and-invite-codes.ts'

const channel = 'profiles_changed'

/** Tells every process that the pages of these profiles, and the list of all profiles, are outdated. */
export const invalidateProfilePages = (db: postgres.ISql, slugs: (string | null)[]) =>
  db`select pg_notify(${channel}, ${slugs.filter(Boolean).join(' ')})`

/** Tells every process that one instructor's pages are outdated. Does nothing if this person is not an instructor. */
export async function invalidateProfilePagesOf(db: postgres.ISql, instructor: string): Promise<void> {
  const [profile] = await db<{ slug: string | null }[]>`select slug from instructors where id = ${instructor}`
  if (profile) await invalidateProfilePages(db, [profile.slug])
}

/** Calls `drop` with the slugs that changed, or with null when changes may have been missed. */
export const onProfilePagesInvalidated = (sql: postgres.Sql, drop: (slugs: string[] | null) => void) =>
  sql.listen(
    channel,
    payload => drop(payload.split(' ')),
    () => drop(null),
  )

/** SQL condition for queries of `instructors i`: whether the profile is complete. Incomplete profiles are not listed. */
export const hasCompleteProfileSql = (db: postgres.ISql) =>
  db`i.slug is not null and cardinality(i.sports) > 0 and cardinality(i.skills) > 0`

/** Why a profile cannot have this slug, or null if it can. */
export async function slugProblem(db: postgres.ISql, slug: string, instructor: string): Promise<string | null> {
  if (isReservedSlug(slug)) return 'This address is reserved. Choose another.'
  const rows = await db`
    select 1 from instructors where slug = ${slug} and id <> ${instructor}
    union select 1 from former_slugs where slug = ${slug} and instructor <> ${instructor}`
  return rows.length ? 'This address is taken. Choose another.' : null
}

/** Saves a profile; its old slug will redirect to the new one. @throws CommandRefused if the slug is taken, reserved or over the limit */
export async function saveProfileAndSlug(sql: postgres.Sql, id: string, change: ProfileChange) {
  await sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtext('slugs'))`
    const problem = await slugProblem(tx, change.slug, id)
    if (problem) throw new CommandRefused(problem, 'slug-taken', 'slug')
    const [before] = await tx<{ slug: string | null }[]>`select slug from instructors where id = ${id} for update`
    const old = before?.slug ?? null
    if (old && old !== change.slug) {
      const [kept] = await tx<{ count: number }[]>`
        select count(*)::int as count from former_slugs where instructor = ${id} and slug <> ${change.slug}`
      if (kept!.count >= MAX_FORMER_SLUGS) {
        throw new CommandRefused(
          `Your page has had ${MAX_FORMER_SLUGS + 1} addresses, which all stay yours. Choose one of those, or leave it as it is.`,
          'too-many-slugs',
          'slug',
        )
      }
      await tx`insert into former_slugs (slug, instructor) values (${old}, ${id}) on conflict (slug) do update set instructor = ${id}`
    }
    await tx`delete from former_slugs where slug = ${change.slug}`
    await tx`update instructors set slug = ${change.slug}, sports = ${[...new Set(change.type)]}, skills = ${[...new Set(change.skills)]},
      about = ${change.about}, experience = ${change.experience} where id = ${id}`
    await invalidateProfilePages(tx, [old, change.slug])
  })
}

/**
 * Connects a player with an instructor, or makes the player a follower. Idempotent.
 * @returns false if the instructor does not exist or the profile is incomplete
 */
export async function addConnectionOrFollow(
  db: postgres.ISql,
  as: 'connections' | 'follows',
  player: string,
  instructor: string,
  now: Date,
) {
  const [row] = await db<{ slug: string }[]>`select slug from instructors i where id = ${instructor} and ${hasCompleteProfileSql(db)}`
  if (!row) return false
  await db`insert into ${db(as)} (player, instructor, since) values (${player}, ${instructor}, ${now}) on conflict do nothing`
  if (as === 'follows') await invalidateProfilePages(db, [row.slug])
  return true
}
export async function removeConnectionOrFollow(db: postgres.ISql, as: 'connections' | 'follows', player: string, instructor: string) {
  await db`delete from ${db(as)} where player = ${player} and instructor = ${instructor}`
  // The profile page shows the number of followers, so the cached page is outdated.
  if (as === 'follows') await invalidateProfilePagesOf(db, instructor)
}

/** Whether the instructor exists and has a complete profile. */
export async function isProfileComplete(db: postgres.ISql, instructor: string): Promise<boolean> {
  return (await db`select 1 from instructors i where id = ${instructor} and ${hasCompleteProfileSql(db)}`).length > 0
}

/** The id of the instructor with this invite code, in upper or lower case; null if no instructor has it. */
export async function instructorIdByInviteCode(db: postgres.ISql, code: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`select id from instructors where invite_code = ${code.trim().toUpperCase()}`
  return row?.id ?? null
}
/** Whether `code` is this instructor's current invite code. */
export const isInviteCodeOfInstructor = async (db: postgres.ISql, code: string | undefined, instructor: string): Promise<boolean> =>
  code !== undefined && (await instructorIdByInviteCode(db, code)) === instructor

export async function isConnectedWithInstructor(db: postgres.ISql, player: string, instructor: string): Promise<boolean> {
  return (await db`select 1 from connections where player = ${player} and instructor = ${instructor}`).length > 0
}
export async function isConnectedOrFollowing(db: postgres.ISql, player: string, instructor: string): Promise<boolean> {
  const rows = await db`
    select 1 from connections where player = ${player} and instructor = ${instructor}
    union all select 1 from follows where player = ${player} and instructor = ${instructor}`
  return rows.length > 0
}

export async function inviteCodeOf(db: postgres.ISql, instructor: string): Promise<string | null> {
  const [row] = await db<{ code: string }[]>`select invite_code as code from instructors where id = ${instructor}`
  return row?.code ?? null
}
export async function renewInviteCode(db: postgres.ISql, instructor: string): Promise<string | null> {
  const [row] = await db<{ code: string }[]>`
    update instructors set invite_code = ${newInviteCode()} where id = ${instructor} returning invite_code as code`
  return row?.code ?? null
}
