import { decider } from '../kernel/decider.ts'

/** Stream `payout-<instructor>`. */
export type PayoutEvent =
  | { type: 'PayoutAccountOpened'; data: { account: string } }
  /** `released`: payments whose share waited for this account, and go out now. `requirements` are the provider's names of what it still asks for. */
  | { type: 'PayoutAccountChanged'; data: { ready: boolean; submitted: boolean; requirements: string[]; released: string[] } }
  /** The instructor cannot be paid yet: the share waits here. */
  | { type: 'ShareHeld'; data: { payment: string } }

export interface PayoutAccount {
  account: string | null
  ready: boolean
  submitted: boolean
  requirements: string[]
  /** Payments whose share waits. */
  held: string[]
}

export const payoutStatus = (a: PayoutAccount): 'none' | 'started' | 'ready' => (a.ready ? 'ready' : a.account ? 'started' : 'none')

/** Where an instructor's share goes. Holding and releasing are decided here, in one stream, so that no share falls between the two. */
export const payoutAccount = decider<PayoutAccount, PayoutEvent>()({
  stream: 'payout',
  initial: { account: null, ready: false, submitted: false, requirements: [], held: [] },
  evolve: {
    PayoutAccountOpened: (a, { account }) => ({ ...a, account }),
    PayoutAccountChanged: (a, { ready, submitted, requirements, released }) => ({
      ...a,
      ready,
      submitted,
      requirements,
      held: a.held.filter(p => !released.includes(p)),
    }),
    ShareHeld: (a, { payment }) => ({ ...a, held: [...a.held, payment] }),
  },
  decide: {
    open: (a, { account }: { account: string }) => (a.account ? [] : { type: 'PayoutAccountOpened', data: { account } }),
    /** What the provider says about the account now. */
    change: (a, c: { ready: boolean; submitted: boolean; requirements: string[] }) => {
      const same = a.ready === c.ready && a.submitted === c.submitted && a.requirements.join() === c.requirements.join()
      if (!a.account || same) return []
      return { type: 'PayoutAccountChanged', data: { ...c, released: c.ready ? a.held : [] } }
    },
    /** `[]` where the account is ready: then pay out. */
    hold: (a, { payment }: { payment: string }) => (a.ready || a.held.includes(payment) ? [] : { type: 'ShareHeld', data: { payment } }),
  },
})
