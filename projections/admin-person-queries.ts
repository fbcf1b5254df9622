import type { Sql } from 'postgres'
import type { AdminPerson } from '../modules/admin-person/contract.ts'
import { MAX_ROWS_PER_PERSON_LIST } from '../modules/admin-person/policy.ts'
import { tableOf } from '../modules/kernel/projection.ts'
import {
  LETTER_TO_INVITED_ADMIN,
  LETTERS_ONLY_TO_GUARDIANS,
  SESSION_LETTERS_ONLY_TO_INSTRUCTORS,
  SESSION_LETTERS_TO_INSTRUCTORS,
} from '../modules/letters/letter-recipients-and-occasions.ts'
import { withoutPostponedErrands } from '../modules/letters/morning-errands.ts'
import { wasLetterObsolete } from '../modules/letters/sent-letters.ts'
import { approvals } from './approvals.ts'
import { assignments } from './assignments.ts'
import { folders } from './folders.ts'
import { purchases, purchasesOf } from './package-purchases.ts'
import { payments, paymentsOfFamilyForAdmin, paymentsOfInstructor } from './payments.ts'
import { supportRequests, supportRequestsOfUser } from './support-requests.ts'
import { vettingOfInstructor } from './vetting-queries.ts'

type Person = Pick<AdminPerson, 'id' | 'kind' | 'name' | 'email' | 'phone' | 'born' | 'picture' | 'registered' | 'guardians' | 'children'>

/** The account or guardian with this id; undefined if there is neither. */
export async function accountAndFamilyForAdmin(sql: Sql, id: string): Promise<Person | undefined> {
  const [[person], relatives] = await Promise.all([
    sql<Omit<Person, 'guardians' | 'children'>[]>`
      select id, role as kind, first_name || ' ' || last_name as name, email, phone, born, picture, created as registered from users where id = ${id}
      union all
      select id, 'guardian', name, email, null, null, null, created from guardians where id = ${id}`,
    sql<(Person['guardians'][number] & { isChild: boolean })[]>`
      select case when s.guardian = ${id} then u.id else g.id end as id, s.guardian = ${id} as "isChild",
        case when s.guardian = ${id} then u.first_name || ' ' || u.last_name else g.name end as name,
        case when s.guardian = ${id} then u.email else g.email end as email,
        coalesce(s.consent, case when s.agreed is not null then 'given' end) as consent, s.since, s.until
      from guardianships s join users u on u.id = s.player join guardians g on g.id = s.guardian
      where s.guardian = ${id} or s.player = ${id} order by s.until desc nulls first, s.since desc`,
  ])
  if (!person) return undefined
  const withoutSide = ({ isChild: _, ...relative }: (typeof relatives)[number]) => relative
  return {
    ...person,
    guardians: relatives.filter(relative => !relative.isChild).map(withoutSide),
    children: relatives.filter(relative => relative.isChild).map(withoutSide),
  }
}

/** A player's folders, or all folders ever assigned to an instructor, most recently changed first. */
const foldersOfPerson = (sql: Sql, { id, kind }: Person) => sql<AdminPerson['folders']>`
  select f.folder as id, f.name, f.status, f.updated, u.first_name || ' ' || u.last_name as with
  from (
    select f.* from ${
      kind === 'instructor'
        ? // The lateral join looks up each folder by its id, so that Postgres does not read the folders of everybody else.
          sql`(select distinct folder from ${sql(tableOf(assignments))} where instructor = ${id}) s
            cross join lateral (select * from ${sql(tableOf(folders))} where folder = s.folder limit 1) f`
        : sql`${sql(tableOf(folders))} f where f.player = ${id}`
    }
    order by f.updated desc, f.folder limit ${MAX_ROWS_PER_PERSON_LIST}
  ) f left join users u on u.id = ${kind === 'instructor' ? sql`f.player` : sql`f.instructor`}
  order by f.updated desc, f.folder`

const signInsOf = (sql: Sql, id: string) => sql<AdminPerson['signIns']>`
  select id, device, started, last_used as "lastUsed" from sessions where owner = ${id} or guardian = ${id} order by last_used desc`

/** The records that administrators see of this person. A guardian's records include what the guardian paid or owes for players. */
export async function personRecordsForAdmin(sql: Sql, person: Person, now: Date) {
  const { id, kind } = person
  const [its, paid, bought, asked, signIns, instructor] = await Promise.all([
    foldersOfPerson(sql, person),
    kind === 'instructor'
      ? paymentsOfInstructor(sql, id, 'administrator', now, MAX_ROWS_PER_PERSON_LIST)
      : paymentsOfFamilyForAdmin(sql, id, [id], now, MAX_ROWS_PER_PERSON_LIST),
    purchasesOf(sql, { payer: id, players: [id] }, 'administrator', MAX_ROWS_PER_PERSON_LIST),
    supportRequestsOfUser(sql, id),
    signInsOf(sql, id),
    kind === 'instructor' ? vettingOfInstructor(sql, id, now) : undefined,
  ])
  return {
    folders: [...its],
    payments: paid,
    purchases: bought,
    requests: [...asked],
    signIns: [...signIns],
    instructor: instructor ?? null,
  }
}

/** Letters about an account that go to its owner's guardian, either instead of the owner or in addition. */
const ABOUT_CHILD = [
  'letter.guardian',
  'letter.deletion-scheduled',
  'letter.account-closed',
  'letter.account-reopened',
  'letter.coming-of-age',
]

type Letter = AdminPerson['letters'][number] & { payload: Record<string, string> & { isMorning?: true } }

/** Letters that go to both an account's owner and the owner's guardian. The guardian's letter has its own text and its own id. */
const ABOUT_CHILD_TO_BOTH = ABOUT_CHILD.filter(letter => !LETTERS_ONLY_TO_GUARDIANS.includes(letter))

/**
 * SQL condition: whether this guardian was a recipient of the letter of errand `e` about a child; true for people who are not guardians. A
 * guardian was a recipient if they looked after the child when the letter was sent and had already agreed to do so (which does not apply to
 * the letter that asks them to agree). A letter that has not been sent yet will go to the current guardian.
 */
const wasReaderAsGuardian = (sql: Sql, { id, kind }: Pick<Person, 'id' | 'kind'>) =>
  kind !== 'guardian'
    ? sql`true`
    : sql`(e.payload ->> 'guardian' = ${id} or child.id is null or child.id = ${id} or exists (
        select 1 from guardianships s where s.guardian = ${id} and s.player::text = child.id
          and (s.until is null or coalesce(e.done, e.failed, 'infinity') < s.until)
          and coalesce(e.done, e.failed, 'infinity') >= case when e.kind = 'letter.guardian' then s.since else s.agreed end))`

/** The letters that were sent, or are queued, to this person, newest first, each with its delivery status. */
export async function lettersForAdmin(sql: Sql, { id, kind, children }: Person): Promise<AdminPerson['letters']> {
  const ids = [id, ...children.map(child => child.id)]
  /** The guardian's letter about a child has its own id. */
  const letterId = sql`(case when ${kind} = 'guardian' and e.kind <> all(${LETTERS_ONLY_TO_GUARDIANS})
      and (e.payload ? 'assignment' or e.kind = any(${ABOUT_CHILD_TO_BOTH})) then e.id || '-guardian' else e.id end)`
  const letterRows = await sql<Letter[]>`
    with keys as (
      select jsonb_build_object(field, person) as key
      from unnest(array['user', 'instructor', 'guardian', 'player']) field, unnest(${ids}::text[]) person
      union all (select jsonb_build_object('assignment', assignment) from ${sql(tableOf(assignments))}
        where player = any(${ids}::uuid[]) or instructor = ${id} order by position desc limit ${MAX_ROWS_PER_PERSON_LIST})
      -- A request that has not been approved is not an assignment.
      union all (select jsonb_build_object('assignment', assignment) from ${sql(tableOf(approvals))}
        where player = any(${ids}::uuid[]) order by asked desc limit ${MAX_ROWS_PER_PERSON_LIST})
      -- The letter about a video that cannot be played names only the folder. It goes to the player, not to the guardian.
      union all (select jsonb_build_object('folder', folder) from ${sql(tableOf(folders))}
        where player = ${id} order by updated desc limit ${MAX_ROWS_PER_PERSON_LIST})
      union all (select jsonb_build_object('payment', payment) from ${sql(tableOf(payments))}
        where payer = ${id} or instructor = ${id} order by opened desc limit ${MAX_ROWS_PER_PERSON_LIST})
      union all select jsonb_build_object('purchase', purchase) from ${sql(tableOf(purchases))} where payer = ${id}
      union all select jsonb_build_object('request', request) from ${sql(tableOf(supportRequests))} where asker = ${id}
    )
    select e.id, e.kind, e.asked, e.payload, coalesce(e.done, e.failed) as at, coalesce(e.error, f.reason) as error,
      coalesce(f.fate, case when e.done is not null then 'sent' when e.failed is not null then 'failed' else 'waiting' end) as fate,
      f.fate is null and ${wasLetterObsolete(sql, letterId)} as obsolete
    from errands e
    left join ${sql(tableOf(assignments))} a on a.assignment = (e.payload ->> 'assignment')::uuid
    left join ${sql(tableOf(approvals))} r on r.assignment = (e.payload ->> 'assignment')::uuid
    cross join lateral (select coalesce(e.payload ->> 'user', e.payload ->> 'player', a.player::text, r.player::text) as id) child
    left join letter_fates f on f.letter = ${letterId}
    where e.kind like 'letter.%' and e.kind <> ${LETTER_TO_INVITED_ADMIN} and e.payload @> any(array(select key from keys))
      and ${wasReaderAsGuardian(sql, { id, kind })}
    order by e.asked desc, e.id limit ${2 * MAX_ROWS_PER_PERSON_LIST}`
  const reads = ({ kind: letter, payload }: Letter) => {
    // An earlier errand sent the guardian's letter about the same event; this one sends only the player's, in the morning.
    if (payload.isMorning && kind === 'guardian') return false
    // A guardian in the payload is the only recipient, except in the letter about a deletion, which names the guardian who requested it.
    if (payload.guardian !== undefined && letter !== 'letter.deletion-scheduled') return payload.guardian === id
    if (payload.user === id) return !LETTERS_ONLY_TO_GUARDIANS.includes(letter)
    if (payload.user !== undefined) return ABOUT_CHILD.includes(letter)
    if (kind === 'guardian') return !SESSION_LETTERS_ONLY_TO_INSTRUCTORS.includes(letter)
    if (LETTERS_ONLY_TO_GUARDIANS.includes(letter)) return false
    const toInstructor = SESSION_LETTERS_TO_INSTRUCTORS.includes(letter) || payload.instructor !== undefined
    return payload.request !== undefined || toInstructor === (kind === 'instructor')
  }
  return (kind === 'guardian' ? letterRows : withoutPostponedErrands(letterRows))
    .filter(reads)
    .slice(0, MAX_ROWS_PER_PERSON_LIST)
    .map(({ payload: _, ...letter }) => letter)
}
