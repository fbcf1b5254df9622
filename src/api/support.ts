import { derivedId, handleCommand } from '../../modules/kernel/decider.ts'
import { streamOf } from '../../modules/kernel/store.ts'
import { supportContract as contract } from '../../modules/support/contract.ts'
import { supportRequestDecider } from '../../modules/support/support-request.ts'
import {
  pageOfOwnSupportRequests,
  pageOfSupportRequests,
  supportRequestsByUrgency,
  supportRequestWithSender,
} from '../../projections/support-requests.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { nextPageLink } from './next-page-link.ts'
import { notFound } from './problem.ts'
import { commandReply, routesOfContract, withCaughtUpReadModels } from './routing.ts'

/** @throws Problem 404 if there is no request with this id */
async function assertRequestExists({ store }: AppDependencies, id: string) {
  if (!(await store.read(streamOf(supportRequestDecider.stream, id))).length) throw notFound()
}

export const supportRoutes = routesOfContract(contract, {
  'POST /api/support/request': async ({ deps, user, body, by, address, request: http }) => {
    await deps.limits.take('support', address, user.id)
    const { suggestedSolution, deviceInfo, ...rest } = body
    const newRequest = {
      ...rest,
      deviceInfo: (deviceInfo ?? http.headers.get('user-agent'))?.slice(0, 500) ?? null,
      suggestedSolution: suggestedSolution || null,
    }
    // The specification's request body has no id, so derive one from the command's: a repeated request then creates nothing new.
    const id = derivedId(by.command, 'support')
    const { position } = await handleCommand(deps.store, supportRequestDecider, id, 'ask', { by: user.id, ...newRequest }, by)
    const [event] = await deps.store.read(streamOf(supportRequestDecider.stream, id))
    return commandReply(position, { id, ...newRequest, status: 'open', answer: null, answered: null, answers: [], asked: event!.at })
  },

  'GET /api/support/my-requests': withCaughtUpReadModels(['requests'], async ({ deps, user, query, headers }) => {
    const { rows, next } = await pageOfOwnSupportRequests(deps.sql, user.id, query)
    // The specification fixes the reply as a plain list, so a `Link` header points to the next page (RFC 8288).
    if (next) headers.link = nextPageLink('/api/support/my-requests', { before: next, limit: query.limit })
    return rows
  }),

  'GET /api/admin/support': withCaughtUpReadModels(['requests'], async ({ deps: { sql }, query: { status, list, request, ...page } }) => {
    if (list) {
      const { rows: requests, ...pages } = await pageOfSupportRequests(sql, list, page)
      return { requests, ...pages }
    }
    const requests = [...(await (request ? supportRequestWithSender(sql, request) : supportRequestsByUrgency(sql, status)))]
    return { requests, total: requests.length, next: null }
  }),

  'POST /api/admin/support/{request}/answer': async ({ deps, user, params, body, by }) => {
    await assertRequestExists(deps, params.request)
    const { position } = await handleCommand(deps.store, supportRequestDecider, params.request, 'answer', { ...body, by: user.id }, by)
    return commandReply(position)
  },

  'POST /api/admin/support/{request}/status': async ({ deps, params, body, by }) => {
    await assertRequestExists(deps, params.request)
    const { position } = await handleCommand(deps.store, supportRequestDecider, params.request, 'set', body, by)
    return commandReply(position)
  },
})
