import type postgres from 'postgres'
import type { Draft } from './contract.ts'

interface DraftOwner {
  assignment: string
  instructor: string
}
const those = (sql: postgres.Sql, { assignment, instructor }: DraftOwner) =>
  sql`assignment = ${assignment} and coalesce(instructor, ${instructor}) = ${instructor}`

/** Returns the draft and its revision, or null and 0 if nothing has been saved yet. */
export async function draftOf(sql: postgres.Sql, of: DraftOwner): Promise<{ revision: number; draft: Draft | null }> {
  const [row] = await sql<{ revision: number; draft: Draft }[]>`select revision, draft from drafts where ${those(sql, of)}`
  return row ?? { revision: 0, draft: null }
}

/** Saves a draft that is based on `revision`. Returns the new revision, or null if another tab has saved in between. Idempotent. */
export async function saveDraft(sql: postgres.Sql, of: DraftOwner, revision: number, draft: Draft, now: Date): Promise<number | null> {
  const json = sql.json(draft as never)
  const [saved] = revision
    ? await sql<{ revision: number }[]>`
        update drafts set revision = revision + 1, draft = ${json}, saved = ${now}
        where ${those(sql, of)} and revision = ${revision} returning revision`
    : await sql<{ revision: number }[]>`
        insert into drafts (assignment, instructor, revision, draft, saved) values (${of.assignment}, ${of.instructor}, 1, ${json}, ${now}) on conflict do nothing returning revision`
  if (saved) return saved.revision
  const [same] = await sql<{ revision: number }[]>`
    select revision from drafts where ${those(sql, of)} and revision = ${revision + 1} and draft = ${json}`
  return same?.revision ?? null
}

export const deleteDraft = (sql: postgres.Sql, assignment: string) => sql`delete from drafts where assignment = ${assignment}`
