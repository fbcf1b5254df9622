import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { CommandRefused } from '../../modules/kernel/store.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import {
  loadAssignedSession,
  loadFolderAndInstructorSession,
  loadOwnFolder,
  loadOwnModelLibrary,
  loadVideosOfOwnSessionsInFolder,
  readableSessions,
  rethrowNotAssignedAsNotFound,
} from '../../src/api/access.ts'
import { Problem } from '../../src/api/problem.ts'

const store = memoryStore()
const [ana, ben, ray, kim, lee] = ['ana', 'ben', 'ray', 'kim', 'lee'] as const
const as = (id: string) => ({ user: { id, role: 'player' as const, session: 's' }, deps: { store } })
const video = (id: string) => ({ id, bytes: 1 })
let revision = -1n
const happened = async (type: string, data: object) => {
  const meta = { command: randomUUID(), name: 'folder.test', actor: 'system' }
  await store.append('folder-1', revision++, [{ id: randomUUID(), type, data, meta }])
}
const assigned = (assignment: string, instructor: string, ...videos: string[]) =>
  happened('FolderAssigned', { assignment, player: ana, instructor, message: null, terms: {}, follows: null, videos: videos.map(video) })
const delivered = (assignment: string, instructor: string) =>
  happened('FeedbackGiven', { assignment, player: ana, instructor, review: { notes: [], summary: '', grades: [] }, terms: {} })

/** Ray has reviewed two sessions and is assigned a third, Kim has reviewed one, and the player withdrew Lee's. */
beforeAll(async () => {
  await happened('FolderCreated', { player: ana, name: 'Swings' })
  for (const id of ['v1', 'v2', 'v3', 'v4']) await happened('VideoAdded', { video: { ...video(id), key: id } })
  await assigned('one', ray, 'v1', 'v2')
  await delivered('one', ray)
  await assigned('two', kim, 'v3')
  await delivered('two', kim)
  await assigned('three', lee, 'v4')
  await happened('AssignmentWithdrawn', { assignment: 'three' })
  await assigned('four', ray, 'v3')
  await delivered('four', ray)
  await assigned('five', ray, 'v4')
})

const missing = expect.toSatisfy((error: unknown) => error instanceof Problem && error.status === 404)
const sessions = [ray, kim, ray, lee].map((id, n) => ({ id: n, instructor: { id } }))
const folder = { player: { id: ana } }

test('players and admins read all sessions of a folder, instructors only their own', () => {
  expect(readableSessions({ id: ana, role: 'player' }, folder, sessions)).toEqual({ viewer: 'player', sessions })
  expect(readableSessions({ id: 'root', role: 'admin' }, folder, sessions)).toEqual({ viewer: 'admin', sessions })
  const own = [sessions[0], sessions[2]]
  expect(readableSessions({ id: ray, role: 'instructor' }, folder, sessions)).toEqual({ viewer: 'instructor', sessions: own })
  for (const [who, of, all] of [
    [{ id: ben, role: 'player' }, folder, sessions],
    [{ id: 'zoe', role: 'instructor' }, folder, sessions],
    [{ id: ray, role: 'instructor' }, folder, [sessions[1]!]],
    [{ id: ray, role: 'instructor' }, undefined, sessions],
    [{ id: 'root', role: 'admin' }, undefined, []],
    [{ id: ana, role: 'player' }, undefined, []],
  ] as const)
    expect(() => readableSessions(who, of, [...all])).toThrow(missing)
})

test('only the player who owns a folder has owner access to it', async () => {
  expect(await loadOwnFolder(as(ana), '1')).toMatchObject({ player: ana, name: 'Swings' })
  for (const [who, id] of [
    [ben, '1'],
    [ray, '1'],
    [ana, '2'],
  ] as const)
    await expect(loadOwnFolder(as(who), id)).rejects.toEqual(missing)
})

test('only an instructor has a library of model clips, and only their own', async () => {
  const by = (id: string, role: 'instructor' | 'player') => ({ ...as(id), user: { id, role, session: 's' } })
  expect(await loadOwnModelLibrary(by(ray, 'instructor'), ray)).toMatchObject({ clips: [] })
  for (const who of [by(kim, 'instructor'), by(ray, 'player'), by(ana, 'player')])
    await expect(loadOwnModelLibrary(who, ray)).rejects.toEqual(missing)
  await expect(loadOwnModelLibrary(by(ana, 'player'), ana)).rejects.toEqual(missing)
})

test('an instructor gets the requested session if it is theirs, else their latest one', async () => {
  expect(await loadFolderAndInstructorSession(as(ray), '1')).toMatchObject({ state: { player: ana }, session: { id: 'five' } })
  expect((await loadFolderAndInstructorSession(as(ray), '1', 'one')).session).toMatchObject({ id: 'one', instructor: ray })
  expect(await loadAssignedSession(as(kim), '1')).toMatchObject({ id: 'two' })
  expect(await loadAssignedSession(as(ray), '1', 'four')).toMatchObject({ id: 'four' })
  for (const [who, id, session] of [
    [kim, '1', 'one'],
    [kim, '1', 'five'],
    [ana, '1', undefined],
    [ray, '2', undefined],
    [ray, '1', 'six'],
  ] as const)
    await expect(loadFolderAndInstructorSession(as(who), id, session)).rejects.toEqual(missing)
})

test('an instructor reads only videos of their own sessions that were not canceled', async () => {
  expect((await loadVideosOfOwnSessionsInFolder(as(ray), '1')).videos.map(v => v.id)).toEqual(['v1', 'v2', 'v3', 'v4'])
  expect((await loadVideosOfOwnSessionsInFolder(as(kim), '1')).videos.map(v => v.id)).toEqual(['v3'])
  for (const who of [lee, ana, ben]) await expect(loadVideosOfOwnSessionsInFolder(as(who), '1')).rejects.toEqual(missing)
  await expect(loadVideosOfOwnSessionsInFolder(as(ray), '2')).rejects.toEqual(missing)
})

test('a refusal does not reveal whether the session exists', () => {
  const other = new CommandRefused('This folder is archived.', 'archived')
  expect(() => rethrowNotAssignedAsNotFound(other)).toThrow(other)
  const odd = Object.assign(new Error('odd'), { code: 'not-assigned' })
  expect(() => rethrowNotAssignedAsNotFound(odd)).toThrow(odd)
  expect(() => rethrowNotAssignedAsNotFound(new CommandRefused('It is not yours.', 'not-assigned'))).toThrow(missing)
})
