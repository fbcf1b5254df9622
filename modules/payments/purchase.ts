import { decider } from '../kernel/decider.ts'
import type { PackageType } from './policy.ts'

/** Stream `purchase-<id derived from the hosted page's session>`. */
export interface PackageBought {
  type: 'PackageBought'
  data: { player: string; package: PackageType; folders: number; amount: number; session: string; intent: string; charge: string }
}

/** A package of folders that was paid for; once, however often the page, the webhook and the player say so. */
export const purchase = decider<{ bought: boolean }, PackageBought>()({
  stream: 'purchase',
  initial: { bought: false },
  evolve: { PackageBought: () => ({ bought: true }) },
  decide: { complete: (p, data: PackageBought['data']) => (p.bought ? [] : { type: 'PackageBought', data }) },
})
