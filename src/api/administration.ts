import { administration as contract } from '../../modules/administration/contract.ts'
import { searchForAdmin } from '../../projections/admin-search.ts'
import { readModelQuery, serve } from './route.ts'

export const administration = serve(contract, {
  'GET /api/admin/search': readModelQuery(['folders', 'payments', 'requests'], ({ deps, query: { text } }) =>
    searchForAdmin(deps.sql, text, deps.clock()),
  ),
})
