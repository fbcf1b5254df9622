import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'
import { changedTables, createNextRelease, NEW_ERRAND_KINDS, nextFoldersTableName, thisReleaseDirectory } from './next-release.ts'
import { type People, registerPeopleWithActions } from './rolling-upgrade-people.ts'
import {
  type ComparedScreen,
  checkScreenShowsWrittenRows,
  comparedScreens,
  findExpectedRowsNotYetOnScreen,
  folderRowTextByEvent,
  formatBillRow,
  formatEventRow,
  formatFeedbackGivenLogRow,
} from './rolling-upgrade-screen-queries.ts'
import { killRunningServers, type ReleaseServer, startReleaseServer } from './server-of-release.ts'

/** The number of events in the log before the upgrade: folders of other players. The longer the log, the longer it takes to fill read models. */
const OLD_EVENTS = Number(process.env.OLD_EVENTS ?? 5_000)
const CLIENTS = 4
/** Few enough for one page of the player's folders (100) and, because half of them have sessions, for one of delivered sessions (50). */
const MAX_FOLDERS = 90
/** Only ends a test that hangs: with a million events, a busy machine takes a long time to fill the read models. */
const EVENTUALLY = { timeout: 7_200_000, interval: 100 }

let db: Awaited<ReturnType<typeof createTestDatabase>>
let nextRelease: string
beforeAll(async () => {
  nextRelease = await createNextRelease()
})
beforeEach(async () => {
  db = await createTestDatabase()
})
afterEach(async () => {
  await killRunningServers()
  await db.end()
})
afterAll(() => rm(nextRelease, { recursive: true }))

async function fillLog() {
  await db.sql`
    insert into events
    select n, 'folder-' || id, 0, gen_random_uuid(), 'FolderCreated', json_build_object('player', id, 'name', 'Folder ' || n),
      json_build_object('command', id, 'name', 'folder.create', 'actor', id), now()
    from (select n, gen_random_uuid() as id from generate_series(0, ${OLD_EVENTS - 1}::int) n) made`
  await db.sql`update head set position = ${OLD_EVENTS - 1}`
}

/**
 * Creates what people have before the upgrade: folders in each state, a paid and an unpaid bill. @returns the screens with what they show
 * now, the id of the paid folder, and how many folders there are
 */
async function createHistory(people: People): Promise<{ screens: ComparedScreen[]; folder: string; folders: number }> {
  const { ask, createFolder, assign, deliver, startReview, pay } = people
  const folder = await createFolder('Paid')
  const session = await deliver(folder)
  await deliver(await createFolder('Due'))
  const inReview = await createFolder('In review')
  await assign(inReview)
  await startReview(inReview)
  await assign(await createFolder('Waiting'))
  await createFolder('Open')
  const bills = async () => (await ask('player', 'GET', '/api/billing')).body.payments
  await expect.poll(bills, EVENTUALLY).toHaveLength(2)
  await pay(session, (await bills()).find((bill: { id: string }) => bill.id === session).total)
  // A process marks the folder as paid, which is the last event that the payment causes.
  await expect.poll(async () => (await ask('player', 'GET', `/api/folders/${folder}`)).body.status, EVENTUALLY).toBe('paid')
  const screens = comparedScreens(people, folder, session)
  for (const screen of screens) {
    const { body, isStale } = await ask(screen.role, 'GET', screen.path)
    expect([screen.name, isStale]).toEqual([screen.name, false])
    screen.before = screen.rowsOf(body)
    expect(screen.before, screen.name).not.toEqual([])
  }
  return { screens, folder, folders: 5 }
}

/** Simulates people who look at screens all the time and write now and then. */
function load({ ask, createFolder, deliver, requests }: People, screens: ComparedScreen[]) {
  const failures = new Map<string, number>()
  let folders = 0
  let nextWriteAt = 0
  let pause = 1
  const add = (screen: string, row: string, when: 'written' | 'expectedLater' = 'written') =>
    screens.find(s => s.name === screen)![when].add(row)

  async function write() {
    const name = `Swing ${++folders}`
    const hasSession = folders % 2 === 0
    const folder = await createFolder(name)
    add('folders', folderRowTextByEvent.created(name))
    if (!hasSession) return
    await deliver(folder)
    for (const screen of ['folders', 'queue', 'delivered sessions']) add(screen, folderRowTextByEvent.delivered(name))
    add('log of deliveries', formatFeedbackGivenLogRow(folder))
    for (const screen of ['bills', 'earnings']) add(screen, formatBillRow(name), 'expectedLater')
  }
  const record = (error: Error) => {
    failures.set(error.message, (failures.get(error.message) ?? 0) + 1)
  }
  async function client(ending: AbortSignal, number: number) {
    for (let n = number; !ending.aborted; n++) {
      if (requests() >= nextWriteAt && folders < MAX_FOLDERS) {
        nextWriteAt = requests() + pause
        pause *= 3
        await write().catch(record)
      }
      await checkScreenShowsWrittenRows(ask, screens[n % screens.length]!).catch(record)
    }
  }
  return {
    /** Messages of failed requests and of screens that lacked something, with how often each occurred. */
    failures,
    folders: () => folders,
    /** Makes the clients write immediately, then ever less often, so that a short step has some writes and a long one keeps having them. */
    beginStep() {
      nextWriteAt = requests()
      pause = 16
    },
    run: (ending: AbortSignal) => Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(ending, number))),
  }
}

test('screens lose no rows in a rolling upgrade, a rollback or a second upgrade', { timeout: 7_200_000 }, async ({ onTestFinished }) => {
  const open: ReleaseServer[] = []
  let started = 0
  const add = async (release: 'N' | 'N+1') => {
    const name = `release ${release}, server ${++started}`
    const server = await startReleaseServer(name, release === 'N' ? thisReleaseDirectory : nextRelease, db.url)
    open.push(server)
    return server
  }
  await fillLog()
  let old = [await add('N'), await add('N')]
  const behind = () => db.sql`select name from checkpoints where position < ${OLD_EVENTS - 1}`
  await expect.poll(behind, EVENTUALLY).toHaveLength(0)
  const people = await registerPeopleWithActions(db.sql, open)
  const { ask, requests, delivered } = people
  const history = await createHistory(people)
  const { screens } = history
  const { failures, folders, beginStep, run } = load(people, screens)
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const running = run(ending.signal)

  /** Requests every screen from every open server, until each also shows what processes have written since. */
  const checkServers = async () => {
    const begun = requests()
    await expect.poll(requests, EVENTUALLY).toBeGreaterThan(begun + 30)
    for (const server of open)
      for (const screen of screens) {
        await checkScreenShowsWrittenRows(ask, screen, server)
        await expect
          .poll(() => findExpectedRowsNotYetOnScreen(ask, screen, server), { ...EVENTUALLY, message: `${screen.name} of ${server.name}` })
          .toEqual([])
      }
    expect([...failures]).toEqual([])
  }
  const startServer = async (release: 'N' | 'N+1') => {
    beginStep()
    const server = await add(release)
    await checkServers()
    return server
  }
  /** Stops sending requests to the server, then stops it. */
  const stopServer = async (server: ReleaseServer) => {
    beginStep()
    open.splice(open.indexOf(server), 1)
    await server.stop()
    await checkServers()
  }
  const performed = async (kind: string) =>
    (await db.sql`select payload->>'assignment' as session from errands where kind = ${kind} and done is not null`).map(r => r.session)
  await checkServers()

  const deliveredBefore = delivered.slice()
  const newer = [await add('N+1')]
  const beganAfter = delivered.length
  await checkServers()
  await stopServer(old.shift()!)
  // An old server that starts again does not disturb the new ones.
  old.push(await startServer('N'))
  const starredAt = await people.star(history.folder)
  screens.find(screen => screen.name === 'log of the folder')!.written.add(formatEventRow('FolderStarred', starredAt, 'Ana García'))
  await checkServers()
  newer.push(await startServer('N+1'))
  for (const server of old) await stopServer(server)
  const starred = () => db.sql`select starred from ${db.sql(nextFoldersTableName)} where folder = ${history.folder}`
  await expect.poll(starred, EVENTUALLY).toEqual([{ starred: true }])
  /**
   * Asserts that one new process has handled every delivery, and the other one every delivery since it started but none from before the
   * upgrade. The new version of an existing process has handled every delivery since it started, even while servers of both releases read
   * the log.
   */
  const checkNewProcesses = async () => {
    await expect.poll(() => performed(NEW_ERRAND_KINDS.fromBeginning), EVENTUALLY).toEqual(expect.arrayContaining(delivered))
    await expect.poll(() => performed(NEW_ERRAND_KINDS.fromNow), EVENTUALLY).toEqual(expect.arrayContaining(delivered.slice(beganAfter)))
    await expect.poll(() => performed(NEW_ERRAND_KINDS.newVersion), EVENTUALLY).toEqual(expect.arrayContaining(delivered.slice(beganAfter)))
    const early = (await performed(NEW_ERRAND_KINDS.fromNow)).filter(session => deliveredBefore.includes(session))
    expect(early, 'deliveries from before the upgrade, handled by the process that begins from now').toEqual([])
  }
  await checkNewProcesses()

  // Roll back.
  old = [await startServer('N'), await startServer('N')]
  for (const server of newer) await stopServer(server)

  // Upgrade again. The new processes continue where they were, and handle what was delivered while only old servers ran.
  const last = [await startServer('N+1')]
  for (const server of old) await stopServer(server)
  await checkNewProcesses()

  // The old release's tables stay for a day after its last server has stopped; then a server of the new release drops them.
  const tables = () => db.sql`select name from checkpoints where name in ${db.sql(changedTables.map(t => t.old))}`
  expect(await tables()).toHaveLength(changedTables.length)
  await db.sql`
    update checkpoints set used = used - interval '25 hours', at = at - interval '25 hours' where name in ${db.sql(changedTables.map(t => t.old))}`
  last.push(await startServer('N+1'))
  await expect.poll(tables, EVENTUALLY).toEqual([])
  await checkServers()

  ending.abort()
  await running
  const rows = async () => (await db.sql`select count(*)::int as count from ${db.sql(nextFoldersTableName)}`)[0]!.count
  await expect.poll(rows, EVENTUALLY).toBe(OLD_EVENTS + history.folders + folders())
  for (const server of last) await server.stop()
  await people.close()
  expect([...failures]).toEqual([])
  expect(folders()).toBeGreaterThan(0)
})
