import { phrasesContract as contract } from '../../modules/phrases/contract.ts'
import { deletePhrase, phrasesOf, savePhrase, updatePhrase } from '../../modules/phrases/phrase-table.ts'
import { assertFound, notFound } from './problem.ts'
import { routesOfContract } from './routing.ts'

export const phraseRoutes = routesOfContract(contract, {
  'GET /api/phrases': async ({ deps, user }) => ({ phrases: await phrasesOf(deps.sql, user.id) }),
  'POST /api/phrases': async ({ deps, user, body }) => ({ id: assertFound(await savePhrase(deps.sql, user.id, body, deps.clock())) }),
  'PUT /api/phrases/{phrase}': async ({ deps, user, params, body }) => {
    if (!(await updatePhrase(deps.sql, user.id, params.phrase, body, deps.clock()))) throw notFound()
  },
  'DELETE /api/phrases/{phrase}': async ({ deps, user, params }) => {
    if (!(await deletePhrase(deps.sql, user.id, params.phrase))) throw notFound()
  },
})
