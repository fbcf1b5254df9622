import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { postgresStore } from '../../modules/kernel/stores/postgres.ts'
import { folders } from '../../projections/folders.ts'
import { findFreePort } from '../../src/embedded/loopback-port.ts'
import { createTestDatabase } from '../support/postgres.ts'

/** The number of events in the log before the upgrade: folders of other players. The longer the log, the longer it takes to fill read models. */
const OLD_EVENTS = Number(process.env.OLD_EVENTS ?? 5_000)
const CLIENTS = 4
const EVENTUALLY = { timeout: 600_000, interval: 100 }

const root = resolve(import.meta.dirname, '../..')
const next = { ...folders, version: folders.version + 1 }

let db: Awaited<ReturnType<typeof createTestDatabase>>
let nextRelease: string
const running = new Set<Server>()
beforeAll(async () => {
  nextRelease = await makeNextRelease()
})
beforeEach(async () => {
  db = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all([...running].map(server => server.stop('SIGKILL')))
  await db.end()
})
afterAll(() => rm(nextRelease, { recursive: true }))

/** A copy of this release with a migration and a new column in the folders' read model, which queries select. */
async function makeNextRelease() {
  const directory = await mkdtemp(join(tmpdir(), 'diamondlink-next-'))
  for (const part of ['src', 'modules', 'projections', 'migrations', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(directory, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(directory, file), 'utf8')
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    writeFileSync(join(directory, file), text.replace(from, to))
  }
  change('projections/folders.ts', `version: ${folders.version},`, `version: ${next.version},`)
  change('projections/folders.ts', "    folder: 'uuid',\n", "    folder: 'uuid',\n    starred: 'bool?',\n")
  change('projections/folders.ts', 'select f.folder as id,', 'select f.folder as id, f.starred,')
  change(
    'projections/folders.ts',
    '    FolderRenamed:',
    '    ...{ FolderStarred: (row: object) => row && { ...row, starred: true } },\n    FolderRenamed:',
  )
  const last = readdirSync(join(directory, 'migrations')).toSorted().at(-1)!
  const number = String(Number.parseInt(last, 10) + 1).padStart(4, '0')
  writeFileSync(join(directory, `migrations/${number}_expand_stars.sql`), 'alter table users add column stars int not null default 0;')
  return directory
}

interface Server {
  url: string
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a server of a release. Resolves once it answers. */
async function start(cwd: string): Promise<Server> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const nowhere = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_BUCKET: 'bucket', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'src/server/main.ts'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), DATABASE_URL: db.url, DEMO: 'off', LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '10000' },
      ...{ ...nowhere, STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', RESEND_API_KEY: 're_x', MEDIA_WORKERS: '0' },
    },
  })
  let output = ''
  child.stdout!.on('data', data => {
    output += data
  })
  child.stderr!.on('data', data => {
    output += data
  })
  const ended = once(child, 'exit')
  const server = {
    url,
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      running.delete(server)
      child.kill(signal)
      await ended
    },
  }
  running.add(server)
  const isUp = () =>
    fetch(`${url}/api/health`).then(
      answer => answer.ok,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`The server ended instead of starting:\n${output}`)
    await sleep(50)
  }
  return server
}

async function fillLog() {
  await db.sql`
    insert into events
    select n, 'folder-' || id, 0, gen_random_uuid(), 'FolderCreated', json_build_object('player', id, 'name', 'Folder ' || n),
      json_build_object('command', id, 'name', 'folder.create', 'actor', id), now()
    from (select n, gen_random_uuid() as id from generate_series(0, ${OLD_EVENTS - 1}::int) n) made`
  await db.sql`update head set position = ${OLD_EVENTS - 1}`
}

/** A load balancer, which sends each request to one of the open servers, and a player who sends requests all the time. */
function load() {
  const open: Server[] = []
  const failures: string[] = []
  const mine = new Set<string>()
  let cookie = ''
  let lastPosition = -1n
  let requests = 0

  async function ask(method: string, path: string, body?: object) {
    const server = open[requests++ % open.length]!
    const headers: Record<string, string> = {
      cookie,
      'sec-fetch-site': 'same-origin',
      'x-seen': String(lastPosition),
      'idempotency-key': randomUUID(),
    }
    if (body) headers['content-type'] = 'application/json'
    if (lastPosition < 0n) delete headers['x-seen']
    const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
    const position = BigInt(answer.headers.get('x-position') ?? -1)
    if (position > lastPosition) lastPosition = position
    cookie ||= /session=[\w-]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
    return { body: text ? JSON.parse(text) : undefined, isStale: answer.headers.has('x-stale') }
  }
  const createFolder = async () => {
    const folder = randomUUID()
    await ask('POST', '/api/folders', { id: folder, name: `Swing ${mine.size}` })
    mine.add(folder)
  }
  const listFolders = async () => {
    const expected = [...mine]
    const { body, isStale } = await ask('GET', '/api/folders?limit=100')
    const found = new Set(body.folders.map((folder: { id: string }) => folder.id))
    const missing = expected.filter(folder => !found.has(folder))
    if (missing.length && !isStale) throw new Error(`${missing.length} of ${expected.length} folders are missing`)
  }
  async function client(ending: AbortSignal) {
    for (let n = 0; !ending.aborted; n++) {
      const [name, request] = n % 10 === 0 && mine.size < 40 ? (['create', createFolder] as const) : (['list', listFolders] as const)
      await request().catch(error => failures.push(`${name}: ${error.message} ${error.cause ?? ''}`))
    }
  }
  return {
    open,
    failures,
    ask,
    mine,
    requests: () => requests,
    run: (ending: AbortSignal) => Promise.all(Array.from({ length: CLIENTS }, () => client(ending))),
  }
}

test('upgrading server by server, and back again, fails no request', { timeout: 1_800_000 }, async () => {
  await fillLog()
  const store = postgresStore(db.sql)
  const ending = new AbortController()
  const { open, failures, ask, mine, requests, run } = load()
  const add = async (release: string) => {
    const server = await start(release)
    open.push(server)
    return server
  }
  /** Stops sending requests to the server, then stops it. */
  const remove = async (server: Server) => {
    open.splice(open.indexOf(server), 1)
    await server.stop()
  }
  const waitForRequests = async (count = 30) => expect.poll(requests, EVENTUALLY).toBeGreaterThan(requests() + count)

  let old = [await add(root), await add(root)]
  const behind = () => db.sql`select name from checkpoints where position < ${OLD_EVENTS - 1}`
  await expect.poll(behind, EVENTUALLY).toHaveLength(0)
  const email = `${randomUUID()}@example.com`
  const person = {
    email,
    password: 'correct horse',
    firstName: 'Ana',
    lastName: 'García',
    phone: '555-010-4477',
    dateOfBirth: '1990-05-05',
  }
  await ask('POST', '/api/register/player', person)
  const running = run(ending.signal)
  await waitForRequests()

  const newer = [await add(nextRelease)]
  await remove(old.shift()!)
  await waitForRequests()
  // An old server that starts again does not disturb the new ones.
  old.push(await add(root))
  await waitForRequests()
  // Append an event of a type that the old release does not know.
  const [folder] = mine
  const stream = `folder-${folder}`
  const last = (await store.read(stream)).at(-1)!
  const star = { id: randomUUID(), type: 'FolderStarred', data: {}, meta: { command: randomUUID(), name: 'folder.star', actor: 'system' } }
  await store.append(stream, last.revision, [star])
  await waitForRequests()
  newer.push(await add(nextRelease))
  for (const server of old) await remove(server)
  await waitForRequests()
  await expect
    .poll(() => db.sql`select starred from ${db.sql(tableOf(next))} where folder = ${folder!}`, EVENTUALLY)
    .toEqual([{ starred: true }])

  // Roll back.
  old = [await add(root), await add(root)]
  for (const server of newer) await remove(server)
  await waitForRequests()
  ending.abort()
  await running
  for (const server of old) await remove(server)
  await store.close()

  expect(failures).toEqual([])
  const counts = await db.sql`
    select (select count(*)::int from ${db.sql(tableOf(folders))}) as old, (select count(*)::int from ${db.sql(tableOf(next))}) as new`
  expect(counts[0]!.old).toBe(OLD_EVENTS + mine.size)
  expect(counts[0]!.new).toBeGreaterThanOrEqual(OLD_EVENTS)
})
