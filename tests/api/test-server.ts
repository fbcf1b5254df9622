import pino from 'pino'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import type { Errand } from '../../modules/kernel/process.ts'
import type { AppDependencies } from '../../src/api/app-dependencies.ts'
import { type ConfigWithAllServices, readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/server/app.ts'
import { approveInstructor } from '../support/approve-instructor.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { describeUndocumentedStatus } from './undocumented-status.ts'

export const ORIGIN = 'http://ours.test'
const UNREACHABLE_URL = 'http://127.0.0.1:1'

/**
 * Starts the server on a fresh database, without opening a port. Tests can move its clock and read its errands and log lines. The
 * object store, Stripe and the mail provider are unreachable. Read models are updated and errands performed only with `work`.
 */
export async function startTestServer(
  o: { limits?: number; proxies?: string[]; work?: boolean; site?: string; origin?: string; s3?: Record<string, string> } = {},
) {
  const db = await createTestDatabase()
  const logged: string[] = []
  let clockOffsetMs = 0
  const config: ConfigWithAllServices = {
    ...readConfig({
      S3_ENDPOINT: UNREACHABLE_URL,
      S3_BUCKET: 'bucket',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_PATH_STYLE: 'true',
      MEDIA_WORKERS: '0',
      ...o.s3,
    }),
    origin: o.origin ?? ORIGIN,
    databaseUrl: db.url,
    limitScale: o.limits ?? 1000,
    ...(o.proxies && { proxies: o.proxies }),
    stripe: { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', url: UNREACHABLE_URL },
    resend: { apiKey: 're_x', url: UNREACHABLE_URL },
  } as ConfigWithAllServices
  const log = pino({ level: 'debug' }, { write: line => logged.push(line) })
  const app = await buildApp(config, log, { clock: () => new Date(Date.now() + clockOffsetMs), site: o.site ?? '/nowhere' })
  if (o.work) await app.work()
  const { deps } = app
  await deps.sessions.listening
  /** Has a new administrator approve an instructor, and waits for the read model. */
  async function approve(instructor: string) {
    const admin = cookieClient(app)
    await registerAdmin(deps, admin)
    let position = ''
    const call = async (method: 'POST', path: string) => {
      const { status, headers, text } = await admin.call(method, path)
      if (status !== 204) throw new Error(`${method} ${path} answered ${status}: ${text}`)
      position = headers.get('x-position') ?? position
    }
    await approveInstructor({ sql: deps.sql, anyone: call, admin: call, now: deps.clock() }, instructor)
    await deps.readModels.caughtUp(['vettings'], BigInt(position))
  }
  return {
    deps,
    app,
    sql: deps.sql,
    logged,
    /** The errands in the outbox, only those of `kind` if it is given, oldest first. */
    postedErrands: (kind?: string) =>
      deps.sql<
        Errand[]
      >`select id, kind, payload from errands where ${kind ?? null}::text is null or kind = ${kind ?? null} order by asked` as Promise<
        Errand[]
      >,
    /** Moves only the server's clock; errands and the log use the database's. */
    advanceClock: (milliseconds: number) => {
      clockOffsetMs += milliseconds
    },
    browser: (headers?: Record<string, string>) => cookieClient(app, headers),
    approve,
    end: async () => {
      await app.stop()
      await db.end()
    },
  }
}
export type TestServer = Awaited<ReturnType<typeof startTestServer>>

export interface TestReply {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of any reply
  body: any
}

/** Creates a client with a cookie jar. `call('POST', path, body)` sends JSON, or bytes unchanged with the caller's content type. */
export function cookieClient(app: { fetch(request: Request): Response | Promise<Response> }, always: Record<string, string> = {}) {
  let cookie = ''
  return {
    get cookie() {
      return cookie
    },
    set cookie(value: string) {
      cookie = value
    },
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<TestReply> {
      // An assignment must state the price that the player saw. Unless the test passes one, state the current price.
      const [, folder] = (method === 'POST' && /^\/api\/folders\/([^/]+)\/assign$/.exec(path)) || []
      if (folder && body && !('seen' in (body as object))) {
        const { total = 0, atMost = 0 } = (await this.call('GET', `/api/folders/${folder}/quote`, undefined, headers)).body
        return this.call(method, path, { ...body, seen: { total, atMost } }, headers)
      }
      const bytes = body instanceof Uint8Array
      const response = await app.fetch(
        new Request(`${ORIGIN}${path}`, {
          method,
          headers: {
            ...(cookie && { cookie }),
            ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
            ...(body !== undefined && !bytes && { 'content-type': 'application/json' }),
            ...always,
            ...headers,
          },
          body: body === undefined ? undefined : bytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
        }),
      )
      const set = /(session|family)=([\w-]*)/.exec(response.headers.get('set-cookie') ?? '')
      // This client holds one login session at a time, of an account or of a guardian, unless the test sets both cookies itself.
      if (set) cookie = set[2] ? `${set[1]}=${set[2]}` : ''
      const text = await response.text()
      const undocumented = describeUndocumentedStatus(method, path, response.status)
      if (undocumented) throw new Error(undocumented)
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: /json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
      }
    },
  }
}
export type CookieClient = ReturnType<typeof cookieClient>

/** Registers an administrator through an invitation, which signs this client in. */
export async function registerAdmin({ sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>, who: CookieClient): Promise<TestReply> {
  const { token } = await createEmailedLinkToken(sql, clock(), 'admin-invitation')
  return who.call('POST', '/api/register/admin', { ...newPlayerInput(), dateOfBirth: undefined, token })
}

let people = 0
export const newPlayerInput = (more: object = {}) => ({
  email: `someone${++people}@example.com`,
  password: 'correct horse',
  firstName: 'Ana',
  lastName: 'García',
  phone: '555-010-4477',
  dateOfBirth: '1990-05-05',
  ...more,
})
export const newInstructorInput = (more: object = {}) => newPlayerInput({ type: ['baseball'], skills: ['hitting', 'catching'], ...more })

/** The date of birth, such as 2010-05-31, of a person who is `years` years and `days` days old today. */
export const birthDateForAge = (years: number, days = 0) => {
  const day = new Date()
  day.setUTCFullYear(day.getUTCFullYear() - years)
  day.setUTCDate(day.getUTCDate() - days)
  return day.toISOString().slice(0, 10)
}
