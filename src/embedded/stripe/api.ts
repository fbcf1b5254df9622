import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BaseLogger } from 'pino'
import { sandboxNowMs } from './clock-and-starting-balance.ts'
import { type DecodedForm, decodeForm } from './decode-form.ts'
import { expandObjectPaths } from './expand-objects.ts'
import { newFailFastObjectLocks } from './object-locks.ts'
import { STRIPE_API_VERSION } from './resources/events.ts'
import { findRoute } from './routes.ts'
import { type IdempotentResponse, newStripeId, type SandboxStore } from './store.ts'
import { InvalidParameterError, invalidRequest, StripeError } from './stripe-error.ts'
import type { FaultInjector, FaultRule } from './test-controls.ts'

interface Answer {
  status: number
  body: string
  replayed?: boolean
}

/** Stripe may forget an idempotency key after 24 hours; the sandbox always does. */
const IDEMPOTENCY_KEY_MS = 86_400_000

const digest = (value: string) => createHash('sha256').update(value).digest()

/** Creates the handler of API requests. It checks the API key and the idempotency key, calls the endpoint, and expands the response. */
export function newStripeApi(o: {
  store: SandboxStore
  secretKey: string
  faultInjector: FaultInjector
  origin: () => string
  log: BaseLogger
  changed: () => void
}) {
  const { store, faultInjector } = o
  const underWay = new Set<string>()
  const locks = newFailFastObjectLocks()

  /** The API key in the `Authorization` header if it is not ours, or '' if there is none; null if the key is right. */
  const rejectedApiKey = (header = '') => {
    const [scheme, value = ''] = header.split(' ')
    const key = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[0]! : value
    return timingSafeEqual(digest(key), digest(o.secretKey)) ? null : key
  }

  /**
   * Performs a request. Its response, even an error, is stored under the idempotency key for a day. Only a request with an unknown URL or
   * an invalid parameter can be corrected and sent again with the same key. If `failing`, the request takes effect but gets a 500 response.
   */
  function work(
    { method, path, account }: { method: string; path: string; account?: string },
    form: DecodedForm,
    key: string | undefined,
    fingerprint: string,
    failing: boolean,
  ): Answer {
    const found = findRoute(method, path)
    if (!found)
      return errorAnswer(
        new StripeError(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path}). The sandbox does not speak it.`),
      )
    const { expand: paths, ...rest } = form
    const keep = (answer: Answer) => keepAnswer(key, fingerprint, answer)
    const failed: Answer = errorAnswer(new StripeError(500, 'api_error', 'An unknown error occurred.'))
    try {
      return store.transaction(() => {
        try {
          const made = found.handler({ store, at: found.at, path, form: rest, origin: o.origin(), account })
          const body = expandObjectPaths(store, made, Array.isArray(paths) ? paths.map(String) : [])
          return keep(failing ? failed : { status: 200, body: JSON.stringify(body, null, 2) })
        } catch (e) {
          if (e instanceof StripeError && e.type === 'card_error') keep(failing ? failed : errorAnswer(e))
          throw e
        }
      })
    } catch (e) {
      if (e instanceof StripeError) {
        const answer = failing ? failed : errorAnswer(e)
        return e instanceof InvalidParameterError ? answer : store.transaction(() => keep(answer))
      }
      o.log.error({ err: e, method, path }, 'the Stripe sandbox failed')
      return store.transaction(() => keep(failed))
    } finally {
      o.changed()
    }
  }

  function keepAnswer(key: string | undefined, fingerprint: string, answer: Answer): Answer {
    if (key) store.put('answered', { id: key, fingerprint, ...answer, at: sandboxNowMs(store) })
    return answer
  }
  /** The stored response for this key, if it has not expired. */
  function answeredBefore(key: string): IdempotentResponse | undefined {
    const before = store.get('answered', key)
    return before && sandboxNowMs(store) - before.at < IDEMPOTENCY_KEY_MS ? before : undefined
  }

  return async function api(req: IncomingMessage, res: ServerResponse, path: string, encoded: string) {
    const method = req.method!
    const send = ({ status, body, replayed }: Answer) => {
      if (res.destroyed) return
      res.writeHead(status, {
        'content-type': 'application/json',
        'request-id': newStripeId('req', 14),
        'stripe-version': req.headers['stripe-version'] ?? STRIPE_API_VERSION,
        ...(req.headers['idempotency-key'] && { 'idempotency-key': req.headers['idempotency-key'] }),
        ...(replayed && { 'idempotent-replayed': 'true' }),
      })
      res.end(body)
    }
    const wrong = rejectedApiKey(req.headers.authorization)
    if (wrong !== null) {
      const shown = wrong.length > 12 ? `${wrong.slice(0, 8)}****${wrong.slice(-4)}` : '****'
      return send(
        errorAnswer(
          new StripeError(401, 'invalid_request_error', wrong ? `Invalid API Key provided: ${shown}` : 'You did not provide an API key.'),
        ),
      )
    }
    const key = method === 'POST' ? (req.headers['idempotency-key'] as string | undefined) : undefined
    if (key && key.length > 255) return send(errorAnswer(invalidRequest('Idempotency keys may have at most 255 characters.')))
    const fingerprint = digest(`${method} ${path} ${[...new URLSearchParams(encoded)].map(String).sort().join('&')}`).toString('base64url')
    const before = key && answeredBefore(key)
    if (before) {
      if (before.fingerprint === fingerprint) return send({ ...before, replayed: true })
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
      return send(errorAnswer(new StripeError(400, 'idempotency_error', message)))
    }
    if (key && underWay.has(key))
      return send(
        errorAnswer(
          new StripeError(409, 'idempotency_error', `There is currently another in-progress request using this Idempotent Key: ${key}`, {
            code: 'idempotency_key_in_use',
          }),
        ),
      )
    const form = method === 'POST' && path.startsWith('/v2/') ? decodeJson(encoded) : decodeForm(encoded)
    const unlock = method === 'POST' ? locks.lock(path, form) : () => {}
    if (!unlock) return send(errorAnswer(lockTimeout()))
    if (key) underWay.add(key)
    try {
      const rule = faultInjector.take(method, path)
      if (rule?.how === 'refuse') {
        const answer = errorAnswer(invalidRequest('You have insufficient available funds in your Stripe account.', 'balance_insufficient'))
        return send(store.transaction(() => keepAnswer(key, fingerprint, answer)))
      }
      if (rule?.when === 'before' && !(await endured(rule, res, send))) return
      const account = req.headers['stripe-account'] as string | undefined
      const answer = work({ method, path, account }, form, key, fingerprint, rule?.how === 'error')
      if (rule?.when === 'after' && rule.how !== 'error' && !(await endured(rule, res, send))) return
      send(answer)
    } finally {
      if (key) underWay.delete(key)
      unlock()
    }
  }

  /** Applies a fault rule to a response. @returns whether the request still needs its normal response */
  async function endured(rule: FaultRule, res: ServerResponse, send: (answer: Answer) => void) {
    const gone = new Promise<void>(done => res.once('close', done))
    if (rule.how === 'slow') await Promise.race([faultInjector.wait(rule.ms), gone])
    if (rule.how === 'hang') await Promise.race([faultInjector.wait(), gone])
    if (rule.how === 'hang' || rule.how === 'drop') res.destroy()
    if (rule.how === 'error') send(errorAnswer(new StripeError(500, 'api_error', 'An unknown error occurred.')))
    if (rule.how === 'busy') send(errorAnswer(new StripeError(429, 'rate_limit_error', 'Too many requests.', { code: 'rate_limit' })))
    if (rule.how === 'lock') send(errorAnswer(lockTimeout()))
    return rule.how === 'slow'
  }
}

/** Decodes JSON, which version 2 of the API uses. Returns {} if it is invalid. */
function decodeJson(encoded: string): DecodedForm {
  try {
    return JSON.parse(encoded || '{}') as DecodedForm
  } catch {
    return {}
  }
}

const lockTimeout = () =>
  new StripeError(
    429,
    'invalid_request_error',
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
    { code: 'lock_timeout' },
  )

const errorAnswer = (e: StripeError): Answer => ({ status: e.status, body: JSON.stringify(e.body(), null, 2) })
