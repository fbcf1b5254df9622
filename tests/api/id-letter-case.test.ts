import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { tableOf } from '../../modules/kernel/projection.ts'
import { folders } from '../../projections/folders.ts'
import { apiRoutes } from '../../src/api/index.ts'
import { readerStatuses } from '../../src/api/reader-status.ts'
import { arbitraryOfSchema } from '../support/arbitrary-requests.ts'
import { createFolder, createFolderWithVideo, newReviewInput, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
const capitals = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(UUID, id => id.toUpperCase()))

describe('an API contract', () => {
  const schemas = apiRoutes.flatMap(({ method, path, endpoint }) =>
    (['params', 'query', 'body'] as const).flatMap(part => {
      const schema = endpoint[part] as z.ZodType | undefined
      return schema ? [[`${part} of ${method} ${path}`, schema] as const] : []
    }),
  )
  test('converts ids to lower case', () => {
    const tried = new Set<string>()
    for (const [name, schema] of schemas) {
      for (const sent of fc.sample(arbitraryOfSchema(schema), { numRuns: 12, seed: 1 })) {
        const [lower, upper] = [schema.safeParse(sent), schema.safeParse(capitals(sent))]
        if (!lower.success || JSON.stringify(sent) === JSON.stringify(capitals(sent))) continue
        tried.add(name)
        expect([name, upper.data]).toEqual([name, lower.data])
      }
    }
    expect([...tried].filter(name => name.startsWith('params')).length).toBeGreaterThan(25)
    expect(tried).toContain('body of POST /api/folders')
    expect(tried).toContain('body of POST /api/folders/{folder}/assign')
    expect(tried).toContain('query of GET /api/admin/events')
  })
})

describe('in the running server', () => {
  let s: ServerWithStripe
  let ana: TestUser
  let ben: TestUser
  let coach: TestUser
  beforeAll(async () => {
    s = await startServerWithStripe()
    ;[ana, ben, coach] = await Promise.all([s.player(), s.player(), s.instructor()])
    await Promise.all([ana, ben].map(who => s.saveCardOf(who)))
  })
  afterAll(() => s.end())
  /** Appends an event as older versions did, which did not convert ids to lower case. */
  const append = async (stream: string, revision: number, type: string, data: object, actor: string) => {
    const meta = { command: randomUUID(), name: 'folder.create', actor }
    await s.sql`
      with placed as (update head set position = position + 1 returning position, pg_notify('events', ''))
      insert into events select position, ${stream}, ${revision}, ${randomUUID()}, ${type}, ${s.sql.json(data as never)}, ${s.sql.json(meta)},
        date_trunc('milliseconds', now()) from placed`
  }
  const parked = async () =>
    (await readerStatuses(s.deps)).flatMap(({ name, parked: { streams } }) => streams.map(({ stream }) => ({ reader: name, stream })))
  const streams = async (id: string) =>
    (await s.sql`select distinct stream from events where stream ilike ${`%-${id}`} order by 1`).map(r => r.stream)

  test('an id in capitals names the same object, which nobody else can create', async () => {
    const { folder } = await createFolderWithVideo(ana, 'Mine')
    const shouted = folder.toUpperCase()
    expect((await ben.call('POST', '/api/folders', { id: shouted, name: 'Yours' })).status).not.toBe(201)
    await ana.call('POST', '/api/folders', { id: shouted, name: 'Mine' })
    expect((await ana.call('PATCH', `/api/folders/${shouted}`, { name: 'Renamed' })).status).toBe(204)
    const assignment = randomUUID()
    const sent = { assignment: assignment.toUpperCase(), instructor: coach.id.toUpperCase() }
    expect((await ana.call('POST', `/api/folders/${shouted}/assign`, sent)).status).toBe(204)
    expect(await streams(folder)).toEqual([`folder-${folder}`])
    expect((await ana.call('GET', `/api/folders/${shouted}`)).body).toMatchObject({ id: folder, name: 'Renamed', assignment })
    const key = randomUUID()
    const archive = (as: string) => ben.call('POST', '/api/folders', { id: other, name: 'Once' }, { 'idempotency-key': as })
    const other = randomUUID()
    expect([(await archive(key)).status, (await archive(key.toUpperCase())).status]).toEqual([201, 201])
    expect(await s.deps.store.read(`folder-${other}`)).toHaveLength(1)
    expect(await parked()).toEqual([])
  })

  test('an old log with two streams for one folder, and ids in capitals, still works', async () => {
    const [twin, shouted] = [randomUUID(), randomUUID().toUpperCase()]
    await append(`folder-${twin}`, 0, 'FolderCreated', { player: ana.id, name: 'First' }, ana.id)
    await append(`folder-${twin.toUpperCase()}`, 0, 'FolderCreated', { player: ben.id, name: 'Second' }, ben.id)
    await append(`folder-${twin.toUpperCase()}`, 1, 'FolderRenamed', { name: 'Stolen' }, ben.id)
    await append(`folder-${shouted}`, 0, 'FolderCreated', { player: ben.id, name: 'From a phone' }, ben.id)
    await append(`folder-${shouted}`, 1, 'FolderRenamed', { name: 'From my phone' }, ben.id)
    await append(`folder-${twin}`, 1, 'FolderRenamed', { name: 'First of all' }, ana.id)
    const after = await createFolder(ana, 'After')

    const nameOf = async (who: TestUser, id: string) => (await who.call('GET', `/api/folders/${id}`)).body.name
    expect(await nameOf(ana, after)).toBe('After')
    expect(await nameOf(ana, twin)).toBe('First of all')
    expect(await nameOf(ben, twin)).toBeUndefined()
    expect(await nameOf(ben, shouted)).toBe('From my phone')
    const second = `folder-${twin.toUpperCase()}`
    expect((await parked()).map(p => [p.reader, p.stream])).toEqual([
      ['folders', second],
      ['story', second],
    ])
    const rows = async () => [...(await s.sql`select * from ${s.sql(tableOf(folders))} order by folder`)]
    const before = await rows()
    await s.deps.readModels.rebuild('folders')
    expect(await rows()).toEqual(before)
    // Events may still be appended to an existing stream whose id is in capitals, but no new stream may have such an id.
    const end = {
      id: randomUUID(),
      type: 'FolderArchived',
      data: {},
      meta: { command: randomUUID(), name: 'folder.archive', actor: ben.id },
    }
    await s.deps.store.append(`folder-${shouted}`, 1n, [end])
    for (const wrong of [randomUUID().toUpperCase(), `{${randomUUID()}}`, randomUUID().replaceAll('-', '')])
      await expect(s.deps.store.append(`folder-${wrong}`, -1n, [{ ...end, id: randomUUID() }])).rejects.toThrow(
        'the id must be a UUID in lower case',
      )
  })

  test('an old folder with ids all in capitals can be renamed, reviewed and paid for', async () => {
    const loud = () => randomUUID().toUpperCase()
    const [fresh, freshVideo, taken, takenVideo, session] = [loud(), loud(), loud(), loud(), loud()]
    const quiet = (id: string) => id.toLowerCase()
    const kept = { name: 'swing.mp4', type: 'video/mp4', bytes: 4_000_000, milliseconds: 2500, width: 320, height: 240, poster: null }
    for (const [folder, video] of [
      [fresh, freshVideo],
      [taken, takenVideo],
    ] as const) {
      await append(`folder-${folder}`, 0, 'FolderCreated', { player: ben.id, name: 'From a phone' }, ben.id)
      await append(`folder-${folder}`, 1, 'VideoAdded', { video: { ...kept, id: video, key: `videos/${folder}/${video}` } }, ben.id)
    }
    const read = async (stream: string) => (await s.deps.store.read(stream)).map(e => [e.stream, e.type])
    const review = async (folder: string, video: string) => {
      expect((await coach.call('POST', `/api/folders/${quiet(folder)}/review`)).status).toBe(204)
      expect((await coach.call('POST', `/api/folders/${quiet(folder)}/feedback`, newReviewInput(quiet(video)))).status).toBe(204)
      await s.waitUntilIdle()
    }
    const pay = async (payment: string) => {
      const { body } = await ben.call('GET', `/api/payments/${quiet(payment)}`)
      const key = { 'idempotency-key': randomUUID() }
      expect((await ben.call('POST', `/api/payments/${payment}/pay`, { tip: 0, total: body.total }, key)).status).toBe(200)
      await s.waitUntilIdle()
    }

    expect((await ben.call('PATCH', `/api/folders/${quiet(fresh)}`, { name: 'At last' })).status).toBe(204)
    const assignment = randomUUID()
    const asked = { assignment, instructor: coach.id }
    expect((await ben.call('POST', `/api/folders/${quiet(fresh)}/assign`, asked)).status).toBe(204)
    await s.waitUntilIdle()
    await review(fresh, freshVideo)
    await pay(assignment)
    expect((await ben.call('GET', `/api/folders/${quiet(fresh)}`)).body).toMatchObject({ name: 'At last', status: 'paid', assignment })
    expect(new Set((await read(`folder-${quiet(fresh)}`)).map(([stream]) => stream))).toEqual(new Set([`folder-${fresh}`]))

    // This folder was assigned, and its payment begun, before ids were converted to lower case.
    const [before] = (await s.deps.store.read(`folder-${fresh}`)).filter(e => e.type === 'FolderAssigned')
    const [agreed] = await s.deps.store.read(`payment-${assignment}`)
    const shout = (data: unknown, ids: Record<string, string>) =>
      JSON.parse(Object.entries(ids).reduce((text, [from, to]) => text.replaceAll(quiet(from), to), JSON.stringify(data)))
    const ids = { [fresh]: taken, [freshVideo]: takenVideo, [assignment]: session, [coach.id]: coach.id.toUpperCase() }
    await append(`payment-${session}`, 0, agreed!.type, shout(agreed!.data, ids), 'system')
    await append(`folder-${taken}`, 2, 'FolderAssigned', shout(before!.data, ids), ben.id)
    await s.waitUntilIdle()
    await review(taken, takenVideo)
    await pay(session)
    expect((await ben.call('GET', `/api/folders/${taken}`)).body).toMatchObject({ status: 'paid', assignment: quiet(session) })
    expect((await read(`payment-${quiet(session)}`)).map(([stream]) => stream)).not.toContain(`payment-${quiet(session)}`)
    expect((await read(`folder-${quiet(taken)}`)).at(-1)).toEqual([`folder-${taken}`, 'FolderPaid'])
    const seen = (await coach.call('GET', `/api/folders/${quiet(taken)}`)).body
    expect(seen.session.clips.map((c: { id: string }) => c.id)).toEqual([quiet(takenVideo)])
    expect((await parked()).filter(p => [fresh, taken, session].some(id => p.stream.endsWith(id)))).toEqual([])
  })
})
