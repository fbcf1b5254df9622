import type { Recorded } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { contract } from './contract.ts'

contract('the log in memory', async () => {
  const log: Recorded[] = []
  const plant = async (stream: string, events: Recorded[]) => {
    for (const [i, e] of events.entries())
      log.push({ ...e, stream, revision: BigInt(i), position: BigInt(log.length), at: new Date().toISOString() })
  }
  return { open: () => memoryStore(undefined, log), plant: plant as never }
})
