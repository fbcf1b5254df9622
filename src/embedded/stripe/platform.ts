import type { Platform, Store } from './store.ts'

/**
 * The starting balance of a new sandbox. It is large enough to transfer instructors' shares before the demo's card payments become
 * available.
 */
const STARTING_CENTS = 1_000_000

export const platformOf = (store: Store): Platform =>
  store.get('platform', 'platform') ?? { id: 'platform', aheadMs: 0, startingCents: STARTING_CENTS }

/** The time by the sandbox's clock, in ms since 1970. */
export const sandboxNow = (store: Store) => Date.now() + platformOf(store).aheadMs

/** Moves the sandbox's clock forward permanently. */
export function passHours(store: Store, hours: number) {
  const platform = platformOf(store)
  store.put('platform', { ...platform, aheadMs: platform.aheadMs + hours * 3_600_000 })
}

export const startWith = (store: Store, startingCents: number) => store.put('platform', { ...platformOf(store), startingCents })
