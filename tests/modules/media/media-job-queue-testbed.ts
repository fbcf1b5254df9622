import { randomUUID } from 'node:crypto'
import type { ISql, Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type MediaJob, type MediaJobQueue, mediaJobQueue } from '../../../modules/media/media-job-queue.ts'
import { videoKey } from '../../../modules/media/object-keys.ts'
import { createTestDatabase } from '../../support/postgres.ts'

export let db: Awaited<ReturnType<typeof createTestDatabase>>
export let sql: ISql
export let queueUnderTest: MediaJobQueue

/** Gives the calling file a database; each of its tests begins with an empty queue. */
export function setUpDatabaseWithEmptyMediaJobQueue() {
  beforeAll(async () => {
    db = await createTestDatabase()
    sql = db.sql
    queueUnderTest = mediaJobQueue(db.sql)
  })
  afterAll(() => db.end())
  beforeEach(() => db.sql`truncate media_work`)
}

/** Runs the test in one transaction, in which `now()` does not change. */
export const inTransactionWithConstantNow = (test: () => Promise<void>) => () =>
  db.sql.begin(async tx => {
    sql = tx
    // A transaction in a transaction is a savepoint.
    queueUnderTest = mediaJobQueue(Object.assign(tx, { begin: tx.savepoint }) as unknown as Sql)
    try {
      await test()
    } finally {
      sql = db.sql
      queueUnderTest = mediaJobQueue(db.sql)
    }
  })

export const LEASE_MS = 60_000
export const sampleVideoProperties = { codec: 'hevc', frames: 75 } as MediaJob['media'] & object
export const samplePreparedFiles = {
  rendition: { bytes: 900, width: 720, height: 1280 },
  poster: { bytes: 30 },
  filmstrip: { bytes: 40, count: 60, columns: 10, width: 90, height: 160 },
} as MediaJob['made'] & object
/** Adds a job as if it had been requested `minutes` ago. */
export async function addMediaJobAskedAgo(minutes: number, changes: Partial<Parameters<MediaJobQueue['add']>[0]> = {}) {
  const [folder, video] = [randomUUID(), randomUUID()]
  const job = { kind: 'rendition' as const, video, folder, key: videoKey(folder, video), type: 'video/mp4', bytes: 1000, ...changes }
  await queueUnderTest.add(job)
  await sql`update media_work set asked = now() - ${minutes} * interval '1 min' where video = ${job.video}`
  return job
}
export const mediaJobOf = async (video: string, kind?: MediaJob['kind']) => (await queueUnderTest.of([video], kind)).get(video)!
export const claimMediaJobs = async (count = 1, longCount = count) => await queueUnderTest.take(count, LEASE_MS, longCount)
/** Claims jobs one at a time, in order. */
export const claimMediaJobsOneByOne = async (count: number) => {
  const taken: MediaJob[] = []
  for (let i = 0; i < count; i++) taken.push((await claimMediaJobs())[0]!)
  return taken
}
/** Seconds until the job may be claimed. */
export const secondsUntilDue = async (video: string) => {
  const [row] = await sql`select extract(epoch from due - now())::float8 as seconds from media_work where video = ${video}`
  return Math.round(row!.seconds) + 0
}
export const isAboutNow = (time: string | null) => time !== null && Math.abs(Date.parse(time) - Date.now()) < 60_000
