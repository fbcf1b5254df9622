import { errand, eventProcess } from '../kernel/process.ts'
import { idOfStream } from '../kernel/store.ts'
import type { AccountEvent } from './account.ts'

/** Deletes an account once its deletion can no longer be undone. An instructor's open sessions go back to their players at once. */
export const accountDeletionProcess = eventProcess<AccountEvent>({
  name: 'deleting',
  startsFrom: 'beginning',
  on: {
    DeletionScheduled: e => [
      errand(e, 'account.hand-back', { person: idOfStream(e.stream), position: `${e.position}` }),
      errand(e, 'account.delete', { person: idOfStream(e.stream), due: e.data.due }, { due: e.data.due }),
    ],
  },
})
