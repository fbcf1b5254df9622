import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { assignments, openSessionsOf } from '../../projections/assignments.ts'
import { createAssignedFolder, type FullServer, newReviewInput, startFullServer, type TestUser } from '../api/full-server.ts'

let s: FullServer
let ana: TestUser
let coach: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, coach] = await Promise.all([s.player(), s.instructor()])
  await s.saveCard(ana.id)
})
afterAll(() => s.end())

test('the queue lists open work, deliveries and questions, oldest first', async () => {
  const names: Record<string, string> = {}
  const make = async (name: string) => {
    const made = await createAssignedFolder(ana, coach)
    names[made.folder] = name
    return made
  }
  const waiting = await make('waiting')
  const started = await make('in review')
  const delivered = await make('delivered')
  const asked = await make('asked')
  const taken = await make('taken back')
  await coach.call('POST', `/api/folders/${started.folder}/review`)
  for (const { folder, video } of [delivered, asked]) await coach.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video))
  await ana.call('POST', `/api/folders/${asked.folder}/question`, { question: 'How late?' })
  await ana.call('POST', `/api/folders/${taken.folder}/withdraw`)

  const { folders } = (await coach.call('GET', '/api/queue')).body
  expect(folders.map((f: { id: string; status: string; clarification: string }) => [names[f.id], f.status, f.clarification])).toEqual([
    ['waiting', 'assigned', 'none'],
    ['in review', 'in-review', 'none'],
    ['delivered', 'feedback-given', 'none'],
    ['asked', 'feedback-given', 'asked'],
  ])
  expect(folders[0]).toMatchObject({ id: waiting.folder, player: { id: ana.id }, instructor: { id: coach.id }, message: null, videos: 1 })
})

test('the queue lists nothing from other instructors', async () => {
  const other = await s.instructor()
  expect((await other.call('GET', '/api/queue')).body).toEqual({
    folders: [],
    waiting: { next: null, total: 0 },
    delivered: { next: null, total: 0 },
  })
})

test("an instructor's open sessions are found among hundreds of paid ones", async () => {
  const [leaving, other] = await Promise.all([s.instructor(), s.instructor()])
  const waiting = await createAssignedFolder(ana, leaving)
  const started = await createAssignedFolder(ana, leaving)
  await createAssignedFolder(ana, other)
  await leaving.call('POST', `/api/folders/${started.folder}/review`)
  await leaving.call('GET', '/api/queue')
  await s.sql`
    insert into ${s.sql(tableOf(assignments))} (assignment, folder, player, instructor, position, status, videos, assigned)
    select gen_random_uuid(), gen_random_uuid(), ${ana.id}, ${leaving.id}, 1000000 + n, 'paid', '[]', now() from generate_series(1, 300) n`
  expect([...(await openSessionsOf(s.sql, 'instructor', leaving.id))]).toEqual([
    { id: waiting.assignment, folder: waiting.folder, status: 'assigned', instructor: { id: leaving.id } },
    { id: started.assignment, folder: started.folder, status: 'in-review', instructor: { id: leaving.id } },
  ])
})
