import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { type Problem, requestTimedOut, serviceUnavailable } from './problem.ts'

/** After this long, a request gets a 503. Its work continues, and a retry with the same `Idempotency-Key` gets the result. */
const REQUEST_TIMEOUT_MS = 30_000
/**
 * After this time the server checks that Postgres and the event log respond, and ends the request if they do not within
 * `STORE_CHECK_TIMEOUT_MS`. A request that is slow only because the machine is busy, for example hashing passwords, continues.
 */
const STORE_CHECK_AFTER_MS = 2000
const STORE_CHECK_TIMEOUT_MS = 3000

/** Requests that got a 503 while their handlers were still working. */
const timedOutRequests = new WeakSet<Request>()
export const hasTimedOut = (request: Request) => timedOutRequests.has(request)

type TimeoutDependencies = Pick<AppDependencies, 'checks' | 'requestTimeoutMs' | 'storeCheckAfterMs'>

/** The response to a request, or a 503 if it takes too long, or if Postgres or the event log does not respond in the meantime. */
export function responseOrTimeoutProblem(
  request: Request,
  deps: TimeoutDependencies,
  response: Promise<Response>,
  responseOfProblem: (problem: Problem) => Response,
): Promise<Response> {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, storeCheckAfterMs = STORE_CHECK_AFTER_MS } = deps
  return new Promise<Response>((resolve, reject) => {
    let timer = setTimeout(async () => {
      const giveUp = (problem: Problem) => {
        clearTimeout(timer)
        timedOutRequests.add(request)
        resolve(responseOfProblem(problem))
      }
      timer = setTimeout(() => giveUp(requestTimedOut()), requestTimeoutMs - storeCheckAfterMs)
      if (!(await doStoresRespond(deps))) giveUp(serviceUnavailable(5))
    }, storeCheckAfterMs)
    response.then(inTime => {
      clearTimeout(timer)
      resolve(inTime)
    }, reject)
  })
}

async function doStoresRespond({ checks }: TimeoutDependencies): Promise<boolean> {
  const signs = Promise.all([checks.postgres?.(), checks.log?.()])
  return withDeadline(STORE_CHECK_TIMEOUT_MS, signs).then(
    () => true,
    () => false,
  )
}
