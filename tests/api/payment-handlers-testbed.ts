import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { beforeEach } from 'vitest'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { paymentRoutes } from '../../src/api/payments.ts'

export const PAYMENT_TEST_TIME = new Date('2026-06-01T12:00:00.000Z')
export const testSystemCommandSource = () => ({ command: randomUUID(), actor: 'system' })
const testPlayerCommandSource = () => ({ command: randomUUID(), actor: 'ana' })

/** A paid payment as the read model has it. */
export const paidPaymentRow = (id: string, more: object) => ({
  payment: id,
  folder: 'f1',
  folderName: null,
  player: 'ana',
  playerName: null,
  instructor: 'cal',
  instructorName: null,
  status: 'paid',
  items: [],
  total: 1550,
  share: 1200,
  tip: 0,
  charged: 1550,
  refunded: 0,
  dispute: null,
  refunding: [],
  card: { brand: 'visa', last4: '4242' },
  card_owner: 'ana',
  failure: null,
  opened: PAYMENT_TEST_TIME.toISOString(),
  due: PAYMENT_TEST_TIME.toISOString(),
  paid: PAYMENT_TEST_TIME.toISOString(),
  transferred: null,
  ...more,
})

/**
 * Sets up the payment handlers with a log in memory, in which the player Ana has a wallet with one card. Each test sets what the provider
 * answers (`context.gateway`) and what the read models hold (`context.rows`). `context.asked` has the arguments of all provider calls.
 */
export function setUpPaymentHandlers() {
  const context = {} as {
    store: ReturnType<typeof memoryStore>
    gateway: Record<string, (...asked: never[]) => unknown>
    rows: object[]
    asked: unknown[]
    /** Makes the player a minor, and sets their guardian if there is one. */
    minor?: { guardian: string | null }
    /** The fate of the last letter to the guardian, such as `bounced`; undefined if none is recorded. */
    letterFate?: string
  }
  beforeEach(async () => {
    const store = memoryStore()
    Object.assign(context, { store, gateway: {}, rows: [], asked: [], minor: undefined, letterFate: undefined })
    await handleCommand(store, walletDecider, 'ana', 'begin', { customer: 'cus_1' }, testSystemCommandSource())
    await handleCommand(
      store,
      walletDecider,
      'ana',
      'save',
      { card: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
      testSystemCommandSource(),
    )
  })
  /** Calls an endpoint as the player with the id `user`, unless `ctx` has another user, and returns its reply. */
  const ask = async (call: string, ctx: object = {}, user = 'ana') => {
    const { handler } = paymentRoutes.find(r => `${r.method} ${r.path}` === call)!
    const { store, gateway, rows, minor, letterFate } = context
    const deps = {
      store,
      gateway,
      clock: () => PAYMENT_TEST_TIME,
      config: { origin: 'http://ours.test' },
      log: pino({ level: 'silent' }),
      limits: { take: async () => {} },
      sql: Object.assign(async (query: unknown) => {
        if (String(query).includes('select u.born')) return [minor ? { born: '2012-01-01', agreed: true, ...minor } : { born: null }]
        if (String(query).includes('from guardians')) return [{ id: minor?.guardian, email: 'maria@example.com' }]
        if (String(query).includes('from letter_fates')) return letterFate ? [{ fate: letterFate }] : []
        if (String(query).includes('as unpaid')) return [{ unpaid: 2400, earned: 3950, transferred: 2450 }]
        if (String(query).includes('as count from')) return [{ count: rows.length }]
        return String(query).includes('as given') ? [{ given: 2, cents: 2400 }] : rows
      }, {}) as unknown,
    }
    const answer: unknown = await handler({
      deps,
      user: { id: user, role: 'player' },
      by: testPlayerCommandSource(),
      params: {},
      query: {},
      body: {},
      ...ctx,
    } as never)
    return (answer && typeof answer === 'object' && 'reply' in answer ? answer.reply : answer) as Record<string, unknown>
  }
  /** Fakes a method of the provider that records its arguments and then returns `answer`, or throws it if it is an error. */
  const says =
    (answer: unknown) =>
    async (...all: unknown[]) => {
      context.asked.push(...all)
      if (answer instanceof Error) throw answer
      return answer
    }
  return { context, ask, says }
}
