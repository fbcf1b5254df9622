import { familyFoldersContract as contract } from '../../modules/folders/contract.ts'
import { instructorNamesOf, sessionsOf } from '../../projections/assignments.ts'
import { folderOf } from '../../projections/folders.ts'
import { childAfterConsent } from './access.ts'
import { folderList } from './folder-list.ts'
import { folderPage } from './folder-page.ts'
import { assertFound } from './problem.ts'
import { readModelQuery, serve } from './route.ts'

export const familyFolderRoutes = serve(contract, {
  'GET /api/family/children/{child}/folders': readModelQuery(['folders', 'assignments', 'approvals'], async ctx => {
    const child = await childAfterConsent(ctx, ctx.params.child)
    const [{ list }, instructors] = await Promise.all([
      folderList(ctx.deps, child.id, 'guardian', ctx.query),
      instructorNamesOf(ctx.deps.sql, child.id),
    ])
    return { ...list, instructors }
  }),

  'GET /api/family/folders/{folder}': readModelQuery(['folders', 'assignments', 'approvals', 'story', 'ratings'], async ctx => {
    const { sql } = ctx.deps
    const there = assertFound(await folderOf(sql, ctx.params.folder))
    await childAfterConsent(ctx, there.player.id)
    return folderPage(ctx.deps, there, 'guardian', await sessionsOf(sql, 'folder', there.id), ctx.query.session)
  }),
})
