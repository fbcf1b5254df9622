import { handleCommand } from '../../modules/kernel/decider.ts'
import { dataExportKey } from '../../modules/media/object-keys.ts'
import {
  accountDecider,
  availableExport,
  latestExport,
  loadAccountPrivacyState,
} from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { childExportContract, dataExportContract } from '../../modules/privacy/contract.ts'
import { site } from '../site.ts'
import { childWithPastConsent } from './access.ts'
import { assertFound } from './problem.ts'
import { commandReply, type RequestContext, routesOfContract } from './routing.ts'

type CallContext = Pick<RequestContext, 'deps' | 'by' | 'address'>
/** The person whose data is exported, and the guardian who requested the export; null if the person requested it. */
interface ExportRequest {
  person: string
  guardian: string | null
}

async function latest({ deps }: Pick<RequestContext, 'deps'>, { person, guardian }: ExportRequest) {
  const newestExport = latestExport(await loadAccountPrivacyState(deps.store, person), guardian, deps.clock())
  return { export: newestExport ? { id: newestExport.id, requested: newestExport.requested, made: newestExport.made } : null }
}

async function request({ deps, by, address }: CallContext, { person, guardian }: ExportRequest) {
  // A guardian may export the data of each child equally often.
  await deps.limits.take('export', address, guardian ? `${guardian}:${person}` : person)
  const exportRequest = { export: by.command, at: deps.clock().toISOString(), guardian }
  return commandReply((await handleCommand(deps.store, accountDecider, person, 'requestExport', exportRequest, by)).position)
}

/** Records the download and redirects to the file in the object store. @throws Problem 404 if the caller has no such export, 429 */
async function download({ deps, by }: CallContext, { person, guardian, export: id }: ExportRequest & { export: string }) {
  const now = deps.clock()
  const { made } = assertFound(availableExport(await loadAccountPrivacyState(deps.store, person), id, guardian, now))
  await deps.limits.take('change', '', guardian ?? person)
  const location = await deps.objects.signDownload(dataExportKey(person, id), `${site.name}-${made!.until.slice(0, 10)}.zip`)
  await handleCommand(deps.store, accountDecider, person, 'downloadExport', { export: id, at: now.toISOString(), guardian }, by)
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}

export const dataExportRoutes = routesOfContract(dataExportContract, {
  'GET /api/account/export': ctx => latest(ctx, { person: ctx.user.id, guardian: null }),
  'POST /api/account/export': ctx => request(ctx, { person: ctx.user.id, guardian: null }),
  'GET /api/account/exports/{export}': ctx => download(ctx, { person: ctx.user.id, guardian: null, export: ctx.params.export }),
})

/** Lets a child's current guardian export the child's data if they have ever consented, even if they have withdrawn consent since. */
export const childExportRoutes = routesOfContract(childExportContract, {
  'GET /api/family/children/{child}/export': async ctx => {
    const { id: person } = await childWithPastConsent(ctx, ctx.params.child)
    return latest(ctx, { person, guardian: ctx.guardian.id })
  },
  'POST /api/family/children/{child}/export': async ctx => {
    const { id: person } = await childWithPastConsent(ctx, ctx.params.child)
    return request(ctx, { person, guardian: ctx.guardian.id })
  },
  'GET /api/family/children/{child}/exports/{export}': async ctx => {
    const { id: person } = await childWithPastConsent(ctx, ctx.params.child)
    return download(ctx, { person, guardian: ctx.guardian.id, export: ctx.params.export })
  },
})
