import { request } from '@playwright/test'
import type { AppProcess } from './app-process.ts'

const known = new Map<AppProcess, Promise<{ username: string; password: string }>>()

/** Returns the login of an instance's first administrator, whom the first call creates with the setup link that the server prints. */
export function ensureFirstAdminCredentials(app: AppProcess) {
  const made = known.get(app) ?? register(app)
  known.set(app, made)
  return made
}

async function register(app: AppProcess) {
  const [, token] = /\/admin\/register\?token=([\w-]+)/.exec(app.output()) ?? []
  const [username, password] = ['ada.min@example.com', 'correct horse']
  const api = await request.newContext({ baseURL: app.url, extraHTTPHeaders: { origin: app.url } })
  const data = { email: username, password, firstName: 'Ada', lastName: 'Min', token }
  const answer = await api.post('/api/register/admin', { data })
  if (answer.status() !== 201) throw new Error(`no administrator: ${answer.status()} ${await answer.text()}`)
  await api.dispose()
  return { username, password }
}
