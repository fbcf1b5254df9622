import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { Sql } from 'postgres'
import Stripe from 'stripe'
import { expect } from 'vitest'
import type { EventStore } from '../../modules/kernel/store.ts'
import { eventstoredbStore } from '../../modules/kernel/stores/eventstoredb.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { objectStore } from '../../modules/media/object-store.ts'
import type { AppDependencies } from '../../src/api/app-dependencies.ts'
import { scheduledJobs } from '../../src/server/module-registry.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createSharedReadYourWrites } from '../api/full-server.ts'
import { type CookieClient, cookieClient, newInstructorInput, newPlayerInput } from '../api/test-server.ts'
import { getPageOrPostForm } from '../stripe/test-sandbox.ts'
import { type AppProcess, startApp } from '../support/app-process.ts'
import { approveInstructorOfAppProcess } from '../support/approve-instructor.ts'
import { ensureFirstAdminCredentials } from '../support/first-admin-credentials.ts'
import { testCardDetails } from '../support/test-card-details.ts'

export type TestPerson = { call: CookieClient['call']; id: string; email: string }

/** Starts a whole server that can be killed, with a player, an instructor, and direct access to its log and its Stripe sandbox. */
export async function startTestInstallation(env: Record<string, string> = {}) {
  const server: AppProcess = await startApp({ env: { LOG_LEVEL: 'fatal', RATE_LIMIT_SCALE: '1000', ...env } })
  const person = createSharedReadYourWrites()
  /** Sends the request to this server, whatever host the URL has. */
  const fetching = {
    fetch: (request: Request) => {
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(`${server.url}${pathname}${search}`, request))
    },
  }
  /** Gives `work` direct connections to the server's database and log. */
  const withDirectAccess = async <T>(work: (sql: Sql, store: EventStore) => Promise<T>): Promise<T> => {
    const { eventstoredbUrl, databaseUrl } = server.config
    const sql = createPostgresPool(databaseUrl, { max: 2 })
    const store = eventstoredbUrl ? eventstoredbStore(eventstoredbUrl) : postgresStore(sql)
    try {
      return await work(sql, store)
    } finally {
      await store.close()
      await sql.end()
    }
  }
  const register = async (role: 'player' | 'instructor', data: { email: string }): Promise<TestPerson> => {
    const { call } = person(cookieClient(fetching))
    const { status, body } = await call('POST', `/api/register/${role}`, data)
    expect(status).toBe(201)
    if (role === 'instructor') await approveInstructorOfAppProcess(server, body.id)
    return { call, id: body.id, email: data.email }
  }
  const player = await register('player', newPlayerInput())
  const instructor = await register('instructor', newInstructorInput())

  return {
    server,
    player,
    instructor,
    register,

    /** Kills the server `afterMs` after the request was sent, and restarts it. @returns whether the response had arrived before the kill */
    async killDuring(request: () => Promise<unknown>, afterMs: number): Promise<boolean> {
      let isAnswered = false
      const answer = request().then(
        () => {
          isAnswered = true
        },
        () => {},
      )
      await new Promise(resolve => setTimeout(resolve, afterMs))
      const wasAnswered = isAnswered
      await server.kill('SIGKILL')
      await answer
      await server.restart()
      return wasAnswered
    },

    eventTypesOf: (stream: string): Promise<string[]> => withDirectAccess(async (_, store) => (await store.read(stream)).map(e => e.type)),

    /** Waits until the video has been prepared. Before, no feedback on it can be delivered. */
    waitUntilPrepared: (video: string) =>
      withDirectAccess(sql =>
        expect.poll(async () => (await sql`select state from media_work where video = ${video}`)[0]?.state).toBe('ready'),
      ),

    /** Runs the daily sweep as if it were tomorrow. @returns the keys of the videos and unfinished uploads that remain */
    keysAfterTomorrowsSweep: () =>
      withDirectAccess(async (sql, store) => {
        const { config } = server
        const bytes = objectStore(config.s3)
        const clock = () => new Date(Date.now() + 25 * 3600_000)
        const deps = { config, sql, store, objects: bytes, clock, log: pino({ level: 'silent' }) } as unknown as AppDependencies
        // If the server has swept already, that was today by the database's clock, so another sweep would be skipped.
        await sql`delete from job_runs`
        await scheduledJobs(deps)
          .find(job => job.name === 'sweeping everything')!
          .run(new AbortController().signal)
        const videos: string[] = []
        for await (const { key } of bytes.list('videos/')) videos.push(key)
        const unfinished: string[] = []
        for await (const { key } of bytes.multiparts()) unfinished.push(key)
        return { videos, unfinished }
      }),

    /** Signs in as the first administrator. */
    async admin() {
      const { call } = person(cookieClient(fetching))
      expect((await call('POST', '/api/login', await ensureFirstAdminCredentials(server))).status).toBe(200)
      return { call }
    },

    stripeClient() {
      const { hostname, port } = new URL(server.config.stripe.url!)
      return new Stripe(server.config.stripe.secretKey, { host: hostname, port, protocol: 'http', telemetry: false })
    },

    async newFolder(name = 'Swings') {
      const id = randomUUID()
      expect((await player.call('POST', '/api/folders', { id, name })).status).toBe(201)
      return id
    },

    async saveCard() {
      const { body } = await player.call('POST', '/api/cards/setup', { back: '/player/payment' })
      const { to } = await getPageOrPostForm(body.url, testCardDetails('4242424242424242'))
      const session = new URL(to).searchParams.get('setup')
      expect((await player.call('POST', '/api/cards/confirm', { session })).body.card.last4).toBe('4242')
    },

    async openPayouts() {
      const { body } = await instructor.call('POST', '/api/payouts/account')
      const { to } = await getPageOrPostForm(body.url)
      const details = { first: 'A', last: 'B', birth: '1990-01-01', ssn: '0000', routing: '110000000', account: '000123456789' }
      await getPageOrPostForm(new URL(to, body.url).href, details)
      expect((await instructor.call('POST', '/api/payouts/refresh')).body.status).toBe('ready')
    },
  }
}
export type TestInstallation = Awaited<ReturnType<typeof startTestInstallation>>

/** Returns an upload whose steps the test performs one by one. */
export function manualUpload(player: TestPerson, folder: string, file: Uint8Array, type = 'video/mp4') {
  const id = randomUUID()
  return {
    id,
    start: () => player.call('POST', '/api/uploads', { id, folder, name: 'swing.mp4', type, bytes: file.length, fingerprint: 'f' }),
    async put(numbers: number[], partBytes: number) {
      const { body } = await player.call('POST', `/api/uploads/${id}/sign`, { numbers })
      for (const part of body.parts) {
        const from = (part.number - 1) * partBytes
        const piece = file.subarray(from, from + part.bytes) as Uint8Array<ArrayBuffer>
        expect((await fetch(part.url, { method: 'PUT', body: piece })).status).toBe(200)
      }
    },
    complete: () => player.call('POST', `/api/uploads/${id}/complete`, { milliseconds: 2000, width: 320, height: 240, poster: false }),
  }
}
