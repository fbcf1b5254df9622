import type postgres from 'postgres'
import { v7 as newId } from 'uuid'
import { LINK_MINUTES } from './policy.ts'
import { newToken, tokenHash } from './tokens.ts'

type LinkKind = keyof typeof LINK_MINUTES

interface UsableLink {
  id: string
  /** Of an account, or of a guardian. */
  owner: string | null
  guardian: string | null
  email: string | null
}

interface LinkTarget {
  id?: string
  owner?: string
  guardian?: string
  email?: string
}

/** Kinds of which an owner may have several: whoever took an account over must not end the way back by changing the address again. */
const SEVERAL_AT_A_TIME: readonly LinkKind[] = ['admin-invitation', 'restore-email']

/** Makes a one-time link. Earlier ones of the kind for the same owner or guardian work no longer, but for those in letters of their own. */
export async function makeLink(db: postgres.ISql, now: Date, kind: LinkKind, to: LinkTarget = {}) {
  const token = newToken()
  const id = to.id ?? newId()
  if (to.owner && !SEVERAL_AT_A_TIME.includes(kind)) await db`delete from links where kind = ${kind} and owner = ${to.owner}`
  if (to.guardian && kind !== 'family-letter') await db`delete from links where kind = ${kind} and guardian = ${to.guardian}`
  await db`insert into links (id, kind, hash, token, owner, guardian, email, expires)
    values (${id}, ${kind}, ${tokenHash(token)}, ${token}, ${to.owner ?? null}, ${to.guardian ?? null}, ${to.email ?? null}, ${new Date(now.getTime() + LINK_MINUTES[kind] * 60_000)})`
  return { id, token }
}

/** Whether there is a link with this id already: the request was sent again. */
export async function doesLinkExist(db: postgres.ISql, id: string): Promise<boolean> {
  return (await db`select 1 from links where id = ${id}`).length > 0
}

/** What a letter needs to carry a link: its token, and the address it goes to if that is not its owner's. Null once it was used or replaced. */
export async function linkOf(db: postgres.ISql, id: string) {
  const [link] = await db<{ kind: LinkKind; token: string; owner: string | null; email: string | null; expires: string }[]>`
    select kind, token, owner, email, expires from links where id = ${id} and token is not null`
  return link ?? null
}

/** The letter has gone out: from now on only the link itself opens what it opens. */
export const markLinkDelivered = (db: postgres.ISql, id: string) => db`update links set token = null where id = ${id}`

/** The link of this token, if it still works. */
export async function findLink(db: postgres.ISql, now: Date, kind: LinkKind, token: string) {
  const [link] = await db<UsableLink[]>`
    select id, owner, guardian, email from links where hash = ${tokenHash(token)} and kind = ${kind} and expires > ${now}`
  return link ?? null
}

/** Uses a link up: it works for one caller only. */
export async function consumeLink(db: postgres.ISql, now: Date, kind: LinkKind, token: string) {
  const [link] = await db<UsableLink[]>`
    delete from links where hash = ${tokenHash(token)} and kind = ${kind} and expires > ${now} returning id, owner, guardian, email`
  return link ?? null
}
