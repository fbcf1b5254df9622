import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderDecider } from '../../modules/folders/folder.ts'
import { handleCommand, systemCommandSource } from '../../modules/kernel/decider.ts'
import { findDeliveredSessionForGuests } from '../../src/api/delivered-session-for-guests.ts'
import { createAssignedFolder, type FullServer, newReviewInput, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
let ana: TestUser
let ray: TestUser
beforeAll(async () => {
  s = await startFullServer()
  ;[ana, ray] = await s.playerAndInstructor()
})
afterAll(() => s.end())

const readModelsAt = (position: bigint) => s.deps.readModels.caughtUp(['assignments', 'folders'], position)
const find = (folder: string, session: string) => findDeliveredSessionForGuests(s.deps, folder, session)
async function deliver({ folder, video }: { folder: string; video: string }, more: object = {}) {
  const answer = await ray.call('POST', `/api/folders/${folder}/feedback`, newReviewInput(video, more))
  expect([answer.status, answer.text]).toEqual([204, ''])
  await readModelsAt(BigInt(answer.headers.get('x-position')!))
}

test('only a delivered session of this folder is found, before and after it is paid', async () => {
  const [made, other] = [await createAssignedFolder(ana, ray), await createAssignedFolder(ana, ray)]
  expect(await find(made.folder, made.assignment)).toBeUndefined()
  await deliver(made)
  await deliver(other)
  expect((await find(made.folder, made.assignment))?.session).toMatchObject({ id: made.assignment, status: 'feedback-given' })
  const { position } = await handleCommand(s.deps.store, folderDecider, made.folder, 'paid', made, systemCommandSource())
  await readModelsAt(position)
  expect((await find(made.folder, made.assignment))?.session).toMatchObject({ id: made.assignment, status: 'feedback-given' })
  for (const [folder, session] of [
    [made.folder, other.assignment],
    [made.folder, randomUUID()],
    [randomUUID(), made.assignment],
  ] as const)
    expect(await find(folder, session)).toBeUndefined()
})

test('a compared video shows neither its own name nor that of its folder', async () => {
  const june = await createAssignedFolder(ana, ray)
  const now = await createAssignedFolder(ana, ray)
  const sides = [now, june].map(({ folder, video }) => ({ folder, video, origin: 4, offset: 0, scale: 1 }))
  const comparison = { id: randomUUID(), title: 'June and now', sides, mode: 'side', stretch: false }
  await deliver(now, { comparisons: [comparison] })
  const found = await find(now.folder, now.assignment)
  expect(found?.session.compared).toMatchObject([
    { id: june.video, name: 'Earlier video', folder: { id: june.folder, name: 'Earlier session' } },
  ])
})
