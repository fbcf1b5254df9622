import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, cp, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { demoAccounts } from '../../src/demo/demo-accounts-and-safety-checks.ts'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { createSharedReadYourWrites, newReviewInput } from '../api/full-server.ts'
import { type CookieClient, cookieClient } from '../api/test-server.ts'
import { type AppProcess, startApp } from '../support/app-process.ts'

/** Tests `npm run backup` while a server with the demo is running, and `npm run restore` of that backup while it keeps running. */

/** Starts a server with the demo that prepares no videos: folders show the progress of preparations, which would go on after the backup. */
const startDemo = (dataDir: string) => startApp({ env: { DEMO: 'true', MEDIA_WORKERS: '0' }, dataDir })

const root = fileURLToPath(new URL('../..', import.meta.url))
let directory: string
let running: AppProcess
/** The directories that the backup command printed, and what the player saw just before it ran. */
let backup: string
let keys: string
let shownAtBackup: Awaited<ReturnType<typeof shownToPlayer>>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'diamondlink-backup-commands-'))
  running = await startDemo(join(directory, 'running'))
  shownAtBackup = await shownToPlayer(await signIn(running, 'player'))
  const done = await runCommand('backup', running.dataDir, join(directory, 'log'), join(directory, 'keys'))
  expect(done).toMatchObject({ code: 0, stderr: '' })
  ;[, backup, keys] = /The backup is in (\S+), the keys of people's words in (\S+)\./.exec(done.stdout) as unknown as [
    string,
    string,
    string,
  ]
})
afterAll(async () => {
  await running?.stop()
  await rm(directory, { recursive: true })
})

const runCommand = (name: 'backup' | 'restore', dataDir: string, ...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    const { NODE_ENV: _, VITEST: __, ...env } = process.env
    const options = { cwd: root, env: { ...env, DATA_DIR: dataDir } }
    execFile('npm', ['run', '--silent', name, '--', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

type Client = Pick<CookieClient, 'call'>

async function signIn(server: AppProcess, role: string, person = createSharedReadYourWrites()): Promise<Client> {
  const send = (request: Request) => fetch(new Request(request.url.replace(new URL(request.url).origin, server.url), request))
  const { email, password } = demoAccounts.find(account => account.role === role)!
  const client = person(cookieClient({ fetch: send }))
  expect((await client.call('POST', '/api/login', { username: email, password })).status).toBe(200)
  return client
}

/** Returns the player's folders and bills, without signed URLs (they differ between servers), and the checksums of all original videos. */
async function shownToPlayer({ call }: Client) {
  const get = async (path: string) => (await call('GET', path)).body
  const listed = async () => (await get('/api/folders')).folders as { id: string; videos: number; preparing: number }[]
  // The server queues the videos a moment after it has started.
  await vi.waitFor(async () => expect((await listed()).every(folder => folder.preparing === folder.videos)).toBe(true), 60_000)
  const list = await listed()
  const folders = await Promise.all(list.map(({ id }) => get(`/api/folders/${id}`)))
  const text = JSON.stringify({ list, folders, billing: await get('/api/billing') }).replaceAll(/https?:\/\/[^"]+/g, '')
  const videos: Record<string, string> = {}
  for (const { id: folder, session } of folders)
    for (const { id } of session.clips) {
      const { url } = await get(`/api/folders/${folder}/videos/${id}/original`)
      videos[id] = createHash('sha256')
        .update(new Uint8Array(await (await fetch(url)).arrayBuffer()))
        .digest('hex')
    }
  return { ...(JSON.parse(text) as { list: unknown; folders: unknown; billing: { payments: unknown[] } }), videos }
}

/** Makes this video count as prepared, because feedback cannot be delivered while no video of its session can be watched. */
async function markAsPrepared(server: AppProcess, video: string) {
  const sql = createPostgresPool(server.config.databaseUrl, { max: 1 })
  await sql`update media_work set state = 'ready' where video = ${video}`
  await sql.end()
}

/** Pays a bill once it is due. */
async function pay({ call }: Client, bill: string) {
  await expect.poll(async () => (await call('GET', `/api/payments/${bill}`)).body?.status).toBe('due')
  const { total } = (await call('GET', `/api/payments/${bill}`)).body
  const paid = await call('POST', `/api/payments/${bill}/pay`, { tip: 0, total })
  expect([paid.status, paid.body?.status]).toEqual([200, 'paid'])
}

test('commands restore folders, bills and videos while a server is running', async () => {
  expect(Object.keys(shownAtBackup.videos)).toHaveLength(3)
  // After the backup, the player creates a folder and pays the open bill; the third session is reviewed and paid.
  const together = createSharedReadYourWrites()
  const [player, coach] = [await signIn(running, 'player', together), await signIn(running, 'instructor', together)]
  const { payments } = (await player.call('GET', '/api/billing')).body
  const due = payments.find((payment: { status: string }) => payment.status === 'due').id
  await pay(player, due)
  const { folders } = (await coach.call('GET', '/api/queue')).body
  const { id: folder, assignment: reviewedLater } = folders.find((queued: { status: string }) => queued.status === 'assigned')
  const [video] = (await player.call('GET', `/api/folders/${folder}`)).body.session.clips
  expect((await coach.call('POST', `/api/folders/${folder}/review`)).status).toBe(204)
  await markAsPrepared(running, video.id)
  expect((await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video.id))).status).toBe(204)
  await pay(player, reviewedLater)
  const newFolder = { id: crypto.randomUUID(), name: 'After the backup' }
  expect((await player.call('POST', '/api/folders', newFolder)).status).toBe(201)

  // Stripe would keep the payments made since the backup, so its sandbox is copied in its current state.
  const dataDir = join(directory, 'restored')
  await cp(join(running.dataDir, 'stripe'), join(dataDir, 'stripe'), { recursive: true })
  const done = await runCommand('restore', dataDir, backup, keys)
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toContain('Recorded 1 payment that Stripe has and the backup did not have.')
  const restored = await startDemo(dataDir)
  try {
    const playerAgain = await signIn(restored, 'player')
    const paid = async () =>
      (await playerAgain.call('GET', '/api/billing')).body.payments.find((payment: { id: string }) => payment.id === due)?.status
    await expect.poll(paid).toBe('paid')
    const { videos, list } = await shownToPlayer(playerAgain)
    expect(videos).toEqual(shownAtBackup.videos)
    expect(JSON.stringify(list)).not.toContain(newFolder.name)
    const { charges } = (await (await signIn(restored, 'admin')).call('GET', '/api/admin/unreconciled-charges')).body
    expect(charges).toMatchObject([{ payment: reviewedLater, difference: 'unknown-payment' }])
  } finally {
    await restored.stop()
  }
})

test('without newer data from Stripe, everything is as it was at the backup', async () => {
  const dataDir = join(directory, 'as-it-was')
  const done = await runCommand('restore', dataDir, backup, keys)
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toContain('The Stripe sandbox is as it was at the backup.')
  const restored = await startDemo(dataDir)
  try {
    expect(await shownToPlayer(await signIn(restored, 'player'))).toEqual(shownAtBackup)
    const { charges } = (await (await signIn(restored, 'admin')).call('GET', '/api/admin/unreconciled-charges')).body
    expect(charges).toEqual([])
  } finally {
    await restored.stop()
  }
})

test('a backup is not restored into a directory that is not empty', async () => {
  const dataDir = running.dataDir
  expect(await runCommand('restore', dataDir, backup, keys)).toEqual({
    code: 1,
    stdout: '',
    stderr: `DATA_DIR: ${dataDir} is not empty. Set DATA_DIR to a new directory to restore into.\n`,
  })
})

test('a damaged backup is refused before anything is restored', async () => {
  const damaged = join(directory, 'damaged')
  await cp(backup, damaged, { recursive: true })
  const [object] = await readdir(join(damaged, 'objects'))
  const dataDir = join(directory, 'never-made')
  const attempt = async () => (await runCommand('restore', dataDir, damaged, keys)).stderr
  const refusal = (file: string) =>
    `The backup is damaged: ${join(damaged, file)} is missing or not as it was written. Nothing was restored; use another backup.\n`
  // Each file is damaged in turn, in the reverse order of the checks.
  await truncate(join(damaged, 'objects', object!), 100)
  expect(await attempt()).toBe(refusal(`objects/${object}`))
  await appendFile(join(damaged, 'objects.jsonl'), '\n')
  expect(await attempt()).toBe(refusal('objects.jsonl'))
  await rm(join(damaged, 'tables/events.copy'))
  expect(await attempt()).toBe(refusal('tables/events.copy'))
  await writeFile(join(damaged, 'backup.json'), '{')
  expect(await attempt()).toBe(refusal('backup.json'))
  expect(await readdir(directory)).not.toContain('never-made')
})
