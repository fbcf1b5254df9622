/**
 * SQLSTATEs of a Postgres that is unreachable, starting, stopping, failing over or full, of a canceled query, and of a transaction that
 * lost to another one.
 */
const TRANSIENT_SQLSTATE = /^((08|40|53|57|58)...|25006|55P03)$/

/** Error codes from Node's sockets, the Postgres client and `fetch` (undici). */
const TRANSIENT_NETWORK_CODES = new Set(
  ['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'].concat(
    ['EADDRNOTAVAIL', 'EAI_AGAIN', 'EAI_FAIL', 'ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTDOWN', 'EHOSTUNREACH', 'EMFILE'],
    ['ENETDOWN', 'ENETRESET', 'ENETUNREACH', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENOTFOUND', 'EPIPE', 'EPROTO', 'ETIMEDOUT'],
    ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
  ),
)

/** Node's and OpenSSL's error codes for failed TLS connections, which a restarting proxy or a certificate renewal can cause. */
const TLS_CODE = /^(ERR_(SSL|TLS)_|CERT_|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED_CERT)/

/** Values of `type` in the EventStoreDB client's errors (`ErrorType`). */
const TRANSIENT_EVENTSTOREDB_TYPES = new Set(['unavailable', 'timeout', 'deadline-exceeded', 'cancelled', 'not-leader'])

/**
 * Whether an error, or one of its causes, goes away without a change of code or data, so that the same call succeeds later. Subscriptions,
 * readers, the outbox and the HTTP API all rely on this function.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, type } = error as { code?: unknown; type?: unknown }
  if (typeof code === 'string' && (TRANSIENT_SQLSTATE.test(code) || TRANSIENT_NETWORK_CODES.has(code) || TLS_CODE.test(code))) return true
  return (typeof type === 'string' && TRANSIENT_EVENTSTOREDB_TYPES.has(type)) || isTransient(error.cause)
}

/** SQLSTATEs of a transaction that lost to another one: a serialization failure, a deadlock, a lock that was not available. */
const TRANSACTION_CONFLICT_SQLSTATE = /^(40...|55P03)$/

/**
 * Whether a store cannot be reached or cannot work now. A conflict between transactions is transient, too, but it proves that the store
 * answers.
 */
export const isStoreUnavailable = (error: unknown): boolean =>
  isTransient(error) && !TRANSACTION_CONFLICT_SQLSTATE.test(`${(error as { code?: unknown }).code}`)

/** SQLSTATE classes which mean that Postgres rejected a statement because of its data. */
const DATA_SQLSTATE = /^(21|22|23|44|54|P0)/

/**
 * Whether an error is caused by the data, or by our code that handles the data: a poison event causes such an error on every try. False for
 * transient errors, and for faults of the database itself, such as a missing table or privilege.
 */
export function isDataError(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  const isSqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  return !isTransient(error) && (!isSqlState || DATA_SQLSTATE.test(code))
}
