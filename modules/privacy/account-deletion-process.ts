import { errandAndDelayedRecheck } from '../kernel/errand-and-delayed-recheck.ts'
import { errand, eventProcess } from '../kernel/process.ts'
import { idOfStream } from '../kernel/store.ts'
import type { AccountEvent } from './account-exports-and-deletion-decider.ts'

/**
 * How long after the deletion of an account its files are deleted again. Some may have been written since: by a worker that was killed
 * before it could remove them, by a late errand, or by a browser with an upload URL that was still valid.
 */
const LATE_FILES_MS = 24 * 3600_000

/**
 * Deletes an account once its deletion can no longer be undone. If an instructor is leaving, the sessions that they have not started to
 * review are returned to the players immediately. A second pass a minute later catches folders that players were assigning at that moment.
 * If an administrator closed the account, all open sessions and pending approvals of that player or instructor are ended, and the account
 * is signed out everywhere.
 */
export const accountDeletionProcess = eventProcess<AccountEvent>({
  name: 'deleting',
  version: 2,
  startsFrom: 'beginning',
  on: {
    DeletionScheduled: e => {
      const person = idOfStream(e.stream)
      return [
        ...errandAndDelayedRecheck(e, e.data.cause === 'closed' ? 'account.close' : 'account.hand-back', {
          person,
          position: `${e.position}`,
        }),
        errand(e, 'account.delete', { person, due: e.data.due }, { due: e.data.due }),
      ]
    },
    PersonForgotten: e =>
      errand(
        e,
        'account.delete-late-files',
        { person: idOfStream(e.stream), folders: e.data.folders, assignments: e.data.assignments },
        { due: new Date(Date.parse(e.at) + LATE_FILES_MS).toISOString() },
      ),
  },
})
