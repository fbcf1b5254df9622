import { errand, process } from '../kernel/process.ts'
import { idOf } from '../kernel/store.ts'
import type { AccountEvent } from './account.ts'

/** Deletes an account once its deletion can no longer be undone. An instructor's open sessions go back to their players at once. */
export const accountDeletionProcess = process<AccountEvent>({
  name: 'deleting',
  startsFrom: 'beginning',
  on: {
    DeletionScheduled: e => [
      errand(e, 'account.hand-back', { person: idOf(e.stream), position: `${e.position}` }),
      errand(e, 'account.delete', { person: idOf(e.stream), due: e.data.due }, { due: e.data.due }),
    ],
  },
})
