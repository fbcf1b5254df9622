import type postgres from 'postgres'
import { v7 as newId } from 'uuid'
import { addDays } from '../dates.ts'
import type { Role } from '../endpoint.ts'
import { newToken, tokenHash } from '../secret-tokens.ts'
import { LOGIN_SESSION_DAYS } from './policy.ts'

const HOUR_MS = 3600_000
/** A found session is cached for this long. Every process drops a session from its cache as soon as it ends. */
const CACHE_MS = 30_000
const MAX_CACHED_SESSIONS = 20_000

export interface SignedInUser {
  id: string
  role: Role
  /** Id of the session (not its token). */
  session: string
}

/** A parent or guardian of players; their session opens the family's pages and nothing else. */
export interface SignedInGuardian {
  id: string
  session: string
}

/** The owner of a session: an account with its role, or a guardian, who has no role. */
type SessionOwner = SignedInUser | (SignedInGuardian & { role: null })

interface Entry {
  found: Promise<SessionOwner | null>
  /** When the cache entry expires, ms since the epoch. */
  until: number
}

/** The Postgres channel that announces the id of each session that ends. */
const channel = 'sessions_ended'

/**
 * Sessions by token, cached briefly so that most requests need no query. Expiry is sliding: using a session extends it to 30 days from
 * then, at most once an hour. `listening` resolves once this process listens for sessions that other processes end.
 */
export function loginSessions(sql: postgres.Sql, clock: () => Date) {
  const known = new Map<string, Entry>()
  const tokens = new Map<string, string>()
  /** Counts ended sessions. If the count changes while a query runs, the query may return a session that has already ended. */
  let ends = 0

  async function load(token: string, entry: Entry): Promise<SessionOwner | null> {
    const now = clock()
    const before = ends
    const [row] = await sql<(SessionOwner & { lastUsed: string; expires: string })[]>`
      select coalesce(s.owner, s.guardian) as id, u.role, s.id as session, s.last_used as "lastUsed", s.expires
      from sessions s left join users u on u.id = s.owner
      where s.token = ${tokenHash(token)} and s.expires > ${now}`
    if (!row) return null
    if (now.getTime() - Date.parse(row.lastUsed) > HOUR_MS) {
      await sql`update sessions set last_used = ${now}, expires = ${expiryFrom(now)} where id = ${row.session}`
    }
    tokens.set(row.session, token)
    entry.until = ends === before ? Math.min(entry.until, Date.parse(row.expires)) : 0
    return { id: row.id, role: row.role, session: row.session } as SessionOwner
  }

  function forget(id: string) {
    ends++
    const token = tokens.get(id)
    if (token) known.delete(token)
    tokens.delete(id)
  }
  function forgetAll() {
    ends++
    known.clear()
    tokens.clear()
  }
  // Sessions may have ended while the connection was lost, so the cache is emptied when the process listens again.
  const listening = sql.listen(channel, forget, forgetAll)

  function findOwner(token: string): Promise<SessionOwner | null> {
    const now = clock().getTime()
    const before = known.get(token)
    if (before && before.until > now) return before.found
    const entry: Entry = { found: Promise.resolve(null), until: now + CACHE_MS }
    entry.found = load(token, entry)
    if (known.size >= MAX_CACHED_SESSIONS) forgetAll()
    known.set(token, entry)
    const drop = () => {
      if (known.get(token) === entry) known.delete(token)
    }
    entry.found.then(session => session ?? drop(), drop)
    return entry.found
  }

  async function insert(owner: { user: string | null; guardian: string | null }, device: string, db: postgres.ISql): Promise<string> {
    const token = newToken()
    const now = clock()
    await db`insert into sessions (id, token, owner, guardian, device, started, last_used, expires)
      values (${newId()}, ${tokenHash(token)}, ${owner.user}, ${owner.guardian}, ${device}, ${now}, ${now}, ${expiryFrom(now)})`
    return token
  }

  return {
    listening,

    /** The account whose session has this token; null if the session is unknown, ended, expired or a guardian's. */
    async find(token: string): Promise<SignedInUser | null> {
      const owner = await findOwner(token)
      return owner?.role ? owner : null
    },

    /** The guardian whose session has this token; null if the session is unknown, ended, expired or an account's. */
    async findGuardian(token: string): Promise<SignedInGuardian | null> {
      const owner = await findOwner(token)
      return owner && owner.role === null ? { id: owner.id, session: owner.session } : null
    },

    /** Starts a session for an account. @returns the token, for the cookie only */
    start: (user: string, device: string, db: postgres.ISql = sql) => insert({ user, guardian: null }, device, db),

    /** Starts a session for a guardian. @returns the token, for the cookie only */
    startGuardian: (guardian: string, device: string, db: postgres.ISql = sql) => insert({ user: null, guardian }, device, db),

    /** The sessions of an account or a guardian, most recently used first. */
    async of(user: string) {
      return sql<{ id: string; started: string; lastUsed: string; device: string }[]>`
        select id, started, last_used as "lastUsed", device from sessions
        where (owner = ${user} or guardian = ${user}) and expires > ${clock()} order by last_used desc, id desc`
    },

    /** Ends one session of an account or a guardian. @returns false if there is no such session */
    async end(user: string, session: string): Promise<boolean> {
      const rows = await sql<
        { id: string }[]
      >`delete from sessions where id = ${session} and (owner = ${user} or guardian = ${user}) returning id`
      for (const { id } of rows) forget(id)
      return rows.length > 0
    },

    /** Ends all sessions of an account or a guardian, except the session `but`. */
    async endAll(user: string, but?: string, db: postgres.ISql = sql) {
      const rows = await db<
        { id: string }[]
      >`delete from sessions where (owner = ${user} or guardian = ${user}) and id is distinct from ${but ?? null} returning id`
      for (const { id } of rows) forget(id)
    },

    /** Ends all sessions of everybody. @returns how many there were */
    async endEverySession(): Promise<number> {
      const rows = await sql<{ id: string }[]>`delete from sessions returning id`
      for (const { id } of rows) forget(id)
      return rows.length
    },

    async stop() {
      await listening.then(l => l.unlisten()).catch(() => {})
    },
  }
}
export type LoginSessions = ReturnType<typeof loginSessions>

const expiryFrom = (now: Date) => addDays(now, LOGIN_SESSION_DAYS)

const browsers = [
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const
const systems = [
  ['iPhone', /iPhone|iPod/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Mac', /Mac OS X|Macintosh/],
  ['Linux', /Linux/],
] as const

/** "Firefox on Windows", from a `User-Agent`: enough for the owner to recognize a device, too little to identify a person. */
export function deviceName(agent: string | null): string {
  const browser = browsers.find(([, sign]) => sign.test(agent ?? ''))?.[0]
  const system = systems.find(([, sign]) => sign.test(agent ?? ''))?.[0]
  return [browser, system].filter(Boolean).join(' on ') || 'Unknown device'
}
