import { CommandRefused } from '../../modules/kernel/store.ts'
import { adminMediaJobContract as contract } from '../../modules/media/contract.ts'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { assertFound } from './problem.ts'
import { routesOfContract } from './routing.ts'

/** Maximum number of jobs in the administrators' list. */
const MAX_LISTED_JOBS = 100

export const adminMediaJobRoutes = routesOfContract(contract, {
  'GET /api/admin/media': ({ deps }) => mediaJobQueue(deps.sql).queue(MAX_LISTED_JOBS),

  'POST /api/admin/media/{video}/refuse': async ({ deps, params, query, body, user }) => {
    if (query.kind !== 'rendition')
      throw new CommandRefused('You can refuse only videos, not voice-overs or videos of reviews.', 'not-a-video')
    assertFound(await mediaJobQueue(deps.sql).refuseByAdministrator(params.video, query.kind, body.reason, user.id))
  },

  'POST /api/admin/media/{video}/retry': async ({ deps, params, query }) => {
    assertFound(await mediaJobQueue(deps.sql).retry(params.video, query.kind))
  },
})
