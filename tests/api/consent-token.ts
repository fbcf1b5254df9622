import type { Sql } from 'postgres'
import { findLinkForUnsentLetter } from '../../modules/accounts/emailed-links.ts'

/**
 * The token in the newest letter that asks a guardian to consent for this player; undefined if that letter has been sent, or its link used
 * or replaced.
 */
export async function consentTokenFor(sql: Sql, player: string) {
  const [letter] = await sql<{ link: string }[]>`
    select payload ->> 'link' as link from errands where kind = 'letter.guardian' and payload ->> 'user' = ${player} order by asked desc, id desc limit 1`
  return (await findLinkForUnsentLetter(sql, letter!.link))?.token
}
