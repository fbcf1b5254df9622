import { randomUUID } from 'node:crypto'
import { beforeEach } from 'vitest'
import { handleCommand } from '../../../modules/kernel/decider.ts'
import type { EventStore } from '../../../modules/kernel/store.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { paymentDecider } from '../../../modules/payments/payment.ts'
import type { PaymentDependencies } from '../../../modules/payments/perform-charge-attempts.ts'

type Answers = Record<string, unknown[]>
export const TEST_TIME = '2026-03-01T12:00:00.000Z'
export const testParties = { folder: 'f1', player: 'ana', instructor: 'casey' }
export const testCommandSource = () => ({ command: randomUUID(), actor: 'ana' })

/**
 * Creates an empty store and a provider with scripted answers before each test. `context` holds them, the answers (initially what `first`
 * returns), the recorded calls to the provider, and the time `now` in ms. `sendCommand` sends a command to the payment p1.
 */
export function setUpPaymentTestbed(first: () => Answers = () => ({})) {
  const context = {} as { now: number; store: EventStore; calls: unknown[][]; answers: Answers; deps: PaymentDependencies }
  beforeEach(() => {
    const [store, calls] = [memoryStore(), [] as unknown[][]]
    const deps: PaymentDependencies = { store, gateway: scriptedGateway(() => context.answers, calls), clock: () => new Date(context.now) }
    Object.assign(context, { now: Date.parse(TEST_TIME), store, calls, answers: first(), deps })
  })
  const sendCommand = (command: keyof typeof paymentDecider.decide, payload: object) =>
    handleCommand(context.store, paymentDecider, 'p1', command, payload as never, testCommandSource())
  return { context, sendCommand }
}

/**
 * Creates a payment provider with scripted answers: each call gets the next answer, and the last one is repeated; errors are thrown. Its
 * calls are recorded in `calls`. A call without an answer throws an error.
 */
function scriptedGateway(answers: () => Answers, calls: unknown[][]): PaymentDependencies['gateway'] {
  return new Proxy({} as PaymentDependencies['gateway'], {
    get:
      (_, call: string) =>
      async (...asked: unknown[]) => {
        calls.push([call, ...asked])
        const left = answers()[call]
        if (!left) throw new Error(`${call} was not expected`)
        const answer = left.length > 1 ? left.shift() : left[0]
        if (answer instanceof Error) throw answer
        return answer
      },
  })
}
