import { derivedId } from '../../modules/kernel/decider.ts'
import type { RequestContext } from './routing.ts'

/**
 * The command id of a request that uses up an emailed link. Unlike `by.command`, it does not depend on who is signed in, because the
 * request may end the caller's session before the browser repeats it.
 */
export function commandIdOfRequestUsingEmailedLink({ by, request }: Pick<RequestContext, 'by' | 'request'>): string {
  const key = request.headers.get('idempotency-key')
  return key && by.asked ? derivedId('emailed-link', key, by.asked) : by.command
}
