import type { ClockAndStartingBalance, SandboxStore } from './store.ts'

/**
 * The starting balance of a new sandbox. It is large enough to transfer instructors' shares before the demo's card payments become
 * available.
 */
const STARTING_CENTS = 1_000_000

export const clockAndStartingBalanceOf = (store: SandboxStore): ClockAndStartingBalance =>
  store.get('platform', 'platform') ?? { id: 'platform', aheadMs: 0, startingCents: STARTING_CENTS }

/** The time by the sandbox's clock, in ms since 1970. */
export const sandboxNowMs = (store: SandboxStore) => Date.now() + clockAndStartingBalanceOf(store).aheadMs

/** Moves the sandbox's clock forward permanently. */
export function advanceClockHours(store: SandboxStore, hours: number) {
  const platform = clockAndStartingBalanceOf(store)
  store.put('platform', { ...platform, aheadMs: platform.aheadMs + hours * 3_600_000 })
}

export const setPlatformStartingBalance = (store: SandboxStore, startingCents: number) =>
  store.put('platform', { ...clockAndStartingBalanceOf(store), startingCents })
