import { type ApprovalLapseCause, folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { folderIdsWithPendingApproval } from '../../projections/approvals.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'

/** Ends all pending approval requests of a player or for an instructor, because nobody can answer them anymore. Idempotent. */
export async function endPendingApprovalsOfPlayerOrInstructor(
  { sql, store }: Pick<AppDependencies, 'sql' | 'store'>,
  of: 'player' | 'instructor',
  id: string,
  cause: ApprovalLapseCause,
): Promise<void> {
  for (const folderId of await folderIdsWithPendingApproval(sql, of, id))
    await handleCommand(store, folderDecider, folderId, 'lapse', { cause }, systemCommandSource())
}
