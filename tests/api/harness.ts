import pino from 'pino'
import type postgres from 'postgres'
import { schema as accountTables } from '../../modules/accounts/schema.ts'
import { sessions } from '../../modules/accounts/sessions.ts'
import { schema as instructorTables } from '../../modules/instructors/schema.ts'
import type { Errand } from '../../modules/kernel/process.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { schema as leadTables } from '../../modules/leads/schema.ts'
import type { Deps } from '../../src/api/deps.ts'
import { api } from '../../src/api/index.ts'
import { limits } from '../../src/api/limits.ts'
import { database } from '../support/postgres.ts'

export const ORIGIN = 'http://ours.test'

/** The API on a fresh database, without a port: its clock, what it put into the outbox and what it logged are in the test's hands. */
export async function harness(o: { limits?: number } = {}) {
  const db = await database()
  await db.sql.unsafe(accountTables + instructorTables + leadTables)
  const posted: Errand[] = []
  const logged: string[] = []
  let ahead = 0
  const clock = () => new Date(Date.now() + ahead)
  const deps = {
    config: { origin: ORIGIN },
    log: pino({ level: 'debug' }, { write: line => logged.push(line) }),
    clock,
    sql: db.sql,
    store: memoryStore(clock),
    sessions: sessions(db.sql, clock),
    limits: limits(db.sql, o.limits ?? 1000),
    post: async (_: postgres.ISql, errands: Errand[]) => posted.push(...errands),
    checks: { postgres: () => db.sql`select 1` },
    projecting: { caughtUp: async () => true },
  } as unknown as Deps
  await deps.sessions.listening
  const app = api(deps)
  return {
    deps,
    app,
    sql: db.sql,
    posted,
    logged,
    /** Lets time pass. */
    pass: (milliseconds: number) => {
      ahead += milliseconds
    },
    browser: (headers?: Record<string, string>) => browser(app, headers),
    end: async () => {
      await deps.sessions.stop()
      await db.end()
    },
  }
}
export type Harness = Awaited<ReturnType<typeof harness>>

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON came
  body: any
}

/** Somebody with a cookie jar. Calls are `call('POST', path, body)`; bytes go as they are with a content type. */
export function browser(app: { fetch(request: Request): Response | Promise<Response> }, always: Record<string, string> = {}) {
  let cookie = ''
  return {
    get cookie() {
      return cookie
    },
    set cookie(value: string) {
      cookie = value
    },
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
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
      const set = /session=([\w-]*)/.exec(response.headers.get('set-cookie') ?? '')
      if (set) cookie = set[1] ? `session=${set[1]}` : ''
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : undefined,
      }
    },
  }
}
export type Browser = ReturnType<typeof browser>

let people = 0
export const somebody = (more: object = {}) => ({
  email: `someone${++people}@example.com`,
  password: 'correct horse',
  firstName: 'Ana',
  lastName: 'García',
  phone: '555-010-4477',
  dateOfBirth: '1990-05-05',
  ...more,
})
export const coach = (more: object = {}) => somebody({ type: ['baseball'], skills: ['hitting', 'catching'], ...more })

/** A day on which somebody has been this many years in the world, and some days. */
export const born = (years: number, days = 0) => {
  const day = new Date()
  day.setUTCFullYear(day.getUTCFullYear() - years)
  day.setUTCDate(day.getUTCDate() - days)
  return day.toISOString().slice(0, 10)
}
