import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { Sql } from 'postgres'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { paymentDecider } from '../../modules/payments/payment.ts'
import { walletDecider } from '../../modules/payments/wallet.ts'
import { encryptedStore } from '../../modules/privacy/encrypted-store.ts'
import { personKeys } from '../../modules/privacy/person-keys.ts'
import { personalTextFields } from '../../projections/personal-text-fields.ts'
import { newReviewInput } from '../api/full-server.ts'
import { newInstructorInput, newPlayerInput } from '../api/test-server.ts'
import { approveInstructor } from '../support/approve-instructor.ts'
import { makeQueuedVideosWatchable } from '../support/make-queued-videos-watchable.ts'
import type { ReleaseServer } from './server-of-release.ts'

export interface ServerReply {
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of any reply
  body: any
  isStale: boolean
  server: ReleaseServer
}

export type Role = 'player' | 'instructor' | 'admin'

/**
 * Registers a player, an instructor and an administrator, and returns what they can do. As behind a load balancer, each request goes to one
 * of the open servers. Every request carries the highest log position that any of these people has seen.
 */
export async function registerPeopleWithActions(sql: Sql, open: ReleaseServer[]) {
  await makeQueuedVideosWatchable(sql)
  const keys = personKeys(sql)
  const store = encryptedStore(postgresStore(sql), keys, personalTextFields, pino({ level: 'silent' }))
  const cookies = { player: '', instructor: '', admin: '' }
  const delivered: string[] = []
  let lastPosition = -1n
  let requests = 0
  const sawPosition = (position: bigint) => {
    if (position > lastPosition) lastPosition = position
  }

  /** Sends a request as the person with this role. @param to by default, any open server @throws Error unless the request succeeds */
  async function ask(role: Role, method: string, path: string, body?: object, to?: ReleaseServer): Promise<ServerReply> {
    const server = to ?? open[requests % open.length]!
    requests++
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        cookie: cookies[role],
        'sec-fetch-site': 'same-origin',
        'idempotency-key': randomUUID(),
        ...(lastPosition >= 0n && { 'x-seen': String(lastPosition) }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    }).catch(error => {
      throw new Error(`${method} ${path} got no answer from ${server.name}: ${error.cause ?? error}`)
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${server.name} answered ${method} ${path} with ${answer.status} ${text.slice(0, 200)}`)
    sawPosition(BigInt(answer.headers.get('x-position') ?? -1))
    cookies[role] ||= /session=[\w-]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
    return { body: text ? JSON.parse(text) : undefined, isStale: answer.headers.has('x-stale'), server }
  }

  const { dateOfBirth: _, ...admin } = newPlayerInput({ firstName: 'Ada' }) as ReturnType<typeof newPlayerInput> & { dateOfBirth: string }
  const { token } = await createEmailedLinkToken(sql, new Date(), 'admin-invitation')
  await ask('admin', 'POST', '/api/register/admin', { ...admin, token })
  const { id: player } = (await ask('player', 'POST', '/api/register/player', newPlayerInput())).body
  const { id: instructor } = (await ask('instructor', 'POST', '/api/register/instructor', newInstructorInput({ firstName: 'Cal' }))).body
  const callAs = (role: Role) => (method: 'POST', path: string) => ask(role, method, path)
  await approveInstructor({ sql, anyone: callAs('instructor'), admin: callAs('admin') }, instructor)

  const asSystem = systemCommandSource
  const card = { card: 'pm_test', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 }
  await handleCommand(store, walletDecider, player, 'begin', { customer: 'cus_test' }, asSystem())
  sawPosition((await handleCommand(store, walletDecider, player, 'save', card, asSystem())).position)

  async function createFolder(name: string): Promise<string> {
    const folder = randomUUID()
    await ask('player', 'POST', '/api/folders', { id: folder, name })
    return folder
  }
  async function assign(folder: string): Promise<{ assignment: string; video: string }> {
    const [assignment, video] = [randomUUID(), randomUUID()]
    const file = { id: video, name: 'swing.mp4', type: 'video/mp4', bytes: 900, milliseconds: 2500, width: 320, height: 240 } as const
    const stored = { ...file, key: `videos/${folder}/${video}`, poster: null }
    sawPosition((await handleCommand(store, folderDecider, folder, 'addVideo', { video: stored }, asSystem())).position)
    const { total, atMost } = (await ask('player', 'GET', `/api/folders/${folder}/quote`)).body
    await ask('player', 'POST', `/api/folders/${folder}/assign`, { assignment, instructor, seen: { total, atMost } })
    return { assignment, video }
  }
  /** Assigns a folder and delivers feedback on it. @returns the session's id, which is also the id of its bill */
  async function deliver(folder: string): Promise<string> {
    const { assignment, video } = await assign(folder)
    await ask('instructor', 'POST', `/api/folders/${folder}/feedback`, newReviewInput(video))
    delivered.push(assignment)
    return assignment
  }

  return {
    player,
    instructor,
    ask,
    createFolder,
    assign,
    deliver,
    /** The ids of the delivered sessions, in order. */
    delivered,
    requests: () => requests,
    startReview: (folder: string) => ask('instructor', 'POST', `/api/folders/${folder}/review`),
    /** Records that the bill of a session was paid. @throws CommandRefused if there is no bill yet */
    async pay(session: string, total: number) {
      const [attempt, at] = [randomUUID(), new Date().toISOString()]
      const made = {
        id: attempt,
        card: { id: card.card, brand: 'visa', last4: '4242' },
        customer: 'cus_test',
        tip: 0,
        total,
        by: 'player',
        at,
      }
      await handleCommand(store, paymentDecider, session, 'attempt', { ...made, by: 'player' }, asSystem())
      const paid = { attempt, intent: 'pi_test', charge: 'ch_test', amount: total, at }
      sawPosition((await handleCommand(store, paymentDecider, session, 'succeed', paid, asSystem())).position)
    },
    /** Appends an event of a type that only the next release knows. @returns its position */
    async star(folder: string) {
      const stream = `folder-${folder}`
      const last = (await store.read(stream)).at(-1)!
      const meta = { command: randomUUID(), name: 'folder.star', actor: 'system' }
      const position = await store.append(stream, last.revision, [{ id: randomUUID(), type: 'FolderStarred', data: {}, meta }])
      sawPosition(position)
      return position
    },
    async close() {
      await store.close()
      await keys.stop()
    },
  }
}
export type People = Awaited<ReturnType<typeof registerPeopleWithActions>>
