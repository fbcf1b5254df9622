/** What Postgres says when it is away, starting, stopping, failing over, full, cancelled, or chose somebody as the loser of a deadlock. */
const POSTGRES = /^((08|40|53|57|58)...|25006|55P03)$/

/** What the way to it says: Node's network, and the clients of Postgres and HTTP. */
const NETWORK = new Set(
  ['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'].concat(
    ['EAI_AGAIN', 'ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTDOWN', 'EHOSTUNREACH', 'EMFILE', 'ENETDOWN', 'ENETRESET'],
    ['ENETUNREACH', 'ENFILE', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'],
    ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
  ),
)

/** What EventStoreDB's client calls them. */
const EVENTSTOREDB = new Set(['unavailable', 'timeout', 'deadline-exceeded', 'cancelled', 'not-leader'])

/** Whether an error passes by itself: who waits and tries again gets through. The one list, for readers of the log, the outbox and HTTP. */
export function passing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, type } = error as { code?: unknown; type?: unknown }
  if (typeof code === 'string' && (POSTGRES.test(code) || NETWORK.has(code))) return true
  return (typeof type === 'string' && EVENTSTOREDB.has(type)) || passing(error.cause)
}

/** What Postgres says to the loser of a conflict between transactions. */
const LOST = /^(40...|55P03)$/

/** Whether a store is away: it cannot be reached or cannot work now. Who lost a conflict between transactions passes, too, but was answered. */
export const isAway = (error: unknown): boolean => passing(error) && !LOST.test(`${(error as { code?: unknown }).code}`)

/** Classes in which Postgres speaks of the data it was given. */
const DATA = /^(21|22|23|44|54|P0)/

/** Whether what was given is to blame: neither what passes, nor what Postgres has with itself (a table that is gone, a right that is missing). */
export function ofData(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  const sqlstate = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  return !passing(error) && (!sqlstate || DATA.test(code))
}
