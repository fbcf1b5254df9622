import { z } from 'zod'

const rule = z.strictObject({
  /** Requests it is for: the start of `POST /v1/payment_intents`. All if absent. */
  match: z.string().default(''),
  /** How many of them. */
  times: z.int().min(1).default(1),
  /** `hang` never answers, `error` is a 500, `drop` closes the connection, `slow` waits `ms`, `busy` is a 429, `lock` a 429 too (`lock_timeout`), `refuse` a balance too low: the answer under this key from then on. */
  how: z.enum(['hang', 'error', 'drop', 'slow', 'busy', 'lock', 'refuse']),
  /** Before the work is done, or after it. */
  when: z.enum(['before', 'after']).default('before'),
  ms: z.int().min(0).max(600_000).default(0),
})
const webhooks = z.strictObject({
  /** Keeps them back until it is false again. */
  hold: z.boolean().default(false),
  /** Milliseconds between an event and its delivery. */
  delay: z.int().min(0).max(600_000).default(0),
  /** How often each is sent. */
  copies: z.int().min(1).max(10).default(1),
  order: z.enum(['sent', 'reversed', 'random']).default('sent'),
})
export const controlSchema = z.strictObject({
  calls: z.array(rule).optional(),
  webhooks: webhooks.optional(),
  /** Payment method → number of the test card that it behaves as from now on. */
  cards: z.record(z.string(), z.string()).optional(),
  /** Charges to dispute. */
  disputes: z.array(z.string()).optional(),
  /** Charges whose money the card network gives back before there is a formal dispute. */
  prevented: z.array(z.string()).optional(),
  /** Dispute → how it ends. What was lost may still be won. */
  outcomes: z.record(z.string(), z.enum(['won', 'lost'])).optional(),
  /** Refund → what its bank says in the end. */
  refunds: z.record(z.string(), z.enum(['succeeded', 'failed'])).optional(),
  /** Hours that the sandbox's clock moves on, for good: pending money becomes available, and idempotency keys are forgotten. */
  hours: z.number().min(0).max(10_000).optional(),
  /** Cents that the business had before its first sale: below what it has been paid, transfers out of the balance are refused. */
  startingCents: z.int().optional(),
  /** Payout accounts whose money goes to their owners' banks now, so that nothing is left to take back. */
  payouts: z.array(z.string()).optional(),
})
export type FaultRule = z.infer<typeof rule>
export type WebhookFaults = z.infer<typeof webhooks>

export interface FaultControl {
  calls: FaultRule[]
  webhooks: WebhookFaults
  /** The rule for this request, which counts as used. */
  take(method: string, path: string): FaultRule | undefined
  /** Waits, until `ms` are over or the control is reset. */
  wait(ms?: number): Promise<void>
  reset(): void
}

/** Misfortune to order, for tests; none at first, and forgotten by a restart. */
export function newFaultControl(): FaultControl {
  let release = Promise.withResolvers<void>()
  const control: FaultControl = {
    calls: [],
    webhooks: webhooks.parse({}),
    take(method, path) {
      const found = control.calls.find(r => `${method} ${path}`.startsWith(r.match))
      if (found && --found.times === 0) control.calls = control.calls.filter(r => r !== found)
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
      control.calls = []
      control.webhooks = webhooks.parse({})
      release.resolve()
      release = Promise.withResolvers()
    },
  }
  return control
}
