import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { contract } from './contract.ts'

contract('the log in memory', async () => ({ store: memoryStore() }))
