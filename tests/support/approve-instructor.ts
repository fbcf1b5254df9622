import { type APIRequestContext, request } from '@playwright/test'
import postgres, { type Sql } from 'postgres'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import type { AppProcess } from './app-process.ts'
import { ensureFirstAdminCredentials } from './first-admin-credentials.ts'

/** Calls the API; throws if the response is not a success. */
type Call = (method: 'POST', path: string, body?: object) => Promise<unknown>

/**
 * Approves an instructor the way people do: confirms the instructor's email address with a link like the one in the letter, then approves
 * the instructor as an administrator. After that, everybody can find them.
 */
export async function approveInstructor(o: { sql: Sql; anyone: Call; admin: Call; now?: Date }, instructor: string) {
  const { token } = await createEmailedLinkToken(o.sql, o.now ?? new Date(), 'confirm-email', { owner: instructor })
  await o.anyone('POST', `/api/email-confirmation/${token}`, undefined)
  await o.admin('POST', `/api/admin/instructors/${instructor}/approve`, undefined)
}

const administrators = new Map<AppProcess, Promise<APIRequestContext>>()

async function signInAdministrator(app: AppProcess): Promise<APIRequestContext> {
  const api = await request.newContext({ baseURL: app.url, extraHTTPHeaders: { origin: app.url } })
  const answer = await api.post('/api/login', { data: await ensureFirstAdminCredentials(app), timeout: 0 })
  if (!answer.ok()) throw new Error(`no administrator: ${answer.status()} ${await answer.text()}`)
  return api
}

/** Approves an instructor of a complete instance, as its first administrator. Returns once later requests see the approval. */
export async function approveInstructorOfAppProcess(app: AppProcess, instructor: string) {
  const administrator = administrators.get(app) ?? signInAdministrator(app)
  administrators.set(app, administrator)
  const admin = await administrator
  let position = ''
  const call: Call = async (method, path) => {
    const answer = await admin.fetch(path, { method, timeout: 0 })
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
    position = answer.headers()['x-position'] ?? position
  }
  const sql = postgres(app.config.databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await approveInstructor({ sql, anyone: call, admin: call }, instructor)
  } finally {
    await sql.end()
  }
  await admin.get('/api/instructors', { headers: { 'x-seen': position }, timeout: 0 })
}
