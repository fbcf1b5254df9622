import { leads as contract } from '../../modules/leads/contract.ts'
import { blocked, keepLead } from '../../modules/leads/leads.ts'
import { BLOCKED_MESSAGE } from '../../modules/leads/policy.ts'
import { wrong } from './problem.ts'
import { serve } from './route.ts'

export const leads = serve(contract, {
  'POST /api/landing-page/leads': async ({ deps, body, address }) => {
    await deps.limits.take('leads', address)
    // Filled in by a program: it is told that all went well.
    if (body.not_for_humans) return { alreadyExists: false }
    if (blocked(body.email)) throw wrong('email', BLOCKED_MESSAGE)
    return { alreadyExists: await keepLead(deps.sql, body.email, body.metadata ?? {}, deps.clock()) }
  },
})
