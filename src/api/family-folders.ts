import { familyFoldersContract as contract } from '../../modules/folders/contract.ts'
import { sessionsOf } from '../../projections/assignments.ts'
import { folderOf, foldersOf } from '../../projections/folders.ts'
import { readableChild } from './access.ts'
import { folderPage } from './folder-page.ts'
import { folderView } from './folder-view.ts'
import { assertFound } from './problem.ts'
import { readModelQuery, serve } from './route.ts'

export const familyFolderRoutes = serve(contract, {
  'GET /api/family/children/{child}/folders': readModelQuery(['folders', 'assignments', 'approvals'], async ctx => {
    const { sql } = ctx.deps
    const child = await readableChild(ctx, ctx.params.child)
    const [rows, sessions] = await Promise.all([foldersOf(sql, child.id), sessionsOf(sql, 'player', child.id)])
    const byFolder = Map.groupBy(sessions, s => s.folder)
    const view = await folderView(ctx.deps, rows, 'guardian')
    return { folders: await Promise.all(rows.map(row => view.own(row, byFolder.get(row.id) ?? []))) }
  }),

  'GET /api/family/folders/{folder}': readModelQuery(['folders', 'assignments', 'approvals', 'story', 'ratings'], async ctx => {
    const { sql } = ctx.deps
    const there = assertFound(await folderOf(sql, ctx.params.folder))
    await readableChild(ctx, there.player.id)
    return folderPage(ctx.deps, there, 'guardian', await sessionsOf(sql, 'folder', there.id), ctx.query.session)
  }),
})
