import { folderDecider, type HandBackCause, type LapseCause } from '../../modules/folders/folder.ts'
import { derivedId, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { CommandRefused, type EventStore } from '../../modules/kernel/store.ts'
import { foldersWithPendingApproval } from '../../projections/approvals.ts'
import type { OpenSession } from '../../projections/assignments.ts'
import type { ApiDependencies } from '../api/dependencies.ts'

/** Ends all pending approval requests of a player or for an instructor, because nobody can answer them anymore. Idempotent. */
export async function lapsePendingApprovals(
  { sql, store }: Pick<ApiDependencies, 'sql' | 'store'>,
  of: 'player' | 'instructor',
  id: string,
  cause: LapseCause,
): Promise<void> {
  for (const folderId of await foldersWithPendingApproval(sql, of, id))
    await handleCommand(store, folderDecider, folderId, 'lapse', { cause }, systemCommandSource())
}

/**
 * How an open session ends: the player withdraws it unread, or it is handed back with a reason. `cause` is set if it was
 * not the instructor's decision.
 */
export type SessionEnding = { kind: 'withdraw' } | { kind: 'hand-back'; reason: string; cause?: HandBackCause }

/** Ends each session for which `endingOf` returns an ending. `cause` names the errand, which makes the commands idempotent. */
export async function endOpenSessions(
  store: EventStore,
  sessions: readonly OpenSession[],
  endingOf: (session: OpenSession) => SessionEnding | null,
  cause: string,
): Promise<void> {
  for (const session of sessions) {
    const ending = endingOf(session)
    if (!ending) continue
    const by = systemCommandSource(derivedId(session.id, cause))
    const ended =
      ending.kind === 'withdraw'
        ? handleCommand(store, folderDecider, session.folder, 'withdraw', {}, by)
        : handleCommand(
            store,
            folderDecider,
            session.folder,
            'decline',
            { instructor: session.instructor.id, session: session.id, reason: ending.reason, cause: ending.cause },
            by,
          )
    // The session was started, delivered or withdrawn in the meantime, so it must not be ended.
    await ended.catch(error => {
      if (!(error instanceof CommandRefused)) throw error
    })
  }
}
