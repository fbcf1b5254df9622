import { letterPreferencesContract as contract } from '../../modules/letters/contract.ts'
import {
  findOrCreateLetterPreferences,
  setReminderPreference,
  setReminderPreferenceByToken,
} from '../../modules/letters/letter-preferences-table.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { notFound } from './problem.ts'
import { routesOfContract } from './routing.ts'

async function setByLink({ sql, limits }: AppDependencies, address: string, token: string, reminders: boolean) {
  await limits.take('link', address)
  if (!(await setReminderPreferenceByToken(sql, token, reminders))) throw notFound()
}

async function remindersOf({ sql }: AppDependencies, person: string) {
  const { reminders } = await findOrCreateLetterPreferences(sql, person)
  return { reminders }
}

export const letterPreferenceRoutes = routesOfContract(contract, {
  'GET /api/account/letters': ({ deps, user }) => remindersOf(deps, user.id),
  'PUT /api/account/letters': ({ deps, user, body }) => setReminderPreference(deps.sql, user.id, body.reminders),
  'GET /api/family/letters': ({ deps, guardian }) => remindersOf(deps, guardian.id),
  'PUT /api/family/letters': ({ deps, guardian, body }) => setReminderPreference(deps.sql, guardian.id, body.reminders),
  'POST /api/unsubscribe/{token}': ({ deps, params, address }) => setByLink(deps, address, params.token, false),
  'DELETE /api/unsubscribe/{token}': ({ deps, params, address }) => setByLink(deps, address, params.token, true),
})
