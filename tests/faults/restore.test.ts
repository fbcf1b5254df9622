import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditExport } from '../../modules/audit/verify-export.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { accountDecider } from '../../modules/privacy/account-exports-and-deletion-decider.ts'
import { DELETED_TEXT } from '../../modules/privacy/policy.ts'
import { buildApp } from '../../src/server/app.ts'
import { makeBackup } from '../../src/server/backup.ts'
import { restoreBackup } from '../../src/server/restore.ts'
import { createAssignedFolder, createSharedReadYourWrites, newReviewInput, type TestUser } from '../api/full-server.ts'
import { startServerWithStripe } from '../api/server-with-stripe.ts'
import { cookieClient, newPlayerInput } from '../api/test-server.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { createTestBucket } from '../support/s3.ts'

let s: Awaited<ReturnType<typeof startServerWithStripe>>
let directory: string
const cleanups: (() => unknown)[] = []
beforeAll(async () => {
  s = await startServerWithStripe()
  directory = await mkdtemp(join(tmpdir(), 'diamondlink-backup-'))
})
afterAll(async () => {
  for (const end of cleanups.reverse()) await end()
  await s.end()
  await rm(directory, { recursive: true })
})

const backUp = () =>
  makeBackup({
    sql: s.sql,
    objects: s.deps.objects,
    now: new Date(),
    directory: join(directory, 'backups'),
    keysDirectory: join(directory, 'keys'),
  })

/** Creates another installation that has only the schema. It shares Stripe with the running one. */
async function emptyInstallation() {
  const [db, s3, site] = await Promise.all([createTestDatabase(), createTestBucket(), mkdtemp(join(tmpdir(), 'diamondlink-site-'))])
  const app = await buildApp({ ...s.deps.config, databaseUrl: db.url, s3 }, pino({ level: 'silent' }), { site })
  cleanups.push(async () => {
    await app.stop()
    await Promise.all([db.end(), rm(site, { recursive: true })])
  })
  return app
}

/** Signs in to another installation as the person with this id. */
async function signInAt(app: Awaited<ReturnType<typeof emptyInstallation>>, id: string) {
  const [user] = await s.sql`select username from users where id = ${id}`
  const who = createSharedReadYourWrites()(cookieClient(app))
  expect((await who.call('POST', '/api/login', { username: user!.username, password: newPlayerInput().password })).status).toBe(200)
  return who
}

const delivered = async (player: TestUser, coach: TestUser) => {
  const session = await createAssignedFolder(player, coach)
  expect((await coach.call('POST', `/api/folders/${session.folder}/feedback`, newReviewInput(session.video))).status).toBe(204)
  await s.waitUntilIdle()
  return session
}
const pay = async (player: TestUser, { assignment }: { assignment: string }, tip = 0) => {
  const { body } = await player.call('GET', `/api/payments/${assignment}`)
  const paid = await player.call('POST', `/api/payments/${assignment}/pay`, { tip, total: body.total })
  expect([paid.status, paid.body?.status]).toEqual([200, 'paid'])
  await s.deliverAll()
}

test('a restored backup has folders, payments and videos, and finds later payments', async () => {
  const [ana, gone, coach] = await Promise.all([s.player(), s.player({ firstName: 'Gone' }), s.instructor()])
  for (const player of [ana, gone]) await s.saveCardOf(player)
  const paidBefore = await delivered(ana, coach)
  await pay(ana, paidBefore)
  const due = await delivered(ana, coach)
  const theirs = await delivered(gone, coach)
  await pay(gone, theirs)
  const shownTo = async (who: Pick<TestUser, 'call'>) =>
    Promise.all(
      ['/api/folders', `/api/folders/${paidBefore.folder}`, `/api/folders/${due.folder}`, '/api/billing'].map(
        // Video URLs differ, because each installation signs them for its own bucket.
        async path => JSON.stringify((await who.call('GET', path)).body).replaceAll(/https?:\/\/[^"]+/g, ''),
      ),
    )
  const before = await shownTo(ana)

  const { backup, keys } = await backUp()
  // The backup's tables contain neither the keys, which are in another directory, nor readable text.
  const [key] = await s.sql`select encode(key, 'hex') as key from person_keys where person = ${ana.id}`
  const files = await Promise.all((await readdir(join(backup, 'tables'))).map(file => readFile(join(backup, 'tables', file), 'utf8')))
  expect(files.join()).not.toContain(key!.key)
  expect(await readFile(join(keys, 'person_keys.copy'), 'utf8')).toContain(key!.key)
  expect(files.join()).not.toContain('Good load, late hands.')

  // After the backup a bill is paid, another folder is created and paid, and a person is deleted.
  await pay(ana, due, 300)
  const later = await delivered(ana, coach)
  await pay(ana, later)
  const deletion = { due: new Date().toISOString() }
  await handleCommand(s.deps.store, accountDecider, gone.id, 'scheduleDeletion', deletion, systemCommandSource(randomUUID()))
  await expect.poll(async () => (await s.sql`select 1 from person_keys where person = ${gone.id} and destroyed is not null`).length).toBe(1)
  // Two packages are bought: one by a player who is in the backup, one by a player who registered later.
  const newcomer = await s.player()
  for (const player of [ana, newcomer]) {
    const checkout = await player.call('POST', '/api/packages/checkout', { package: 'triple' })
    const session = new URL(await s.enterCard(checkout.body.url)).searchParams.get('session')
    expect((await player.call('POST', '/api/packages/confirm', { session })).body).toEqual({ credits: 3 })
  }
  // The next backup records the destroyed keys.
  await backUp()

  const restored = await emptyInstallation()
  const destroyed = await restoreBackup({ sql: restored.deps.sql, objects: restored.deps.objects, backup, keys })
  expect(destroyed).toContain(gone.id)
  await restored.work()
  const { sql, readModels } = restored.deps
  const caughtUp = async () => {
    const [{ position }] = (await sql`select max(position)::text as position from events`) as unknown as [{ position: string }]
    await readModels.caughtUp(['folders', 'assignments', 'payments', 'audit'], BigInt(position), 20_000)
  }
  const [{ id: adminId }] = (await s.sql`select id from users where role = 'admin' order by created desc limit 1`) as unknown as [
    { id: string },
  ]
  const signedIn = async () => [await signInAt(restored, ana.id), await signInAt(restored, adminId)] as const
  let [anaAgain, boss] = await signedIn()
  expect(await shownTo(anaAgain)).toEqual(before)
  const original = await s.deps.objects.head(`videos/${due.folder}/${due.video}`)
  expect(original).not.toBe(null)
  expect(await restored.deps.objects.head(`videos/${due.folder}/${due.video}`)).toEqual(original)

  // Administrators see payments at Stripe that the restored log lacks.
  const differences = async () =>
    (await boss.call('GET', '/api/admin/unreconciled-charges')).body.charges.map(
      (d: { payment: string; difference: string; amount: number }) => [d.payment, d.difference],
    )
  expect(await differences()).toEqual([
    [later.assignment, 'unknown-payment'],
    [due.assignment, 'not-recorded'],
  ])
  const packages = async () =>
    (await boss.call('GET', '/api/admin/unreconciled-charges')).body.packages.map((p: { player: string; difference: string }) => [
      p.player,
      p.difference,
    ])
  expect(await packages()).toEqual([
    [newcomer.id, 'unknown-player'],
    [ana.id, 'not-recorded'],
  ])
  const output: string[] = []
  await restored.afterRestore(line => output.push(line), destroyed ?? [])
  expect(output).toEqual([
    'The texts of 1 person or request that was deleted since the backup were deleted again.',
    expect.stringMatching(/^Ended \d+ login sessions?, /),
    'Recorded 1 payment that Stripe has and the backup did not have.',
    '1 payment at Stripe could not be recorded. Administrators see such payments under “Compare with the log”.',
    'Recorded 1 package that Stripe sold and the backup did not have.',
  ])
  expect((await anaAgain.call('GET', '/api/billing')).status).toBe(401)
  ;[anaAgain, boss] = await signedIn()
  await caughtUp()
  expect(await differences()).toEqual([[later.assignment, 'unknown-payment']])
  expect(await packages()).toEqual([[newcomer.id, 'unknown-player']])
  await expect.poll(async () => (await anaAgain.call('GET', '/api/billing')).body.credits).toBe(3)
  expect((await anaAgain.call('GET', `/api/payments/${due.assignment}`)).body).toMatchObject({ status: 'paid', tip: 300 })

  // The person who was deleted after the backup is deleted again, along with their texts.
  await expect.poll(async () => (await sql`select 1 from users where id = ${gone.id}`).length).toBe(0)
  await expect.poll(async () => (await restored.deps.objects.head(`videos/${theirs.folder}/${theirs.video}`)) === null).toBe(true)
  const events = await restored.deps.store.read(`folder-${theirs.folder}`)
  expect(JSON.stringify(events, (_, v) => (typeof v === 'bigint' ? `${v}` : v))).toContain(DELETED_TEXT)
  await caughtUp()
  const log = (await boss.call('GET', '/api/admin/events/export')).text.trimEnd().split('\n')
  expect(await verifyAuditExport(log)).toMatchObject({ isWhole: true, faults: [] })
})

test('a backup is restored only into an empty installation of the same release', async () => {
  const { backup, keys } = await backUp()
  const restored = await emptyInstallation()
  const places = { sql: restored.deps.sql, objects: restored.deps.objects, backup, keys }
  await expect(restoreBackup({ ...places, backup: directory })).rejects.toThrow(/is not a backup/)
  await expect(restoreBackup({ ...places, sql: s.sql })).rejects.toThrow('There is data already.')
  await restored.deps.sql`insert into pgmigrations (name, run_on) values ('9999_expand_later', now())`
  await expect(restoreBackup(places)).rejects.toThrow('Restore with the release that made it')
})
