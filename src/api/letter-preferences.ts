import { letterPreferencesContract as contract } from '../../modules/letters/contract.ts'
import { letterPreferencesOf, setReminders, setRemindersByToken } from '../../modules/letters/preferences.ts'
import type { Deps } from './deps.ts'
import { notFound } from './problem.ts'
import { serve } from './route.ts'

async function setByLink({ sql, limits }: Deps, address: string, token: string, reminders: boolean) {
  await limits.take('link', address)
  if (!(await setRemindersByToken(sql, token, reminders))) throw notFound()
}

export const letterPreferenceRoutes = serve(contract, {
  'GET /api/account/letters': async ({ deps, user }) => {
    const { reminders } = await letterPreferencesOf(deps.sql, user.id)
    return { reminders }
  },
  'PUT /api/account/letters': ({ deps, user, body }) => setReminders(deps.sql, user.id, body.reminders),
  'POST /api/unsubscribe/{token}': ({ deps, params, address }) => setByLink(deps, address, params.token, false),
  'DELETE /api/unsubscribe/{token}': ({ deps, params, address }) => setByLink(deps, address, params.token, true),
})
