import type { EventStore } from '../../../modules/kernel/store.ts'
import type { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import type { PaymentGateway } from '../../../modules/payments/gateway.ts'
import { OutcomeUnknownError } from '../../../modules/payments/stripe/client.ts'

/** Simulates a crash of the process at this point. */
export class SimulatedCrash extends Error {}

/** What happens to the next calls, in order; once used up, all succeed. */
export type CallOutcomes = ('fine' | 'crash before' | 'crash after' | 'no answer')[]

/** A store and a provider that answer like `plain` and `real`, except for the failures that a test sets. */
export function faultyGateway(plain: ReturnType<typeof memoryStore>, real: PaymentGateway, clock: () => Date) {
  let luck: CallOutcomes = []
  let isAccountReady = false
  let isBlind = false
  let interlude: (() => Promise<unknown>) | undefined
  const runInterlude = async () => {
    const then = interlude
    interlude = undefined
    await then?.()
  }
  const unlucky = async <T>(work: () => Promise<T>): Promise<T> => {
    const fate = luck.shift() ?? 'fine'
    if (fate === 'crash before') throw new SimulatedCrash()
    const done = await work()
    if (fate === 'crash after') throw new SimulatedCrash()
    if (fate === 'no answer') throw new OutcomeUnknownError('nobody answered')
    return done
  }
  const store: EventStore = {
    ...plain,
    append: async (stream, expected, events) => {
      const fate = luck.shift() ?? 'fine'
      if (fate === 'crash before') throw new SimulatedCrash()
      const position = await plain.append(stream, expected, events)
      if (fate === 'crash after') throw new SimulatedCrash()
      return position
    },
  }

  const gateway: PaymentGateway = {
    ...real,
    charge: o => unlucky(() => real.charge(o).finally(runInterlude)),
    findCharge: (payment, attempt) => (isBlind ? Promise.resolve(null) : real.findCharge(payment, attempt)),
    abandon: (intent, k) => unlucky(() => real.abandon(intent, k)),
    refund: o => unlucky(() => real.refund(o)),
    transfer: o => unlucky(() => real.transfer(o).finally(runInterlude)),
    reverse: (transfer, amount, k) => unlucky(() => real.reverse(transfer, amount, k).finally(runInterlude)),
    accountStatus: async () => ({ takesTransfers: isAccountReady, requirements: isAccountReady ? [] : ['identity.individual.given_name'] }),
  }

  return {
    deps: { store, gateway, clock },
    setLuck: (next: CallOutcomes) => {
      luck = next
    },
    /** Runs after the provider has performed the next charge or transfer, and before we get its response. */
    meanwhile: (then: () => Promise<unknown>) => {
      interlude = then
    },
    /** Makes lookups of charges at the provider find nothing, or find them again. */
    goBlind: (yes: boolean) => {
      isBlind = yes
    },
    setAccountReady: (yes: boolean) => {
      isAccountReady = yes
    },
  }
}
