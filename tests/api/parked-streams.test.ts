import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { folders } from '../../projections/folders.ts'
import { createAssignedFolder, createFolder, type FullServer, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ben: TestUser
let coach: TestUser
let admin: Awaited<ReturnType<FullServer['admin']>>
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ben, coach, admin] = await Promise.all([s.player(), s.player(), s.instructor(), s.admin()])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())
// Undoes what earlier tests did to make tables refuse rows.
beforeEach(async () => {
  await s.sql`drop trigger if exists refuse on errands`
  await s.deps.readModels.rebuild('folders')
  await s.deps.processes.retry('writing')
})

const state = async () => (await admin.call('GET', '/api/admin/state')).body
const follower = async (name: string) => (await state()).followers.find((f: { name: string }) => f.name === name)
const retry = (name: string) => admin.call('POST', `/api/admin/followers/${name}/retry`)
const ready = async () => {
  const { status, body } = await s.browser().call('GET', '/api/ready')
  return { status, ready: body.ready, parked: body.parked, lagging: body.lagging }
}
const rows = async () => [...(await s.sql`select * from ${s.sql(tableOf(folders))} order by folder`)]
/** Makes the folders table refuse rows with this name from now on. */
async function refusing(name: string) {
  await s.sql.unsafe(`alter table "${tableOf(folders)}" add constraint refused check (name <> '${name}') not valid`)
}

test('only the folder that cannot be stored is parked; after a retry it is correct', async () => {
  const before = await createFolder(ana, 'Before')
  expect((await ready()).parked).toEqual([])
  await refusing('Bad luck')
  const bad = await createFolder(ana, 'Bad luck')
  await expect.poll(async () => (await ready()).parked).toHaveLength(1)
  expect((await ana.call('PATCH', `/api/folders/${bad}`, { name: 'Renamed meanwhile' })).status).toBe(204)
  const other = await createFolder(ben, 'Somebody else')
  expect((await ana.call('GET', `/api/folders/${before}`)).body.name).toBe('Before')
  expect((await ben.call('GET', `/api/folders/${other}`)).body.name).toBe('Somebody else')
  expect((await ana.call('GET', `/api/folders/${bad}`)).status).toBe(404)

  expect(await ready()).toEqual({ status: 200, ready: true, parked: [{ reader: 'folders', streams: 1 }], lagging: [] })
  const { parked } = await follower('folders')
  expect(parked).toMatchObject({
    count: 1,
    streams: [{ stream: `folder-${bad}`, type: 'FolderCreated', error: expect.stringContaining('refused') }],
  })
  expect((await follower('story')).parked.count).toBe(0)

  expect((await retry('folders')).body).toEqual({ done: true, parked: 0 })
  expect((await ana.call('GET', `/api/folders/${bad}`)).body.name).toBe('Renamed meanwhile')
  expect(await ready()).toEqual({ status: 200, ready: true, parked: [], lagging: [] })
  const lifted = await rows()
  await s.deps.readModels.rebuild('folders')
  expect(await rows()).toEqual(lifted)
})

test('retrying a parked stream creates the missing errands exactly once', async () => {
  await s.sql.unsafe(`
    create or replace function refuse() returns trigger language plpgsql as $$ begin
      if new.kind = 'letter.assigned' then raise exception 'not this letter'; end if; return new; end $$;
    create trigger refuse before insert on errands for each row execute function refuse()`)
  const { folder } = await createAssignedFolder(ana, coach)
  await expect
    .poll(async () => (await follower('writing')).parked.streams)
    .toMatchObject([{ stream: `folder-${folder}`, type: 'FolderAssigned' }])
  // The event still fails: the reply tells the administrator so, and no errand is created.
  expect((await retry('writing')).body).toEqual({ done: true, parked: 1 })
  await coach.call('POST', `/api/folders/${folder}/decline`, { reason: 'A broken arm' })
  await s.sql`drop trigger refuse on errands`
  const asked = async () =>
    (await s.sql`select kind from errands where payload ->> 'folder' = ${folder} and kind like 'letter.%' order by kind`).map(r => r.kind)
  expect(await asked()).toEqual([])
  expect((await retry('writing')).body).toEqual({ done: true, parked: 0 })
  expect(await asked()).toEqual(['letter.assigned', 'letter.declined'])
  expect((await retry('writing')).body).toEqual({ done: true, parked: 0 })
  expect(await asked()).toHaveLength(2)
})

test('a reader that lags is reported but does not make a server unready', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = s.sql.begin(async tx => {
    await tx`select from checkpoints where name like 'story%' for update`
    locked.resolve()
    await promise
  })
  await locked.promise
  await ana.call('POST', '/api/folders', { id: randomUUID(), name: 'Unread' })
  expect((await ready()).lagging).toEqual([])
  s.advanceClock(6000)
  const late = await ready()
  s.advanceClock(-6000)
  expect([late.status, late.ready]).toEqual([200, true])
  expect(late.lagging).toContain('story')
  resolve()
  await holding
  s.advanceClock(6000)
  await expect.poll(async () => (await ready()).lagging).toEqual([])
  s.advanceClock(-6000)
})

test('every projection and process can be retried by its name', async () => {
  const names = (await state()).followers.map((f: { name: string }) => f.name)
  expect(names).toContain('audit chain')
  // The audit chain is left out, because it never parks a stream.
  for (const name of names.filter((n: string) => n !== 'audit chain')) expect([name, (await retry(name)).status]).toEqual([name, 200])
})

test('only an administrator can retry a parked stream, and only an existing one', async () => {
  expect((await ana.call('POST', '/api/admin/followers/folders/retry')).status).toBe(403)
  expect((await retry('nobody')).status).toBe(404)
})
