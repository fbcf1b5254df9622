import type { Platform, Store } from './store.ts'

/** So much lies in the account of a new sandbox that a demo's discounted sessions can be passed on before its card money is available. */
const STARTING_CENTS = 1_000_000

export const platformOf = (store: Store): Platform =>
  store.get('platform', 'platform') ?? { id: 'platform', aheadMs: 0, startingCents: STARTING_CENTS }

/** Milliseconds by the sandbox's clock. */
export const sandboxNow = (store: Store) => Date.now() + platformOf(store).aheadMs

/** Moves the sandbox's clock on, for good. */
export function passHours(store: Store, hours: number) {
  const platform = platformOf(store)
  store.put('platform', { ...platform, aheadMs: platform.aheadMs + hours * 3_600_000 })
}

export const startWith = (store: Store, startingCents: number) => store.put('platform', { ...platformOf(store), startingCents })
