import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { assignments } from '../../projections/assignments.ts'
import { folders } from '../../projections/folders.ts'
import { purchases } from '../../projections/package-purchases.ts'
import { supportRequests } from '../../projections/support-requests.ts'
import { expectRefusal, type FullServer, startFullServer, type TestUser } from './full-server.ts'
import { nextPagePath } from './next-page-path-from-link-header.ts'

// These tests write the rows of long lists directly into the read models; the log has no events about them.

let s: FullServer
let ana: TestUser
let coach: TestUser
/** How many file URLs have been signed. */
let signatures = 0
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, coach] = await Promise.all([s.player(), s.instructor()])
  const { signPlayback } = s.deps.objects
  s.deps.objects.signPlayback = (...asked) => {
    signatures++
    return signPlayback.call(s.deps.objects, ...asked)
  }
  // Turns a hash of the name into a version 4 UUID, because contracts accept only valid UUIDs.
  await s.sql.unsafe(`create function id_of(name text) returns uuid immutable language sql return
    overlay(overlay(md5(name) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid`)
  await s.sql`
    insert into ${s.sql(tableOf(folders))} (folder, player, name, status, assignment, instructor, clips, created, updated)
    select id_of('folder' || n), ${ana.id}, 'Folder ' || n, case when n % 10 = 0 then 'archived' when n = 1 then 'open' else 'paid' end,
      id_of('session' || n), ${coach.id},
      (select jsonb_agg(jsonb_build_object('id', id_of('video' || n || '.' || v), 'name', 'swing.mp4', 'type', 'video/mp4', 'bytes', 1000,
        'key', 'videos/' || n || '/' || v, 'poster', 'posters/' || n || '/' || v, 'added', '2025-01-01T00:00:00.000Z'))
        from generate_series(1, 3) v),
      '2025-01-01', '2025-01-01'::timestamptz + n / 3 * interval '1 hour'
    from generate_series(0, 119) n`
  await s.sql`
    insert into ${s.sql(tableOf(assignments))} (assignment, folder, player, instructor, position, status, message, videos, assigned, given, review, question)
    select id_of('session' || n), id_of('folder' || n), ${ana.id}, ${coach.id}, 1000000 + n,
      case when n in (5, 6) then 'in-review' else 'paid' end, 'What do you see?', jsonb_build_array(id_of('video' || n || '.1')), '2025-01-01'::timestamptz + n * interval '1 minute',
      case when n not in (5, 6) then '2025-02-01'::timestamptz end, '{"summary": "A secret review", "notes": [], "grades": []}',
      case when n = 7 then 'And the hands?' end
    from generate_series(0, 119) n`
})
afterAll(() => s.end())

interface Listed {
  folders: { id: string; name: string; poster: string | null; assignment: string }[]
  next: string | null
  total: number
}
async function pages(first: Listed, path: string, who: TestUser): Promise<string[]> {
  const ids = first.folders.map(f => f.assignment)
  for (let { next } = first; next !== null; ) {
    const { body } = await who.call('GET', `${path}${next}`)
    expect(body.total).toBe(first.total)
    ids.push(...body.folders.map((f: Listed['folders'][number]) => f.assignment))
    next = body.next
  }
  return ids
}

test("a player's folders are paged, without reviews, and with one signed URL each", async () => {
  signatures = 0
  const { body, text } = await ana.call('GET', '/api/folders')
  expect(body).toMatchObject({ total: 108, archived: 12 })
  expect(body.folders).toHaveLength(24)
  expect(body.folders.every((f: Listed['folders'][number]) => f.poster)).toBe(true)
  // Folder 1 is old, but it comes with the first page because it is the only one in which the player may have something left to do.
  expect(body.unfinished.map((f: { name: string }) => f.name)).toEqual(['Folder 1'])
  expect(signatures).toBe(25)
  expect(text).not.toContain('A secret review')
  const all = await pages(body, '/api/folders?before=', ana)
  expect([all.length, new Set(all).size]).toEqual([108, 108])
  const archived = (await ana.call('GET', '/api/folders?archived=true')).body
  expect([archived.folders.length, archived.total, archived.next, archived.unfinished]).toEqual([12, 12, null, []])
})

test('paid folders that changed recently are listed even beyond the first page', async () => {
  const player = await s.player()
  await s.sql`
    insert into ${s.sql(tableOf(folders))} (folder, player, name, status, clips, created, updated)
    select id_of('late' || n), ${player.id}, 'Changed ' || days || ' days ago', 'paid', '[]', '2025-01-01', now() - days * interval '1 day'
    from (values (1, 0), (2, 2), (3, 12), (4, 16)) as changed (n, days)`
  const { body } = await player.call('GET', '/api/folders?limit=1')
  expect(body.folders.map((f: { name: string }) => f.name)).toEqual(['Changed 0 days ago'])
  expect(body.unfinished.map((f: { name: string }) => f.name)).toEqual(['Changed 2 days ago', 'Changed 12 days ago'])
})

test('the next page is unaffected if a folder changes in the meantime', async () => {
  const { body } = await ana.call('GET', '/api/folders?limit=5')
  const second = async () => (await ana.call('GET', `/api/folders?limit=5&before=${body.next}`)).body.folders
  const before = await second()
  await s.sql`update ${s.sql(tableOf(folders))} set updated = '2026-01-01' where folder = ${before[2].id}`
  expect((await second()).map((f: { id: string }) => f.id).slice(0, 4)).toEqual(
    before.filter((_: unknown, i: number) => i !== 2).map((f: { id: string }) => f.id),
  )
})

test('the queue has all started reviews and a page of deliveries, one signed URL each', async () => {
  signatures = 0
  const { body, text } = await coach.call('GET', '/api/queue')
  const waiting = body.folders.filter((f: { status: string; clarification: string }) => f.status !== 'paid' || f.clarification === 'asked')
  expect([waiting.length, body.folders.length, body.delivered.total]).toEqual([3, 53, 117])
  expect(signatures).toBeLessThanOrEqual(53)
  expect(text).not.toContain('A secret review')
  const { next, total } = body.delivered
  const delivered = body.folders.filter((f: object) => !waiting.includes(f)).reverse()
  const all = await pages({ folders: delivered, next, total }, '/api/queue/delivered?before=', coach)
  expect([all.length, new Set(all).size]).toEqual([117, 117])
})

test('waiting sessions are paged, oldest first; started ones are always listed', async () => {
  const busy = await s.instructor()
  await s.sql`
    insert into ${s.sql(tableOf(assignments))} (assignment, folder, player, instructor, position, status, videos, assigned)
    select id_of('waiting' || n), id_of('folder' || n), ${ana.id}, ${busy.id}, 2000000 + n, case when n = 111 then 'in-review' else 'assigned' end,
      '[]', '2025-01-01'::timestamptz + n * interval '1 minute' from generate_series(0, 111) n`
  // The delivery of this session can still be undone, although its review was never started.
  await s.sql`
    insert into held_deliveries (assignment, id, folder, instructor, review, due)
    values (id_of('waiting100'), id_of('delivery'), id_of('folder100'), ${busy.id}, '{}', now() + interval '1 hour')`
  const { body } = await busy.call('GET', '/api/queue')
  const [held, started] = body.folders.slice(-2)
  expect([held, started]).toMatchObject([{ assignment: expect.any(String), status: 'feedback-given' }, { status: 'in-review' }])
  expect(body.delivered.total).toBe(1)
  const first: Listed = { ...body.waiting, folders: body.folders.slice(0, -2) }
  expect([first.folders.length, first.total]).toEqual([50, 110])
  const ids = await pages(first, '/api/queue/waiting?after=', busy)
  const expected = await s.sql<
    { id: string }[]
  >`select id_of('waiting' || n) as id from generate_series(0, 110) n where n <> 100 order by n`
  expect(ids).toEqual(expected.map(row => row.id))
})

test('support requests are paged: waiting ones by urgency, done ones newest first', async () => {
  const admin = await s.admin()
  await s.sql`
    insert into ${s.sql(tableOf(supportRequests))} (request, asker, by_system, request_type, content, priority, status, answers, asked)
    select id_of('request' || n), case when n % 4 = 0 then ${coach.id}::uuid else ${ana.id}::uuid end, false, 'issue', 'The video of swing ' || n,
      (array['low', 'medium', 'high', 'critical'])[1 + n % 4], (array['open', 'answered', 'closed', 'in-progress', 'closed'])[1 + n % 5], '[]',
      '2025-06-01'::timestamptz + n / 3 * interval '1 hour' from generate_series(0, 99) n`
  const listed = async (list: string) => {
    const all: { id: string; priority: string; asked: string; by: { id: string } }[] = []
    for (let after = ''; ; ) {
      const { body } = await admin.call('GET', `/api/admin/support?list=${list}&limit=7${after}`)
      expect(body.total).toBe(list === 'waiting' ? 40 : 60)
      all.push(...body.requests)
      if (!body.next) break
      after = `&after=${body.next}`
    }
    expect(new Set(all.map(r => r.id)).size).toBe(all.length)
    return all
  }
  const done = await listed('done')
  expect(done.map(r => r.asked)).toEqual(
    done
      .map(r => r.asked)
      .sort()
      .reverse(),
  )
  expect(done).toHaveLength(60)
  const waiting = await listed('waiting')
  expect(waiting).toHaveLength(40)
  // Of each person's waiting requests, those beyond the first 20 are listed last, regardless of urgency.
  const urgency = (r: { priority: string }) => ['critical', 'high', 'medium', 'low'].indexOf(r.priority)
  expect(waiting.slice(0, 30).map(urgency)).toEqual(waiting.slice(0, 30).map(urgency).sort())
  expect(waiting.slice(30).every(r => r.by.id === ana.id)).toBe(true)
  const one = (await admin.call('GET', `/api/admin/support?request=${done[3]!.id}`)).body
  expect(one).toMatchObject({ requests: [{ id: done[3]!.id }], total: 1, next: null })

  const own = await ana.call('GET', '/api/support/my-requests?limit=20')
  expect(own.body).toHaveLength(20)
  const second = await ana.call('GET', nextPagePath(own.headers)!)
  expect(second.body[0].asked <= own.body[19].asked).toBe(true)
  expect(own.body.map((r: { id: string }) => r.id)).not.toContain(second.body[0].id)
})

test('packages are listed in pages, newest first, even if bought at the same time', async () => {
  const ben = await s.player()
  await s.sql`
    insert into ${s.sql(tableOf(purchases))} (purchase, player, payer, package, folders, amount, bought, refunds, disputes)
    select id_of('purchase' || n), case when n < 60 then ${ana.id}::uuid else ${ben.id}::uuid end, ${ana.id}, 'single', 1, 1500,
      '2025-01-01'::timestamptz + n / 3 * interval '1 hour', '{}', '{}' from generate_series(0, 62) n`
  const first = (await ana.call('GET', '/api/billing')).body
  expect([first.purchases.length, first.purchasePages.total]).toEqual([25, 60])
  const listed: { id: string; bought: string }[] = first.purchases
  for (let { next } = first.purchasePages; next !== null; ) {
    const { body } = await ana.call('GET', `/api/billing/purchases?before=${next}`)
    expect(body.total).toBe(60)
    listed.push(...body.purchases)
    next = body.next
  }
  expect([listed.length, new Set(listed.map(p => p.id)).size]).toEqual([60, 60])
  const times = listed.map(p => p.bought)
  expect(times).toEqual(times.toSorted().reverse())
  expect((await ben.call('GET', '/api/billing')).body).toMatchObject({ purchases: [{}, {}, {}], purchasePages: { total: 3, next: null } })
})

test('administrators list the instructors with a given status in pages', async () => {
  const admin = await s.admin()
  await Promise.all(Array.from({ length: 5 }, (_, n) => s.instructor({ firstName: `Paged${n}` })))
  const ids: string[] = []
  for (let after = ''; ; ) {
    const { body } = await admin.call('GET', `/api/admin/instructors?status=approved&search=Paged&limit=2${after}`)
    ids.push(...body.instructors.map((i: { id: string }) => i.id))
    if (!body.next) break
    after = `&after=${body.next}`
  }
  expect([ids.length, new Set(ids).size]).toEqual([5, 5])
})

test('search results for people are paged, even if their names are equal', async () => {
  const admin = await s.admin()
  await s.sql`
    insert into users (id, role, username, email, password, first_name, last_name, command, created)
    select id_of('person' || n), 'player', 'xanthe' || n || '@example.com', 'xanthe' || n || '@example.com', '-',
      case when n < 26 then 'Xanthe' else 'Xanthe' || n end, 'Quill', id_of('joining' || n), now() from generate_series(0, 29) n`
  const { people, next: second } = (await admin.call('GET', '/api/admin/search?text=xanthe')).body
  expect(people).toHaveLength(8)
  const found = people.map((person: { id: string }) => person.id)
  for (let next = second; next !== null; ) {
    const { body } = await admin.call('GET', `/api/admin/search/people?text=xanthe&after=${next}`)
    expect(body.people.length).toBeLessThanOrEqual(20)
    found.push(...body.people.map((person: { id: string }) => person.id))
    next = body.next
  }
  expect([found.length, new Set(found).size]).toEqual([30, 30])
  expectRefusal(await admin.call('GET', '/api/admin/search/people?text=xanthe&after=W10'), 422, 'invalid')
})

test('an invalid cursor is refused, and limits have a maximum', async () => {
  for (const path of [
    '/api/folders?before=x',
    '/api/billing/purchases?before=x',
    `/api/folders?before=${randomUUID()}`,
    '/api/folders?limit=101',
    '/api/folders?limit=0',
  ])
    expectRefusal(await ana.call('GET', path), 422, 'invalid')
  for (const path of ['/api/queue/waiting?after=W10', '/api/queue/delivered?before=W10', '/api/earnings?before=x'])
    expectRefusal(await coach.call('GET', path), 422, 'invalid')
})
