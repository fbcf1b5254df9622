import type postgres from 'postgres'
import type { InstructorRegistration } from '../accounts/contract.ts'
import { addDays } from '../dates.ts'
import { invalidateProfilePages } from './instructor-profile-and-connection-tables.ts'
import { FEATURED_DAYS_WHEN_REFERRED } from './policy.ts'
import { newInviteCode, slugOf } from './slugs-and-invite-codes.ts'

/** Creates the profile of a new instructor, with the first free slug for the name. `referred`: whether they used a referral code. */
export async function createInstructorProfile(tx: postgres.ISql, id: string, data: InstructorRegistration, referred: boolean, now: Date) {
  const wanted = slugOf(`${data.firstName} ${data.lastName}`)
  const featured = referred ? addDays(now, FEATURED_DAYS_WHEN_REFERRED) : null
  await tx`select pg_advisory_xact_lock(hashtext('slugs'))`
  const taken = await tx<{ slug: string }[]>`
    select slug from instructors where slug like ${`${wanted}%`} union select slug from former_slugs where slug like ${`${wanted}%`}`
  const names = new Set(taken.map(row => row.slug))
  let slug = wanted
  for (let n = 2; names.has(slug); n++) slug = `${wanted}-${n}`
  await tx`insert into instructors (id, slug, sports, skills, invite_code, featured_until)
    values (${id}, ${slug}, ${[...new Set(data.type)]}, ${[...new Set(data.skills)]}, ${newInviteCode()}, ${featured})`
  await invalidateProfilePages(tx, [slug])
}
