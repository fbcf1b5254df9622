import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino, { type Logger } from 'pino'
import type { Sql } from 'postgres'
import { expect } from 'vitest'
import { handleCommand } from '../../modules/kernel/decider.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/server/app.ts'
import { minimalMp4File } from '../modules/media/container-builders.ts'
import { approveInstructor } from '../support/approve-instructor.ts'
import { makeQueuedVideosWatchable } from '../support/make-queued-videos-watchable.ts'
import { installMovableDatabaseClock } from '../support/movable-database-clock.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { createTestBucket } from '../support/s3.ts'
import { type CookieClient, cookieClient, newInstructorInput, newPlayerInput, ORIGIN, registerAdmin } from './test-server.ts'

/** Adds read-your-writes across the people of one server: each person's queries reflect everybody's commands. */
export function createSharedReadYourWrites() {
  let seen = '0'
  return (who: CookieClient) => {
    const call: CookieClient['call'] = async (method, path, body, headers) => {
      const answer = await who.call(method, path, body, { 'x-seen': seen, ...headers })
      const position = answer.headers.get('x-position')
      if (position && BigInt(position) > BigInt(seen)) seen = position
      return answer
    }
    return { call }
  }
}

export interface FullServerOptions {
  log?: Logger
  /** Starts a connection pooler in front of the database and resolves to its URL. */
  startPooler?: (databaseUrl: string) => Promise<string>
  /** Gives the database a clock of its own, which starts at this time. The server's clock shows the same time. */
  startsAt?: Date
}

/**
 * Postpones letters until long after the test. Without a mail provider, the outbox would render each letter, fail to send it and keep
 * retrying, which used to take a third of the CPU time of these tests. Tests read what they need from the errands.
 */
const postponeLetters = (sql: Sql) =>
  sql.unsafe(`
    create function postpone_letter() returns trigger language plpgsql as $$ begin new.due := new.due + interval '20 days'; return new; end $$;
    create trigger postpone_letters before insert on errands for each row when (new.kind like 'letter.%' and new.due <= now()) execute function postpone_letter()`)

/** Starts the complete server on a fresh database and bucket, opening no port. Stripe and mail are unreachable unless `given` has them. */
export async function startFullServer(
  given: Partial<Pick<Config, 'stripe' | 'resend' | 'mediaWorkers' | 'metricsPort' | 'deliveryUndoSeconds'>> = {},
  { log = pino({ level: 'silent' }), startPooler, startsAt }: FullServerOptions = {},
) {
  const [db, s3, site] = await Promise.all([createTestDatabase(), createTestBucket(), mkdtemp(join(tmpdir(), 'diamondlink-site-'))])
  if (!given.resend) await postponeLetters(db.sql)
  if (!given.mediaWorkers) await makeQueuedVideosWatchable(db.sql)
  const movableClock = startsAt && (await installMovableDatabaseClock(db.sql, startsAt))
  let clockOffsetMs = 0
  const UNREACHABLE_URL = 'http://127.0.0.1:1'
  const config = {
    // The videos of these tests are containers without frames, and no worker probes them.
    ...readConfig({ RATE_LIMIT_SCALE: '1000', MEDIA_WORKERS: '0' }),
    origin: ORIGIN,
    databaseUrl: db.url,
    s3,
    ...(startPooler && { databaseUrl: await startPooler(db.url), databaseDirectUrl: db.url }),
    stripe: { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', url: UNREACHABLE_URL },
    resend: { apiKey: 're_x', url: UNREACHABLE_URL },
    ...given,
  }
  const app = await buildApp(config, log, { site, clock: movableClock?.now ?? (() => new Date(Date.now() + clockOffsetMs)) })
  await app.work()
  const { sql, store } = app.deps

  const person = createSharedReadYourWrites()
  const registered = async (who: CookieClient, role: 'player' | 'instructor', data: object) => {
    const { status, body } = await who.call('POST', `/api/register/${role}`, data)
    expect(status).toBe(201)
    return Object.assign(person(who), { id: body.id as string })
  }
  const player = (more: object = {}) => registered(cookieClient(app), 'player', newPlayerInput(more))
  /** Registers an instructor. An administrator approves them, unless `unvetted`. */
  const instructor = async ({ unvetted = false, ...more }: { unvetted?: boolean; [field: string]: unknown } = {}) => {
    const who = await registered(cookieClient(app), 'instructor', newInstructorInput(more))
    if (!unvetted) await approve(who.id)
    return who
  }
  let approver: ReturnType<typeof admin> | undefined
  async function admin() {
    const who = cookieClient(app)
    await registerAdmin(app.deps, who)
    return person(who)
  }
  async function approve(id: string) {
    approver ??= admin()
    const by = await approver
    const done = (who: Pick<CookieClient, 'call'>) => async (method: 'POST', path: string) =>
      expect((await who.call(method, path)).status).toBe(204)
    await approveInstructor({ sql, anyone: done(person(cookieClient(app))), admin: done(by), now: app.deps.clock() }, id)
  }
  const saveCard = (player: string) =>
    handleCommand(
      store,
      walletDecider,
      player,
      'save',
      { card: `pm_${player}`, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 },
      { command: randomUUID(), actor: player },
    )
  return {
    ...app,
    sql,
    browser: () => person(cookieClient(app)),
    /** The database's clock; undefined without `startsAt`. */
    movableClock,
    /** Moves only the server's clock; errands and the log use the database's. Does nothing with `startsAt`: use `movableClock`. */
    advanceClock: (milliseconds: number) => {
      clockOffsetMs += milliseconds
    },
    player,
    instructor,
    saveCard,
    /** Creates a player who has a card, and an instructor. */
    async playerAndInstructor() {
      const [ana, ray] = await Promise.all([player(), instructor()])
      await saveCard(ana.id)
      return [ana, ray] as const
    },
    admin,
    async end() {
      await app.stop()
      await Promise.all([db.end(), rm(site, { recursive: true })])
    },
  }
}
export type FullServer = Awaited<ReturnType<typeof startFullServer>>

export type TestUser = Awaited<ReturnType<FullServer['player']>>

/** Asserts a refusal's status, code and message. By default, the message must begin with a capital letter and not end with "!". */
export function expectRefusal(
  answer: { status: number; body: { code: string; message: string } },
  status: number,
  code: string,
  message: string | RegExp = /^[A-Z].*[^!]$/,
) {
  expect([answer.status, answer.body?.code]).toEqual([status, code])
  if (typeof message === 'string') expect(answer.body.message).toBe(message)
  else expect(answer.body.message).toMatch(message)
}

export async function createFolder(player: TestUser, name = 'Swings') {
  const id = randomUUID()
  expect((await player.call('POST', '/api/folders', { id, name })).status).toBe(201)
  return id
}

/** Starts an upload and sends the parts with the given `numbers`, or all parts if `numbers` is absent. */
export async function startUploadAndSendParts(
  player: TestUser,
  folder: string,
  file = minimalMp4File(),
  more: object = {},
  numbers?: number[],
) {
  const id = randomUUID()
  const declared = { id, folder, name: 'swing.mp4', type: 'video/mp4', bytes: file.length, fingerprint: 'f', ...more }
  const started = await player.call('POST', '/api/uploads', declared)
  if (started.status !== 201) return { id, started, complete: async () => started }
  const { parts, partBytes } = started.body
  const wanted = numbers ?? Array.from({ length: parts }, (_, i) => i + 1)
  const signed = await player.call('POST', `/api/uploads/${id}/sign`, { numbers: wanted })
  for (const part of signed.body.parts) {
    const from = (part.number - 1) * partBytes
    const body = file.slice(from, from + part.bytes) as Uint8Array<ArrayBuffer>
    expect((await fetch(part.url, { method: 'PUT', body })).status).toBe(200)
  }
  const probed = { milliseconds: 2500, width: 320, height: 240, poster: false }
  return { id, started, complete: (body: object = probed) => player.call('POST', `/api/uploads/${id}/complete`, body) }
}

export async function createFolderWithVideo(player: TestUser, name?: string, file?: Uint8Array<ArrayBuffer>) {
  const folder = await createFolder(player, name)
  const { id: video, complete } = await startUploadAndSendParts(player, folder, file)
  expect((await complete()).status).toBe(200)
  return { folder, video }
}

/** Creates a folder with a video and assigns it to an instructor. Pass a `file` that has frames if a worker will probe it. */
export async function createAssignedFolder(player: TestUser, instructor: TestUser, more: object = {}, file?: Uint8Array<ArrayBuffer>) {
  const { folder, video } = await createFolderWithVideo(player, undefined, file)
  const assignment = randomUUID()
  const answer = await player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: instructor.id, ...more })
  expect([answer.status, answer.text]).toEqual([204, ''])
  return { folder, video, assignment }
}

export const newReviewInput = (video: string, more: object = {}) => ({
  notes: [{ id: randomUUID(), video, at: 1200, kind: 'technique', text: 'Let it travel.' }],
  summary: 'Good load, late hands.',
  grades: [{ skill: 'hitting', grade: 55 }],
  ...more,
})
