import type { Sql } from 'postgres'
import type { FoundPerson, FoundPersonCursor, SearchResults } from '../modules/admin-search/contract.ts'
import { MAX_SEARCH_MATCHES_PER_KIND } from '../modules/admin-search/policy.ts'
import { escapeLikePattern } from '../modules/escape-like-pattern.ts'
import { tableOf } from '../modules/kernel/projection.ts'
import { type PageOfRows, paginateRows } from '../modules/pagination.ts'
import { folders } from './folders.ts'
import { findPurchasesBySearchKeys } from './package-purchases.ts'
import { findPaymentsBySearchKeys } from './payments.ts'
import { supportRequests } from './support-requests.ts'

const ID_START = /^[0-9a-f]{8}(?:-[0-9a-f-]*)?$/
const RECEIPT_NUMBER = /^dl-\d{6}-([0-9a-f]{8})$/

/** Patterns for `ilike any`. A trigram index needs three characters, so shorter terms match only at the beginning of a word. */
const patternsOf = (text: string): string[] => {
  const literal = escapeLikePattern(text)
  return text.length < 3 ? [`${literal}%`, `% ${literal}%`] : [`%${literal}%`]
}

/** The lowest and highest id that begin with this text: a whole id, or at least its first eight characters. Null if the text is neither. */
function idRangeOf(text: string): [first: string, last: string] | null {
  if (!ID_START.test(text)) return null
  const digits = text.replaceAll('-', '')
  if (digits.length > 32) return null
  return [digits.padEnd(32, '0'), digits.padEnd(32, 'f')]
}

const isInRange = (sql: Sql, column: ReturnType<Sql>, range: ReturnType<typeof idRangeOf>) =>
  range ? sql`${column} between ${range[0]}::uuid and ${range[1]}::uuid` : sql`false`

/** A page of the people whose name, email address or id matches a text, in alphabetical order, from the beginning or after `after`. */
export async function pageOfFoundPeople(
  sql: Sql,
  text: string,
  { after, limit }: { after?: FoundPersonCursor | undefined; limit: number },
): Promise<PageOfRows<FoundPerson>> {
  const patterns = patternsOf(text)
  const hasId = isInRange(sql, sql`id`, idRangeOf(text.toLowerCase()))
  const found = await sql<FoundPerson[]>`
    select id, name, email, kind from (
      select id, first_name || ' ' || last_name as name, email, role as kind from users
        where first_name || ' ' || last_name ilike any(${patterns}) or username ilike any(${patterns}) or ${hasId}
      union all
      select id, name, email, 'guardian' from guardians where name ilike any(${patterns}) or email ilike any(${patterns}) or ${hasId}
    ) people
    ${after ? sql`where (name, id) > (${after[0]}, ${after[1]}::uuid)` : sql``}
    order by name, id limit ${limit + 1}`
  return paginateRows(found, limit, ({ name, id }) => [name, id] satisfies FoundPersonCursor)
}

/** The people, folders, payments, packages and support requests that match a text: words, email addresses, ids or receipt numbers. */
export async function searchForAdmin(sql: Sql, text: string, now: Date): Promise<SearchResults> {
  const lower = text.toLowerCase()
  const patterns = patternsOf(text)
  const range = idRangeOf(lower)
  const inRange = (column: ReturnType<Sql>) => isInRange(sql, column, range)
  const [{ rows: people, next }, foundFolders] = await Promise.all([
    pageOfFoundPeople(sql, text, { limit: MAX_SEARCH_MATCHES_PER_KIND }),
    sql<SearchResults['folders']>`
      select f.folder as id, f.name, f.status, coalesce(u.first_name || ' ' || u.last_name, 'Someone who left') as player
      from ${sql(tableOf(folders))} f left join users u on u.id = f.player
      where f.name ilike any(${patterns}) or ${inRange(sql`f.folder`)}
      order by f.updated desc, f.folder limit ${MAX_SEARCH_MATCHES_PER_KIND}`,
  ])
  const [ids, folderIds] = [people.map(person => person.id), foundFolders.map(folder => folder.id)]
  const idEnd = RECEIPT_NUMBER.exec(lower)?.[1] ?? null
  const [payments, packages, foundRequests] = await Promise.all([
    findPaymentsBySearchKeys(sql, { range, idEnd, people: ids, folders: folderIds }, MAX_SEARCH_MATCHES_PER_KIND, now),
    findPurchasesBySearchKeys(sql, { range, idEnd, people: ids }, MAX_SEARCH_MATCHES_PER_KIND),
    sql<SearchResults['requests']>`
      select r.request as id, r.content, r.status, r.asked, u.first_name || ' ' || u.last_name as "by"
      from ${sql(tableOf(supportRequests))} r left join users u on u.id = r.asker
      where r.request = any(array(
        select request from ${sql(tableOf(supportRequests))} where content ilike any(${patterns})
        union all select request from ${sql(tableOf(supportRequests))} where asker = any(${ids}::uuid[]) or ${inRange(sql`request`)}
      ))
      order by r.asked desc, r.request limit ${MAX_SEARCH_MATCHES_PER_KIND}`,
  ])
  return { people, next, folders: [...foundFolders], payments, packages, requests: [...foundRequests] }
}
