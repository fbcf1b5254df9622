import type postgres from 'postgres'
import { v7 as newId } from 'uuid'
import { CommandRefused } from '../kernel/store.ts'
import { newToken, tokenHash } from '../secret-tokens.ts'
import { EMAILED_LINK_MINUTES } from './policy.ts'

const EMAIL_RESTORABLE_DAYS = EMAILED_LINK_MINUTES['restore-email'] / (24 * 60)

type LinkKind = keyof typeof EMAILED_LINK_MINUTES

interface UsableLink {
  id: string
  /** The account that the link belongs to: the recipient's, a child's, or the inviting administrator's. Null if there is none. */
  owner: string | null
  guardian: string | null
  email: string | null
  expires: string
}

interface LinkTarget {
  id?: string
  owner?: string
  guardian?: string
  email?: string
}

/**
 * Kinds of which an owner or guardian may have several links at a time. Otherwise an attacker who took over an account could invalidate the
 * link that restores the former email address, by changing the email again, and each letter to a guardian would disable the button in the
 * previous letter.
 */
const SEVERAL_AT_A_TIME: readonly LinkKind[] = ['admin-invitation', 'restore-email', 'family-letter']

/**
 * Creates a one-time link. Earlier links of the same kind whose owner and guardian match those in `to` stop working, unless the kind is one
 * of `SEVERAL_AT_A_TIME`. If `to` has neither an owner nor a guardian, earlier links keep working.
 */
export async function createEmailedLinkToken(db: postgres.ISql, now: Date, kind: LinkKind, to: LinkTarget = {}) {
  const token = newToken()
  const id = to.id ?? newId()
  const { owner, guardian } = to
  if ((owner || guardian) && !SEVERAL_AT_A_TIME.includes(kind))
    await db`delete from links where kind = ${kind}
      ${owner ? db`and owner = ${owner}` : db``} ${guardian ? db`and guardian = ${guardian}` : db``}`
  await db`insert into links (id, kind, hash, token, owner, guardian, email, expires)
    values (${id}, ${kind}, ${tokenHash(token)}, ${token}, ${owner ?? null}, ${guardian ?? null}, ${to.email ?? null}, ${new Date(now.getTime() + EMAILED_LINK_MINUTES[kind] * 60_000)})`
  return { id, token }
}

/** Whether a link with this id exists. A repeated request derives the same id, so it must not create the link again. */
export async function isEmailedLinkIdTaken(db: postgres.ISql, id: string): Promise<boolean> {
  return (await db`select 1 from links where id = ${id}`).length > 0
}

/**
 * What a letter needs in order to include a link: the token, and the address to send the letter to, if that is not the owner's. Null once
 * the link has been used or replaced, or its token erased.
 */
export async function findLinkForUnsentLetter(db: postgres.ISql, id: string) {
  const [link] = await db<{ kind: LinkKind; token: string; owner: string | null; email: string | null; expires: string }[]>`
    select kind, token, owner, email, expires from links where id = ${id} and token is not null`
  return link ?? null
}

/** Deletes the token after the letter has been sent; from then on, only the emailed link contains it. */
export const erasePlainTokenAfterEmailSent = (db: postgres.ISql, id: string) => db`update links set token = null where id = ${id}`

/** The link with this token, or null if it does not work. */
export async function findEmailedLink(db: postgres.ISql, now: Date, kind: LinkKind, token: string) {
  const [link] = await db<UsableLink[]>`
    select id, owner, guardian, email, expires from links where hash = ${tokenHash(token)} and kind = ${kind} and expires > ${now}`
  return link ?? null
}

/** The ids of accounts that can restore this former address with a link. Until the link expires, nobody else may have the address. */
export async function accountIdsWithRestorableEmail(db: postgres.ISql, email: string, now: Date): Promise<string[]> {
  const links = await db<{ owner: string }[]>`
    select owner from links where kind = 'restore-email' and lower(email) = ${email.trim().toLowerCase()} and expires > ${now}`
  return links.map(link => link.owner)
}

/**
 * The refusal of a former address that can still be restored.
 * @param was the start of the sentence, which says whose address it was
 * @param owner who can restore it
 */
export const restorableEmailRefusal = (was: string, owner: string) =>
  new CommandRefused(
    `${was} until recently, and ${owner} can still switch back to it. ` +
      `Use a different one, or try again in ${EMAIL_RESTORABLE_DAYS} days.`,
    'email-restorable',
    'email',
  )

/** The refusal of an address that another account had and can still restore. */
export const restorableEmailOfAnotherAccountRefusal = () => restorableEmailRefusal('This email address belonged to an account', 'its owner')

/** Uses up a link. Of several simultaneous callers only one gets it; all others get null, as for a link that does not work. */
export async function consumeEmailedLink(db: postgres.ISql, now: Date, kind: LinkKind, token: string) {
  const [link] = await db<UsableLink[]>`
    delete from links where hash = ${tokenHash(token)} and kind = ${kind} and expires > ${now} returning id, owner, guardian, email, expires`
  return link ?? null
}
