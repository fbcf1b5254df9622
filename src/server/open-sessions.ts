import { folder, type HandBackCause, type LapseCause } from '../../modules/folders/folder.ts'
import { bySystem, derivedId, handle } from '../../modules/kernel/decider.ts'
import { type EventStore, Refused } from '../../modules/kernel/store.ts'
import { foldersWithPendingApproval } from '../../projections/approvals.ts'
import type { SessionLine } from '../../projections/assignments.ts'
import type { Deps } from '../api/deps.ts'

/** Ends the requests for approval of a player, or to an instructor, that nobody can answer any more. Twice is like once. */
export async function lapsePendingApprovals(
  { sql, store }: Pick<Deps, 'sql' | 'store'>,
  of: 'player' | 'instructor',
  id: string,
  cause: LapseCause,
): Promise<void> {
  for (const folderId of await foldersWithPendingApproval(sql, of, id))
    await handle(store, folder, folderId, 'lapse', { cause }, bySystem())
}

/** What happens to an open session: the player takes it back unread, or it is handed back with a reason, which may not be the instructor's. */
export type SessionEnding = { kind: 'withdraw' } | { kind: 'hand-back'; reason: string; cause?: HandBackCause }

/** Ends each of these sessions for which `endingOf` says how. `cause` names the errand, so that doing it twice is like once. */
export async function endSessions(
  store: EventStore,
  sessions: SessionLine[],
  endingOf: (session: SessionLine) => SessionEnding | null,
  cause: string,
): Promise<void> {
  for (const session of sessions) {
    const ending = endingOf(session)
    if (!ending) continue
    const by = bySystem(derivedId(session.id, cause))
    const ended =
      ending.kind === 'withdraw'
        ? handle(store, folder, session.folder, 'withdraw', {}, by)
        : handle(
            store,
            folder,
            session.folder,
            'decline',
            { instructor: session.instructor.id, session: session.id, reason: ending.reason, cause: ending.cause },
            by,
          )
    // Started, delivered or taken back in this very moment, the session is no longer ours to end.
    await ended.catch(error => {
      if (!(error instanceof Refused)) throw error
    })
  }
}
