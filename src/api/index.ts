import { H3 } from 'h3'
import { z } from 'zod'
import { endpoints } from '../../modules/endpoint.ts'
import { site } from '../site.ts'
import { accountDeletion } from './account-deletion.ts'
import { accountSettings } from './account-settings.ts'
import { accounts } from './accounts.ts'
import { administration } from './administration.ts'
import { audit } from './audit.ts'
import { consents } from './consent.ts'
import { deliveries } from './deliveries.ts'
import type { Deps } from './deps.ts'
import { familyFolders } from './family-folders.ts'
import { familyMoney } from './family-money.ts'
import { folders } from './folders.ts'
import { guardianChanges } from './guardian-changes.ts'
import { guardians } from './guardians.ts'
import { health } from './health.ts'
import { instructors } from './instructors.ts'
import { leads } from './leads.ts'
import { letterPreferences } from './letter-preferences.ts'
import { media } from './media.ts'
import { mediaWorkRoutes as work } from './media-work.ts'
import { openApiDocument } from './openapi.ts'
import { payments } from './payments.ts'
import { personalExport } from './personal-export.ts'
import { phrases } from './phrases.ts'
import { familyProgress, progress } from './progress.ts'
import { ratings } from './ratings.ts'
import { rewards } from './rewards.ts'
import { mountRoutes, problemResponse, type Route, serve } from './route.ts'
import { sharing } from './sharing.ts'
import { stripeWebhook } from './stripe-webhook.ts'
import { support } from './support.ts'
import { vettings } from './vetting.ts'
import { voices } from './voices.ts'

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
  ...serve(described, { 'GET /api/openapi.json': ({ deps }) => openApiDocument(routes, { name: site.name, origin: deps.config.origin }) }),
  ...accounts,
  ...guardians,
  ...guardianChanges,
  ...consents,
  ...accountSettings,
  ...accountDeletion,
  ...personalExport,
  ...instructors,
  ...leads,
  ...folders,
  ...deliveries,
  ...familyFolders,
  ...phrases,
  ...progress,
  ...familyProgress,
  ...media,
  ...work,
  ...administration,
  ...audit,
  ...payments,
  ...familyMoney,
  ...letterPreferences,
  ...stripeWebhook,
  ...ratings,
  ...rewards,
  ...sharing,
  ...support,
  ...vettings,
  ...voices,
]

/** The API as an app with `fetch(request)`. */
export function createApi(deps: Deps): H3 {
  const app = new H3({ silent: true, onError: (error, event) => problemResponse(event, deps, error) })
  mountRoutes(app, routes, deps)
  return app
}
