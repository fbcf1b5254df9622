import { H3 } from 'h3'
import { z } from 'zod'
import { endpoints } from '../../modules/endpoint.ts'
import { health } from '../server/health.ts'
import { site } from '../site.ts'
import { accounts } from './accounts.ts'
import type { Deps } from './deps.ts'
import { instructors } from './instructors.ts'
import { leads } from './leads.ts'
import { openapi } from './openapi.ts'
import { mount, type Route, refuse, serve } from './route.ts'

const described = endpoints({
  'GET /api/openapi.json': {
    summary: 'This description',
    access: 'anyone',
    reply: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  },
})

/** Every call of the API. */
export const routes: Route[] = [
  ...health,
  ...serve(described, { 'GET /api/openapi.json': ({ deps }) => openapi(routes, { name: site.name, origin: deps.config.origin }) }),
  ...accounts,
  ...instructors,
  ...leads,
]

/** The API as an app with `fetch(request)`. */
export function api(deps: Deps): H3 {
  const app = new H3({ silent: true, onError: (error, event) => refuse(event, deps, error) })
  mount(app, routes, deps)
  return app
}
