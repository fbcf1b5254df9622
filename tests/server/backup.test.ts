import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESTROYED_KEYS_FILE_NAME, destroyedKeyOwnersIn, makeBackup, OBJECT_LIST_FILE_NAME } from '../../src/server/backup.ts'
import { type FullServer, startFullServer } from '../api/full-server.ts'

let s: FullServer
let directory: string
beforeAll(async () => {
  s = await startFullServer()
  directory = await mkdtemp(join(tmpdir(), 'diamondlink-backup-'))
})
afterAll(async () => {
  await s.end()
  await rm(directory, { recursive: true })
})

const backUp = () =>
  makeBackup({
    sql: s.sql,
    objects: s.deps.objects,
    directory: join(directory, 'backups'),
    keysDirectory: join(directory, 'keys'),
    now: new Date(),
  })

test('a backup includes videos, but no data exports, which contain personal text', async () => {
  await s.deps.objects.put('videos/folder/video', 'video/mp4', new Uint8Array([1]))
  await s.deps.objects.put('exports/person/export', 'application/zip', new Uint8Array([1]))
  const { backup } = await backUp()
  const list = (await readFile(join(backup, OBJECT_LIST_FILE_NAME), 'utf8')).trimEnd().split('\n')
  expect(list.map(line => JSON.parse(line).key)).toEqual(['videos/folder/video'])
})

test('a backup fails if the list of destroyed keys cannot be read', async () => {
  const keysDirectory = join(directory, 'keys')
  await backUp()
  expect(await destroyedKeyOwnersIn(keysDirectory)).toEqual([])
  expect(await destroyedKeyOwnersIn(directory)).toBeNull()
  await rm(join(keysDirectory, DESTROYED_KEYS_FILE_NAME))
  await mkdir(join(keysDirectory, DESTROYED_KEYS_FILE_NAME))
  await expect(backUp()).rejects.toThrow('EISDIR')
  expect(await readdir(keysDirectory)).toContain(DESTROYED_KEYS_FILE_NAME)
})

test('a restore ends every login session, even while Stripe cannot be reached', async () => {
  const player = await s.player()
  expect((await player.call('GET', '/api/folders')).status).toBe(200)
  await expect(s.afterRestore(() => {})).rejects.toThrow()
  expect((await player.call('GET', '/api/folders')).status).toBe(401)
})
