import type postgres from 'postgres'
import { addDays } from '../dates.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { ListedReviewLink } from './contract.ts'
import { MAX_REVIEW_LINKS_PER_SESSION, REVIEW_LINK_DAYS } from './policy.ts'

/** The review that a link shows. `guardian`: the guardian who created the link; null if the player did. */
export interface SharedReviewReference {
  player: string
  guardian: string | null
  folder: string
  session: string
}

/** The links to the review of a session that have not expired, newest first. */
export const reviewLinksOf = (db: postgres.ISql, session: string, now: Date) => db<ListedReviewLink[]>`
  select id, name, created, expires, opens, opened from review_links where session = ${session} and expires > ${now} order by created desc, id`

/**
 * Creates a link and stores only the hash of its secret. If called again with the same id, as after a lost response, replaces the old
 * secret with the new one and changes nothing else.
 * @returns false if the id belongs to a link to another review
 * @throws CommandRefused if the review already has the maximum number of links
 */
export async function storeReviewLink(
  tx: postgres.TransactionSql,
  of: SharedReviewReference,
  link: { id: string; name: string; hash: Buffer },
  now: Date,
): Promise<boolean> {
  const { player, guardian, folder, session } = of
  // The lock prevents two concurrent requests from exceeding the limit.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`review-links ${session}`}, 0))`
  const others = (await reviewLinksOf(tx, session, now)).filter(other => other.id !== link.id)
  if (others.length >= MAX_REVIEW_LINKS_PER_SESSION) {
    throw new CommandRefused(
      `A review has at most ${MAX_REVIEW_LINKS_PER_SESSION} links. Revoke one that nobody needs anymore.`,
      'too-many-links',
    )
  }
  const insertedRows = await tx`
    insert into review_links as l (id, hash, player, guardian, folder, session, name, created, expires)
    values (${link.id}, ${link.hash}, ${player}, ${guardian}, ${folder}, ${session}, ${link.name}, ${now}, ${addDays(now, REVIEW_LINK_DAYS)})
    on conflict (id) do update set hash = excluded.hash where l.session = excluded.session and l.player = excluded.player
    returning id`
  return insertedRows.length > 0
}

/**
 * Revokes one of a player's review links; with `folder` or `session`, only if the link shows that folder or session.
 * @returns false if there is no such link
 */
export async function revokeReviewLink(
  db: postgres.ISql,
  id: string,
  { player, folder, session }: Pick<SharedReviewReference, 'player'> & Partial<SharedReviewReference>,
): Promise<boolean> {
  const revokedLinks = await db`
    delete from review_links where id = ${id} and player = ${player}
      and folder = coalesce(${folder ?? null}, folder) and session = coalesce(${session ?? null}, session) returning id`
  return revokedLinks.length > 0
}

/** Revokes all links to a player's reviews, for instance when consent ends. */
export const revokeReviewLinksOfPlayer = (db: postgres.ISql, player: string) => db`delete from review_links where player = ${player}`

/** Revokes the links that guardians made: they may not share the reviews of a player who is of age. */
export const revokeReviewLinksOfGuardians = (db: postgres.ISql, player: string) =>
  db`delete from review_links where player = ${player} and guardian is not null`

/** The review behind the link with this hash; null if there is none or it has expired. */
export async function findReviewByLinkHash(db: postgres.ISql, hash: Buffer, now: Date): Promise<SharedReviewReference | null> {
  const [row] = await db<SharedReviewReference[]>`
    select player, guardian, folder, session from review_links where hash = ${hash} and expires > ${now}`
  return row ?? null
}

export const recordReviewLinkOpening = (db: postgres.ISql, hash: Buffer, now: Date) =>
  db`update review_links set opens = opens + 1, opened = ${now} where hash = ${hash}`
