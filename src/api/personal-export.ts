import { handle } from '../../modules/kernel/decider.ts'
import { exportKey } from '../../modules/media/object-keys.ts'
import { account, accountOf, availableExport, pendingExport } from '../../modules/privacy/account.ts'
import { personalExportContract as contract } from '../../modules/privacy/contract.ts'
import { site } from '../site.ts'
import { assertFound } from './problem.ts'
import { commandReply, serve } from './route.ts'

export const personalExportRoutes = serve(contract, {
  'GET /api/account/export': async ({ deps, user }) => {
    const now = deps.clock()
    const own = await accountOf(deps.store, user.id)
    const latest = pendingExport(own, now) ?? own.exports.findLast(({ id }) => availableExport(own, id, now))
    return { export: latest ? { id: latest.id, requested: latest.requested, made: latest.made } : null }
  },

  'POST /api/account/export': async ({ deps, user, by, address }) => {
    await deps.limits.take('export', address, user.id)
    const { position } = await handle(
      deps.store,
      account,
      user.id,
      'requestExport',
      { export: by.command, at: deps.clock().toISOString() },
      by,
    )
    return commandReply(position)
  },

  'GET /api/account/exports/{export}': async ({ deps, user, params, by }) => {
    const now = deps.clock()
    const { made } = assertFound(availableExport(await accountOf(deps.store, user.id), params.export, now))
    await deps.limits.take('change', '', user.id)
    const url = await deps.objects.download(exportKey(user.id, params.export), `${site.name}-${made!.until.slice(0, 10)}.zip`)
    await handle(deps.store, account, user.id, 'downloadExport', { export: params.export, at: now.toISOString() }, by)
    return new Response(null, { status: 303, headers: { location: url, 'cache-control': 'no-store' } })
  },
})
