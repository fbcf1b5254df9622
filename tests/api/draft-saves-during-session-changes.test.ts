import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { assignments } from '../../projections/assignments.ts'
import { scheduledJobs } from '../../src/server/module-registry.ts'
import { createAssignedFolder, expectRefusal, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

const draft = { notes: [], summary: 'Half a sentence of', grades: [] }
const drafts = async () => (await s.sql<{ assignment: string }[]>`select assignment from drafts`).map(d => d.assignment)
const forgotten = async () => {
  await expect.poll(async () => (await s.sql`select 1 from errands where kind = 'draft.forget' and done is null`).length).toBe(0)
}

test('a draft saved while its assignment ends is deleted as well', async () => {
  const open = await createAssignedFolder(ana, ray)
  const ends = [
    ['decline', { reason: 'Away.' }],
    ['feedback', undefined],
  ] as const
  const left: string[] = []
  for (const [end, body] of ends) {
    const { folder, video, assignment } = await createAssignedFolder(ana, ray)
    await ray.call('POST', `/api/folders/${folder}/review`)
    const { store } = s.deps
    // The assignment ends after the server has read the folder, and before it saves the draft.
    const { read } = store
    let ended: Promise<unknown> | undefined
    store.read = async stream => {
      const events = await read(stream)
      if (!ended && stream === `folder-${folder}`) {
        ended = ray.call('POST', `/api/folders/${folder}/${end}`, body ?? newReviewInput(video)).then(answer => {
          expect(answer.status).toBe(204)
        })
        await ended
        await expect
          .poll(
            async () =>
              (
                await s.sql`select 1 from errands where payload ->> 'assignment' = ${assignment} and kind = 'draft.forget' and done is not null`
              ).length,
          )
          .toBe(1)
      }
      return events
    }
    try {
      expect((await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).status).toBe(200)
    } finally {
      store.read = read
    }
    left.push(assignment)
  }
  expect((await ray.call('PUT', `/api/folders/${open.folder}/draft`, { revision: 0, draft })).status).toBe(200)
  await forgotten()
  expect((await drafts()).sort()).toEqual([...left, open.assignment].sort())
  const over = async () =>
    (
      await s.sql`select 1 from ${s.sql(tableOf(assignments))} where assignment in ${s.sql(left)} and (status = 'ended' or given is not null)`
    ).length
  await expect.poll(over).toBe(left.length)
  await scheduledJobs(s.deps)
    .find(c => c.name === 'deleting expired rows')!
    .run(new AbortController().signal)
  expect(await drafts()).toEqual([open.assignment])
})

test('saving the first draft starts the review, so the folder cannot be withdrawn', async () => {
  const { folder, assignment } = await createAssignedFolder(ana, ray)
  const statusOf = async (who: TestUser) => (await who.call('GET', `/api/folders/${folder}`)).body.session?.status
  expect(await statusOf(ray)).toBe('assigned')
  expect((await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 0, draft })).body).toEqual({ revision: 1 })
  expect(await statusOf(ray)).toBe('in-review')
  await expect.poll(() => statusOf(ana)).toBe('in-review')
  expectRefusal(await ana.call('POST', `/api/folders/${folder}/withdraw`), 409, 'in-review')
  expect((await ray.call('PUT', `/api/folders/${folder}/draft`, { revision: 1, draft: { ...draft, summary: 'Whole.' } })).status).toBe(200)
  const started = (await s.deps.store.read(`folder-${folder}`)).filter(e => e.type === 'ReviewStarted')
  expect(started.map(e => e.data)).toEqual([{ assignment }])
})

test('saving a draft does not start a review of a withdrawn folder', async () => {
  const { folder, assignment } = await createAssignedFolder(ana, ray)
  expect((await ana.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  expect((await ray.call('PUT', `/api/folders/${folder}/draft?session=${assignment}`, { revision: 0, draft })).status).toBe(404)
  expect(await drafts()).not.toContain(assignment)
})
