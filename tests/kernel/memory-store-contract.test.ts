import type { RecordedEvent } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { testStoreContract } from './store-contract.ts'

testStoreContract('the log in memory', async () => {
  const log: RecordedEvent[] = []
  const plant = async (stream: string, events: RecordedEvent[]) => {
    for (const [i, e] of events.entries())
      log.push({ ...e, stream, revision: BigInt(i), position: BigInt(log.length), at: new Date().toISOString() })
  }
  return { open: () => memoryStore(undefined, log), plant: plant as never }
})
