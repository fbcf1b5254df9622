import type { ISql, PendingQuery, Row, Sql } from 'postgres'

/** Records the letters that a run of an errand has sent, in addition to those of earlier runs. */
export const recordSentLetters = (sql: Sql, errand: string, letters: string[]) =>
  sql`
    update errands set letters_sent = array(select distinct letter from unnest(coalesce(letters_sent, '{}') || ${letters}::text[]) letter)
    where id = ${errand}`

/**
 * SQL condition: whether errand `e` is done without having sent this letter, because it was obsolete when its turn came. False for errands
 * that were performed before sent letters were recorded.
 */
export const wasLetterObsolete = (sql: ISql, letterId: PendingQuery<Row[]>) =>
  sql`(e.done is not null and e.letters_sent is not null and ${letterId} <> all(e.letters_sent))`
