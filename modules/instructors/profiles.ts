import type postgres from 'postgres'
import { Refused } from '../kernel/store.ts'
import { inviteCode, slugReserved } from './address.ts'
import type { Instructor, Profile, ProfileChange } from './contract.ts'
import { FORMER_MOST } from './policy.ts'

/** A profile without what is measured from the log. */
export type Written = Omit<Profile, 'responseHours'>

const channel = 'profiles_changed'

/** Tells every process that the pages of these profiles (and the list of all) are not what they were. */
export const changed = (db: postgres.ISql, slugs: (string | null)[]) => db`select pg_notify(${channel}, ${slugs.filter(Boolean).join(' ')})`

/** Calls `drop` with the slugs that changed, or with null when changes may have been missed. */
export const onChanged = (sql: postgres.Sql, drop: (slugs: string[] | null) => void) =>
  sql.listen(
    channel,
    payload => drop(payload.split(' ')),
    () => drop(null),
  )

const card = (db: postgres.ISql, now: Date) => db`
  i.id, json_build_object('firstName', u.first_name, 'lastName', u.last_name, 'profileSlug', i.slug) as "user",
  u.picture as "profilePicture", i.sports as type, i.skills, coalesce(i.featured_until > ${now}, false) as featured`

/** Profiles that lack nothing; the others are finished by their owners first. */
const complete = (db: postgres.ISql) => db`i.slug is not null and cardinality(i.sports) > 0 and cardinality(i.skills) > 0`

export const allInstructors = (db: postgres.ISql, now: Date) => db<Instructor[]>`
  select ${card(db, now)} from instructors i join users u on u.id = i.id where ${complete(db)}
  order by coalesce(i.featured_until > ${now}, false) desc, u.created, i.id`

export async function instructorByInvite(db: postgres.ISql, code: string, now: Date): Promise<Instructor | null> {
  const [row] = await db<Instructor[]>`
    select ${card(db, now)} from instructors i join users u on u.id = i.id where i.invite_code = ${code.toUpperCase()}`
  return row ?? null
}

/** A profile by id, by slug, or by an address it had before: whose id it is comes first. Null if there is none, or if it is not finished. */
export async function profileOf(db: postgres.ISql, slugOrId: string, now: Date): Promise<Written | null> {
  const key = slugOrId.toLowerCase()
  const [row] = await db<Written[]>`
    select ${card(db, now)}, i.about, i.experience, u.created as since,
      (select count(*)::int from follows f where f.instructor = i.id) as followers
    from instructors i join users u on u.id = i.id
    where ${complete(db)} and (i.slug = ${key} or i.id::text = ${key} or i.id = (select instructor from former_slugs where slug = ${key}))
    order by i.id::text = ${key} desc, i.slug = ${key} desc limit 1`
  return row ?? null
}

/** The profile as its owner sees it: also one that lacks something. */
export async function ownProfile(db: postgres.ISql, id: string, now: Date): Promise<Written | null> {
  const [row] = await db<Written[]>`
    select ${card(db, now)}, i.about, i.experience, u.created as since,
      (select count(*)::int from follows f where f.instructor = i.id) as followers
    from instructors i join users u on u.id = i.id where i.id = ${id}`
  return row ?? null
}

/** Why a profile cannot have an address, or null if it can. */
export async function slugProblem(db: postgres.ISql, slug: string, instructor: string): Promise<string | null> {
  if (slugReserved(slug)) return 'This address is reserved. Choose another.'
  const rows = await db`
    select 1 from instructors where slug = ${slug} and id <> ${instructor}
    union select 1 from former_slugs where slug = ${slug} and instructor <> ${instructor}`
  return rows.length ? 'This address is taken. Choose another.' : null
}

/** @throws Refused where the address is taken or reserved, or one too many */
export async function changeProfile(sql: postgres.Sql, id: string, change: ProfileChange) {
  await sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtext('slugs'))`
    const problem = await slugProblem(tx, change.slug, id)
    if (problem) throw new Refused(problem, 'slug-taken', 'slug')
    const [before] = await tx<{ slug: string | null }[]>`select slug from instructors where id = ${id} for update`
    const old = before?.slug ?? null
    if (old && old !== change.slug) {
      const [kept] = await tx<{ count: number }[]>`
        select count(*)::int as count from former_slugs where instructor = ${id} and slug <> ${change.slug}`
      if (kept!.count >= FORMER_MOST) {
        throw new Refused(
          `Your page has had ${FORMER_MOST + 1} addresses, which all stay yours. Choose one of those, or leave it as it is.`,
          'too-many-slugs',
          'slug',
        )
      }
      await tx`insert into former_slugs (slug, instructor) values (${old}, ${id}) on conflict (slug) do update set instructor = ${id}`
    }
    await tx`delete from former_slugs where slug = ${change.slug}`
    await tx`update instructors set slug = ${change.slug}, sports = ${[...new Set(change.type)]}, skills = ${[...new Set(change.skills)]},
      about = ${change.about}, experience = ${change.experience} where id = ${id}`
    await changed(tx, [old, change.slug])
  })
}

/** Lets a player follow, or be connected; twice is like once. False if there is no such instructor. */
export async function relate(db: postgres.ISql, as: 'connections' | 'follows', player: string, instructor: string, now: Date) {
  const [row] = await db<{ slug: string }[]>`select slug from instructors i where id = ${instructor} and ${complete(db)}`
  if (!row) return false
  await db`insert into ${db(as)} (player, instructor, since) values (${player}, ${instructor}, ${now}) on conflict do nothing`
  if (as === 'follows') await changed(db, [row.slug])
  return true
}
export async function unrelate(db: postgres.ISql, as: 'connections' | 'follows', player: string, instructor: string) {
  await db`delete from ${db(as)} where player = ${player} and instructor = ${instructor}`
  // How many follow stands on the page.
  const [row] = as === 'follows' ? await db<{ slug: string | null }[]>`select slug from instructors where id = ${instructor}` : []
  if (row) await changed(db, [row.slug])
}

/** Instructors a player is connected to or follows. */
export const instructorsOf = (db: postgres.ISql, player: string, now: Date) => db<
  (Instructor & { connected: boolean; followed: boolean })[]
>`
  select ${card(db, now)}, c.player is not null as connected, f.player is not null as followed
  from instructors i join users u on u.id = i.id
  left join connections c on c.instructor = i.id and c.player = ${player}
  left join follows f on f.instructor = i.id and f.player = ${player}
  where c.player is not null or f.player is not null
  order by c.since nulls last, f.since`

export async function inviteOf(db: postgres.ISql, instructor: string): Promise<string | null> {
  const [row] = await db<{ code: string }[]>`select invite_code as code from instructors where id = ${instructor}`
  return row?.code ?? null
}
export async function renewInvite(db: postgres.ISql, instructor: string): Promise<string | null> {
  const [row] = await db<{ code: string }[]>`
    update instructors set invite_code = ${inviteCode()} where id = ${instructor} returning invite_code as code`
  return row?.code ?? null
}
