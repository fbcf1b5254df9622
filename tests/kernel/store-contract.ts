import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import type { EventStore, NewEvent } from '../../modules/kernel/store.ts'
import { testAppends } from './append-contract.ts'
import { testSubscriptions } from './subscription-contract.ts'

export interface StoreHarness {
  /** Each test gets a separate store on the same log, so that tests do not affect each other. */
  open: () => EventStore & { close?: () => Promise<unknown> }
  /** Cuts the connections of the store's readers, as a failing network does; they must recover by themselves. */
  drop?: () => Promise<void>
  /** Writes a stream as older versions did, which did not convert ids to lower case. */
  plant: (stream: string, events: NewEvent[]) => Promise<unknown>
  end?: () => Promise<void>
}
/** The log under test, and a store on it that is reopened for each test. */
export interface StoreContractContext {
  underTest: StoreHarness
  store: ReturnType<StoreHarness['open']>
}

/**
 * Tests a store against the contract that all stores share. The log may hold other events, so each test uses its own streams. The log is
 * torn down only after all tests in the file, so that any single test can be rerun (`npm run mutate -- --once`).
 */
export function testStoreContract(name: string, open: () => Promise<StoreHarness>) {
  const log = {} as StoreContractContext
  beforeAll(async () => {
    log.underTest = await open()
  })
  afterAll(() => log.underTest?.end?.())
  describe(name, () => {
    beforeEach(() => {
      log.store = log.underTest.open()
    })
    afterEach(() => log.store.close?.())
    testAppends(log)
    testSubscriptions(log)
  })
}
