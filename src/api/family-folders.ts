import { familyFoldersContract as contract } from '../../modules/folders/contract.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, loadState } from '../../modules/kernel/decider.ts'
import { instructorsOfPlayers, sessionsOfFolderOrPlayer } from '../../projections/assignments.ts'
import { folderOf } from '../../projections/folders.ts'
import { folderStoryOf } from '../../projections/story.ts'
import { childWithPastConsent } from './access.ts'
import { folderList } from './folder-list.ts'
import { folderReplyWithSession } from './folder-reply-with-session.ts'
import { assertFound } from './problem.ts'
import { commandReply, routesOfContract, withCaughtUpReadModels } from './routing.ts'

/** Types of events with which a session ends without feedback, and after which nobody can read it. */
const SESSION_ENDS = new Set(['AssignmentWithdrawn', 'AssignmentDeclined'])

export const familyFolderRoutes = routesOfContract(contract, {
  'GET /api/family/children/{child}/folders': withCaughtUpReadModels(['folders', 'assignments', 'approvals', 'vettings'], async ctx => {
    const child = await childWithPastConsent(ctx, ctx.params.child)
    const [{ list }, reviewers] = await Promise.all([
      folderList(ctx.deps, child.id, 'guardian', ctx.query),
      instructorsOfPlayers(ctx.deps.sql, [child.id], ctx.deps.clock()),
    ])
    return { ...list, reviewers, instructors: [...new Set(reviewers.map(r => r.name))] }
  }),

  'GET /api/family/folders/{folder}': withCaughtUpReadModels(
    ['folders', 'assignments', 'approvals', 'story', 'ratings', 'vettings'],
    async ctx => {
      const { sql } = ctx.deps
      const folderRow = assertFound(await folderOf(sql, ctx.params.folder))
      await childWithPastConsent(ctx, folderRow.player.id)
      const sessions = await sessionsOfFolderOrPlayer(sql, 'folder', folderRow.id)
      const { session } = ctx.query
      // A guardian's letter about an assignment links to its session, which may end without feedback before the guardian opens the link.
      const story = await folderStoryOf(sql, folderRow.id)
      const hasEnded = story.some(e => SESSION_ENDS.has(e.type) && e.detail.assignment === session)
      return folderReplyWithSession(ctx.deps, folderRow, 'guardian', sessions, hasEnded ? undefined : session)
    },
  ),

  'POST /api/family/folders/{folder}/withdraw': async ctx => {
    const { deps, guardian, params, query, by } = ctx
    const { player } = await loadState(deps.store, folderDecider, params.folder)
    await childWithPastConsent(ctx, assertFound(player))
    const withdrawal = { session: query.session, guardian: guardian.id }
    return commandReply((await handleCommand(deps.store, folderDecider, params.folder, 'withdraw', withdrawal, by)).position)
  },
})
