import { errandWithRecheck } from '../kernel/errand-with-recheck.ts'
import { errand, eventProcess } from '../kernel/process.ts'
import { idOfStream } from '../kernel/store.ts'
import type { AccountEvent } from './account.ts'

/**
 * Deletes an account once its deletion can no longer be undone. An instructor's open sessions go back to their players at once, and once more
 * later, because a player may have been assigning a folder while the deletion was scheduled.
 */
export const accountDeletionProcess = eventProcess<AccountEvent>({
  name: 'deleting',
  startsFrom: 'beginning',
  on: {
    DeletionScheduled: e => {
      const person = idOfStream(e.stream)
      return [
        ...errandWithRecheck(e, 'account.hand-back', { person, position: `${e.position}` }),
        errand(e, 'account.delete', { person, due: e.data.due }, { due: e.data.due }),
      ]
    },
  },
})
