import { mediaWork as contract } from '../../modules/media/contract.ts'
import { mediaWork } from '../../modules/media/work.ts'
import { found } from './problem.ts'
import { serve } from './route.ts'

/** Most listed for the administrator. */
const WORKS_MOST = 100

export const media = serve(contract, {
  'GET /api/admin/media': ({ deps }) => mediaWork(deps.sql).queue(WORKS_MOST),

  'POST /api/admin/media/{video}/refuse': async ({ deps, params, body, user }) => {
    found(await mediaWork(deps.sql).refuseByAdministrator(params.video, body.reason, user.id))
  },

  'POST /api/admin/media/{video}/retry': async ({ deps, params }) => {
    found(await mediaWork(deps.sql).again(params.video))
  },
})
