import { errand, eventProcess } from '../kernel/process.ts'
import { idOfStream } from '../kernel/store.ts'
import type { AccountEvent } from './account.ts'

/** The delay before folders are handed back a second time: a player may have been assigning one while the deletion was scheduled. */
const RECHECK_MS = 60_000

/**
 * Deletes an account once its deletion can no longer be undone. An instructor's open sessions go back to their players at once, and again after
 * `RECHECK_MS`.
 */
export const accountDeletionProcess = eventProcess<AccountEvent>({
  name: 'deleting',
  startsFrom: 'beginning',
  on: {
    DeletionScheduled: e => {
      const person = idOfStream(e.stream)
      const handBack = { person, position: `${e.position}` }
      const later = new Date(Date.parse(e.at) + RECHECK_MS).toISOString()
      return [
        errand(e, 'account.hand-back', handBack),
        errand(e, 'account.hand-back', handBack, { due: later, key: ['account.hand-back', 'again'] }),
        errand(e, 'account.delete', { person, due: e.data.due }, { due: e.data.due }),
      ]
    },
  },
})
