import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { approvals } from '../../projections/approvals.ts'
import { assignments } from '../../projections/assignments.ts'
import { unassignedVideos } from '../../projections/data-retention-queries.ts'
import { folders } from '../../projections/folders.ts'
import { createTestDatabase } from '../support/postgres.ts'

const ADDED = '2026-01-01T12:00:00Z'
const player = randomUUID()

let db: Awaited<ReturnType<typeof createTestDatabase>>
const testAbort = new AbortController()
beforeAll(async () => {
  db = await createTestDatabase()
  const readModels = [folders, assignments, approvals]
  await projectionRunner(db.sql, memoryStore(), readModels, { log: pino({ level: 'silent' }) }).start(testAbort.signal)
})
afterAll(async () => {
  testAbort.abort()
  await db.end()
})

/** Adds a folder with one video. `replaces`: the ids of the videos that it has replaced. */
async function addFolder(replaces: string[] = []) {
  const [folder, video] = [randomUUID(), randomUUID()]
  const clips = [{ id: video, name: 'swing.mp4', added: ADDED, ...(replaces.length && { replaces }) }]
  await db.sql`
    insert into ${db.sql(tableOf(folders))} (folder, player, name, status, clips, created, updated)
    values (${folder}, ${player}, 'Swings', 'open', ${db.sql.json(clips)}, ${ADDED}, ${ADDED})`
  return { folder, video }
}
async function addSession(folder: string, videos: string[], { status = 'assigned', review = {} } = {}) {
  await db.sql`
    insert into ${db.sql(tableOf(assignments))} (assignment, folder, player, instructor, position, status, videos, assigned, review)
    values (${randomUUID()}, ${folder}, ${player}, ${randomUUID()}, 1, ${status}, ${db.sql.json(videos)}, ${ADDED}, ${db.sql.json(review)})`
}

test('a video is unassigned unless a session has it, or the one it replaced', async () => {
  const first = randomUUID()
  const [unused, assigned, replaced, returned] = [
    await addFolder(),
    await addFolder(),
    await addFolder([first, randomUUID()]),
    await addFolder(),
  ]
  await addSession(assigned.folder, [assigned.video])
  await addSession(replaced.folder, [first])
  await addSession(returned.folder, [returned.video], { status: 'ended' })
  // A review of the folder `assigned` compares that folder's video with the video of `compared`, whose session was withdrawn later.
  const compared = await addFolder()
  await addSession(compared.folder, [compared.video], { status: 'ended' })
  const sides = [assigned, compared].map(side => ({ ...side, origin: 0 }))
  await addSession(assigned.folder, [assigned.video], { status: 'paid', review: { comparisons: [{ title: 'Then', sides }] } })
  for (const which of [{}, { player }]) {
    const found = await unassignedVideos(db.sql, { before: new Date('2027-01-02'), ...which })
    expect(found.map(row => row.video).sort()).toEqual([unused.video, returned.video].sort())
  }
})
