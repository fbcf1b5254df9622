import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { fairQueue } from './fair-queue.ts'

/** OWASP's parameters for Argon2id: 19 MiB, two passes, one lane. */
export const OWASP_ARGON2ID_PARAMETERS = { memory: 19456, passes: 2, parallelism: 1 } as const
/** The parameters of new hashes. Only tests change them: they register thousands of people, and a hash takes 25 ms. */
export const newHashParameters: { memory: number; passes: number; parallelism: number } = { ...OWASP_ARGON2ID_PARAMETERS }

/** The start of a hash: a PHC string names the algorithm and its parameters. */
const phcParameters = ({ memory, passes, parallelism }: typeof newHashParameters) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`

// One core stays free for other requests.
const threadCount = Math.max(1, availableParallelism() - 1)
/** About ten seconds of work for a thread. Beyond that, callers get a `PasswordQueueFullError`. */
const MAX_WAITING_PER_THREAD = 384
const hashingQueue = fairQueue(
  threadCount,
  MAX_WAITING_PER_THREAD * threadCount,
  () => new PasswordQueueFullError('too many passwords at once'),
)
const idleThreads: Worker[] = []

/** There are more passwords to check than the machine can handle. Nothing was done; try again in a second or two. */
export class PasswordQueueFullError extends Error {
  readonly seconds = 2
}

/**
 * Keys that identify who requests a password check, such as an account and a network address. A flood under one key takes turns with
 * everybody else's requests, so it does not delay them. Empty if nothing is known about the requester.
 */
export type PasswordQueueKeys = readonly string[]

/** Call it before any query, to reject a flood early. @throws PasswordQueueFullError if another job with these keys would be refused now */
export const assertPasswordQueueHasRoom = (asker: PasswordQueueKeys = []) => hashingQueue.checkRoom(asker)

/** Waits for its turn, then derives the hash in a thread, which is reused unless it failed. */
function derive(parameters: Argon2Parameters, asker: PasswordQueueKeys): Promise<Uint8Array> {
  return hashingQueue.take(asker, async () => {
    const thread = idleThreads.pop() ?? new Worker(new URL('./argon2-thread.ts', import.meta.url))
    thread.ref()
    thread.postMessage(parameters)
    let tag: unknown
    // Under `--watch`, Node also sends messages about loaded files this way.
    do [tag] = await once(thread, 'message')
    while (!(tag instanceof Uint8Array))
    thread.unref()
    idleThreads.push(thread)
    return tag
  })
}

/** The Argon2id hash as a PHC string. @throws PasswordQueueFullError */
export async function hashPassword(password: string, asker: PasswordQueueKeys = []): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive({ message: password.normalize('NFKC'), nonce, ...newHashParameters, tagLength: 32 }, asker)
  return `${phcParameters(newHashParameters)}$${base64(nonce)}$${base64(tag)}`
}

/** Stands in for the hash of a missing account. Its parameters are those of real hashes, so that checking it takes as long. */
const DUMMY_HASH = `${phcParameters(OWASP_ARGON2ID_PARAMETERS)}$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`

/**
 * Whether the password matches the hash. Takes just as long if `stored` is undefined (no such account), so that the time does not reveal
 * which accounts exist.
 * @throws PasswordQueueFullError, or Error if `stored` is not an Argon2id hash
 */
export async function verifyPassword(password: string, stored: string | undefined, asker: PasswordQueueKeys = []): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored ?? DUMMY_HASH)
  if (!parts) throw new Error('a stored password is not an Argon2id hash')
  const [, m, t, p, nonce, tag] = parts as unknown as [string, string, string, string, string, string]
  const expected = Buffer.from(tag, 'base64')
  const parameters = {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    tagLength: expected.length,
  }
  const actual = await derive(parameters, asker)
  return timingSafeEqual(actual, expected) && stored !== undefined
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
