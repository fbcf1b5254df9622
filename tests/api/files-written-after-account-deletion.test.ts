import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveredVoiceKey, frameTableKey, posterKey, renditionKey, reviewVideoKey, videoKey } from '../../modules/media/object-keys.ts'
import { DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { scheduledJobs } from '../../src/server/module-registry.ts'
import { createFolderWithVideo, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { newPlayerInput } from './test-server.ts'

let t: ServerWithStripe
beforeAll(async () => {
  t = await startServerWithStripe()
})
afterAll(() => t.end())

async function deleteAccount(who: TestUser) {
  expect((await who.call('POST', '/api/account/deletion', { password: newPlayerInput().password })).status).toBe(204)
  t.advanceClock(DELETION_GRACE_DAYS * 24 * 3600_000 + 1000)
  await t.makeDue('account.delete')
  expect(await t.sql`select 1 from users where id = ${who.id}`).toHaveLength(0)
}
/** Stores an object, as a worker or a browser that does not know of the deletion would. */
async function put(key: string) {
  await t.deps.objects.put(key, 'video/mp4', Buffer.from('late'))
  return key
}
const stillThere = async (keys: string[]) => {
  const found = await Promise.all(keys.map(async key => ((await t.deps.objects.head(key)) ? [key] : [])))
  return found.flat()
}
async function sweepEverything() {
  await t.sql`delete from job_runs`
  await scheduledJobs(t.deps)
    .find(job => job.name === 'sweeping everything')!
    .run(new AbortController().signal)
}

test('files written after an account was deleted are deleted a day later', async () => {
  const [player, instructor] = [await t.player(), await t.instructor()]
  const other = await createFolderWithVideo(await t.player())
  const { folder, video } = await createFolderWithVideo(player)
  const assignment = randomUUID()
  await t.saveCardOf(player)
  expect((await player.call('POST', `/api/folders/${folder}/assign`, { assignment, instructor: instructor.id })).status).toBe(204)
  expect((await player.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  await deleteAccount(player)
  const late = await Promise.all(
    [renditionKey(folder, video), reviewVideoKey(folder, assignment), deliveredVoiceKey(assignment, randomUUID())].map(put),
  )
  await t.sql`
    insert into media_work (video, kind, folder, player, key, type, bytes)
    values (${video}, 'rendition', ${folder}, ${player.id}, ${videoKey(folder, video)}, 'video/mp4', 9)`
  await t.makeDue('account.delete-late-files')
  expect(await stillThere(late)).toEqual([])
  expect(await t.sql`select 1 from media_work where video = ${video}`).toHaveLength(0)
  expect(await stillThere([videoKey(other.folder, other.video)])).toHaveLength(1)
})

test("the sweeper does not mistake a deleted player's late files for a folder's videos", async () => {
  const [leaving, staying] = [await t.player(), await t.player()]
  const [gone, kept] = [await createFolderWithVideo(leaving), await createFolderWithVideo(staying)]
  await deleteAccount(leaving)
  await t.sql`delete from uploads where id = ${kept.video}`
  const late = await Promise.all([renditionKey, frameTableKey, posterKey].map(key => put(key(gone.folder, gone.video))))
  const needed = await put(renditionKey(kept.folder, kept.video))
  await sweepEverything()
  expect(await stillThere([...late, needed])).toEqual([needed])
})
