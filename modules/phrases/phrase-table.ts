import type postgres from 'postgres'
import { CommandRefused } from '../kernel/store.ts'
import type { Phrase, PhraseContent } from './contract.ts'
import { MAX_PHRASES_PER_INSTRUCTOR } from './policy.ts'

const columns = (sql: postgres.ISql) => sql`id, text, kind, link`

/** An instructor's phrases, those most recently saved or changed first. */
export const phrasesOf = (sql: postgres.ISql, instructor: string) =>
  sql<Phrase[]>`select ${columns(sql)} from phrases where instructor = ${instructor} order by written desc, id`

/**
 * Saves a phrase and returns its id, or the id of an existing phrase that is equal. Null if the id belongs to another instructor.
 * @throws CommandRefused if the instructor already has the maximum number of phrases
 */
export async function savePhrase(sql: postgres.Sql, instructor: string, phrase: Phrase, now: Date): Promise<string | null> {
  return sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtext('phrases'), hashtext(${instructor}))`
    const storedPhrases = await phrasesOf(tx, instructor)
    const { id, text, kind, link } = phrase
    const same = storedPhrases.find(p => p.text === text && p.kind === kind && p.link === link)
    if (same) return same.id
    // The browser got no reply and sent the phrase again after its text was edited.
    if (storedPhrases.some(p => p.id === id)) {
      await updatePhrase(tx, instructor, id, phrase, now)
      return id
    }
    if (storedPhrases.length >= MAX_PHRASES_PER_INSTRUCTOR) {
      throw new CommandRefused(
        `You have ${MAX_PHRASES_PER_INSTRUCTOR} phrases, which is the limit. Delete one you no longer use.`,
        'too-many-phrases',
      )
    }
    const [row] = await tx<{ id: string }[]>`
      insert into phrases (id, instructor, text, kind, link, written) values (${id}, ${instructor}, ${text}, ${kind}, ${link}, ${now})
      on conflict do nothing returning id`
    return row?.id ?? null
  })
}

/** Changes a phrase. @returns false if this instructor has no such phrase */
export async function updatePhrase(sql: postgres.ISql, instructor: string, id: string, { text, kind, link }: PhraseContent, now: Date) {
  const { count } = await sql`
    update phrases set text = ${text}, kind = ${kind}, link = ${link}, written = ${now} where id = ${id} and instructor = ${instructor}`
  return count > 0
}
/** Deletes a phrase. @returns false if this instructor has no such phrase */
export async function deletePhrase(sql: postgres.ISql, instructor: string, id: string) {
  const { count } = await sql`delete from phrases where id = ${id} and instructor = ${instructor}`
  return count > 0
}
