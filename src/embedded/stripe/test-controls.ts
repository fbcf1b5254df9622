import { z } from 'zod'

const rule = z.strictObject({
  /** The requests that the rule applies to: a prefix of the method and path, such as `POST /v1/payment_intents`. All requests if empty. */
  match: z.string().default(''),
  /** How many requests the rule applies to. */
  times: z.int().min(1).default(1),
  /**
   * `hang`: never responds. `error`: 500. `drop`: closes the connection. `slow`: waits `ms`. `busy`: 429. `lock`: 429 `lock_timeout`.
   * `refuse`: fails as if the balance were too low, and stores that response under the idempotency key.
   */
  how: z.enum(['hang', 'error', 'drop', 'slow', 'busy', 'lock', 'refuse']),
  /** Whether the fault happens before or after the request's work. */
  when: z.enum(['before', 'after']).default('before'),
  ms: z.int().min(0).max(600_000).default(0),
})
const webhooks = z.strictObject({
  /** Holds webhooks back until this is false again. */
  hold: z.boolean().default(false),
  /** Milliseconds between an event and its delivery. */
  delay: z.int().min(0).max(600_000).default(0),
  /** How many times each webhook is sent. */
  copies: z.int().min(1).max(10).default(1),
  order: z.enum(['sent', 'reversed', 'random']).default('sent'),
})
export const testControlSchema = z.strictObject({
  calls: z.array(rule).optional(),
  webhooks: webhooks.optional(),
  /** The number of the test card that a payment method imitates from now on, keyed by the payment method's id. */
  cards: z.record(z.string(), z.string()).optional(),
  /** Ids of charges to dispute. */
  disputes: z.array(z.string()).optional(),
  /** Ids of charges whose money the card network returns before a formal dispute. */
  prevented: z.array(z.string()).optional(),
  /** The outcome of a dispute, keyed by the dispute's id. A lost dispute may still be won later. */
  outcomes: z.record(z.string(), z.enum(['won', 'lost'])).optional(),
  /** The bank's final answer about a refund, keyed by the refund's id. */
  refunds: z.record(z.string(), z.enum(['succeeded', 'failed'])).optional(),
  /** Hours by which the sandbox's clock moves forward permanently: pending money becomes available, and idempotency keys expire. */
  hours: z.number().min(0).max(10_000).optional(),
  /** The business's balance in cents before its first sale. If it is low enough, transfers from the balance are refused. */
  startingCents: z.int().optional(),
  /** Ids of payout accounts whose balance is paid out to the owner's bank immediately, so that a reversal finds nothing to take back. */
  payouts: z.array(z.string()).optional(),
})
export type FaultRule = z.infer<typeof rule>
export type WebhookFaults = z.infer<typeof webhooks>

export interface FaultInjector {
  calls: FaultRule[]
  webhooks: WebhookFaults
  /** The fault rule for this request, if any. Each call counts as one use of the rule. */
  take(method: string, path: string): FaultRule | undefined
  /** Waits for `ms` (forever if absent), or until the faults are reset. */
  wait(ms?: number): Promise<void>
  reset(): void
}

/** Creates an injector without any faults. Tests add faults, which do not survive a restart. */
export function newFaultInjector(): FaultInjector {
  let release = Promise.withResolvers<void>()
  const faultInjector: FaultInjector = {
    calls: [],
    webhooks: webhooks.parse({}),
    take(method, path) {
      const found = faultInjector.calls.find(r => `${method} ${path}`.startsWith(r.match))
      if (found && --found.times === 0) faultInjector.calls = faultInjector.calls.filter(r => r !== found)
      return found && { ...found }
    },
    async wait(ms) {
      if (ms === undefined) return release.promise
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<void>(done => {
        timer = setTimeout(done, ms)
      })
      await Promise.race([over, release.promise])
      clearTimeout(timer)
    },
    reset() {
      faultInjector.calls = []
      faultInjector.webhooks = webhooks.parse({})
      release.resolve()
      release = Promise.withResolvers()
    },
  }
  return faultInjector
}
