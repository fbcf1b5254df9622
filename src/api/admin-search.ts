import { adminSearchContract as contract } from '../../modules/admin-search/contract.ts'
import { FOUND_PEOPLE_PER_PAGE } from '../../modules/admin-search/policy.ts'
import { pageOfFoundPeople, searchForAdmin } from '../../projections/admin-search-queries.ts'
import { routesOfContract, withCaughtUpReadModels } from './routing.ts'

export const adminSearchRoutes = routesOfContract(contract, {
  'GET /api/admin/search': withCaughtUpReadModels(['folders', 'payments', 'purchases', 'requests'], ({ deps, query: { text } }) =>
    searchForAdmin(deps.sql, text, deps.clock()),
  ),

  'GET /api/admin/search/people': async ({ deps, query: { text, after } }) => {
    const { rows, next } = await pageOfFoundPeople(deps.sql, text, { after, limit: FOUND_PEOPLE_PER_PAGE })
    return { people: rows, next }
  },
})
