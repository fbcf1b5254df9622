import { type FolderReturnCauseOnPlayerSide, folderDecider } from '../../modules/folders/folder.ts'
import { derivedId, handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { CommandRefused, type EventStore } from '../../modules/kernel/store.ts'
import type { OpenSession } from '../../projections/assignments.ts'

/**
 * How an open session ends: it is withdrawn before the instructor has started the review, or it is returned to the player with a reason.
 * `cause` says why if the instructor did not decide it.
 */
export type WithdrawalOrHandBack = { kind: 'withdraw' } | { kind: 'hand-back'; reason: string; cause?: FolderReturnCauseOnPlayerSide }

/**
 * Ends each session for which `endingOf` returns an ending. The ids of the commands are derived from `errand`, the name of the errand that
 * ends the sessions, so a repeated errand changes nothing.
 */
export async function endOpenFolderSessions(
  store: EventStore,
  sessions: readonly OpenSession[],
  endingOf: (session: OpenSession) => WithdrawalOrHandBack | null,
  errand: string,
): Promise<void> {
  for (const session of sessions) {
    const ending = endingOf(session)
    if (!ending) continue
    const by = systemCommandSource(derivedId(session.id, errand))
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
    // The folder decider refuses if the session was started, delivered or withdrawn in the meantime. Such a session is left unchanged.
    await ended.catch(error => {
      if (!(error instanceof CommandRefused)) throw error
    })
  }
}
