import type { EventStore } from '../../../modules/kernel/store.ts'
import type { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import type { PaymentGateway } from '../../../modules/payments/gateway.ts'
import { OutcomeUnknownError } from '../../../modules/payments/stripe/client.ts'

/** Thrown where the process is supposed to crash. */
export class SimulatedCrash extends Error {}

/**
 * The outcomes of the next appends to the store and of the next calls that charge, abandon, refund, transfer or reverse, in order. Later
 * ones are undisturbed. An append treats 'no answer' like 'fine'.
 */
export type CallOutcomes = ('fine' | 'crash before' | 'crash after' | 'no answer')[]

/**
 * A store and a provider that behave like `plain` and `real`, except for the failures that a test sets, and the status of payout accounts:
 * they are not ready until a test calls `setAccountReady`.
 */
export function faultyStoreAndGateway(plain: ReturnType<typeof memoryStore>, real: PaymentGateway, clock: () => Date) {
  let callOutcomes: CallOutcomes = []
  let isAccountReady = false
  let areChargesHidden = false
  let duringNextCall: (() => Promise<unknown>) | undefined
  const runInterlude = async () => {
    const then = duringNextCall
    duringNextCall = undefined
    await then?.()
  }
  const withNextOutcome = async <T>(work: () => Promise<T>): Promise<T> => {
    const outcome = callOutcomes.shift() ?? 'fine'
    if (outcome === 'crash before') throw new SimulatedCrash()
    const done = await work()
    if (outcome === 'crash after') throw new SimulatedCrash()
    if (outcome === 'no answer') throw new OutcomeUnknownError('nobody answered')
    return done
  }
  const store: EventStore = {
    ...plain,
    append: async (stream, expected, events) => {
      const fate = callOutcomes.shift() ?? 'fine'
      if (fate === 'crash before') throw new SimulatedCrash()
      const position = await plain.append(stream, expected, events)
      if (fate === 'crash after') throw new SimulatedCrash()
      return position
    },
  }

  const gateway: PaymentGateway = {
    ...real,
    charge: o => withNextOutcome(() => real.charge(o).finally(runInterlude)),
    findCharge: (payment, attempt) => (areChargesHidden ? Promise.resolve(null) : real.findCharge(payment, attempt)),
    abandon: (intent, k) => withNextOutcome(() => real.abandon(intent, k)),
    refund: o => withNextOutcome(() => real.refund(o)),
    transfer: o => withNextOutcome(() => real.transfer(o).finally(runInterlude)),
    reverse: (transfer, amount, k) => withNextOutcome(() => real.reverse(transfer, amount, k).finally(runInterlude)),
    accountStatus: async () => ({ takesTransfers: isAccountReady, requirements: isAccountReady ? [] : ['identity.individual.given_name'] }),
  }

  return {
    deps: { store, gateway, clock },
    setCallOutcomes: (next: CallOutcomes) => {
      callOutcomes = next
    },
    /** Sets what runs after the provider has performed the next charge, transfer or reversal, and before we get its response. */
    runDuringNextCall: (then: () => Promise<unknown>) => {
      duringNextCall = then
    },
    /** Makes lookups of charges at the provider find nothing, or find them again. */
    hideCharges: (yes: boolean) => {
      areChargesHidden = yes
    },
    setAccountReady: (yes: boolean) => {
      isAccountReady = yes
    },
  }
}
