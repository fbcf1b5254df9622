import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UNFINISHED_UPLOAD_HOURS } from '../../modules/media/policy.ts'
import { readUnfinishedUploads, rememberUpload } from '../../src/upload/unfinished-uploads.ts'
import { createUploadQueue } from '../../src/upload/upload-queue.ts'

/** The uploads that the server lists as unfinished. */
let listed: object[]
beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  vi.stubGlobal('fetch', async () => Response.json({ uploads: listed }))
})
afterEach(() => vi.unstubAllGlobals())

const names = (now = Date.now()) => readUnfinishedUploads(now).map(upload => upload.name)
const onServer = (id: string) => ({ id, name: id, bytes: 1, fingerprint: id, arrived: [], replaces: null })

test('opening a folder forgets its uploads that the server no longer has', async () => {
  rememberUpload('added', { folder: 'bullpen', name: 'added.mov' })
  rememberUpload('pending', { folder: 'bullpen', name: 'pending.mov' })
  rememberUpload('other', { folder: 'cage', name: 'other.mov' })
  listed = [onServer('pending')]
  await createUploadQueue('bullpen', () => {}).load()
  expect(names()).toEqual(['pending.mov', 'other.mov'])
})

test('an unfinished copy says that the original has to be chosen', async () => {
  rememberUpload('whole', { folder: 'bullpen', name: 'swing.mov' })
  rememberUpload('copy', { folder: 'bullpen', name: 'swing (trimmed).mov', isCopy: true })
  listed = [onServer('whole'), onServer('copy')]
  const queue = createUploadQueue('bullpen', () => {})
  await queue.load()
  const [whole, copy] = queue.$items.get()
  expect(whole).not.toHaveProperty('message')
  expect(copy!.message).toContain('choose the original video again')
})

test('an upload that starts while the list is fetched stays remembered', async () => {
  listed = []
  const loading = createUploadQueue('bullpen', () => {}).load()
  rememberUpload('new', { folder: 'bullpen', name: 'new.mov' })
  await loading
  expect(names()).toEqual(['new.mov'])
})

test('an upload that the server has discarded is not listed', () => {
  rememberUpload('old', { folder: 'bullpen', name: 'old.mov' })
  expect(names()).toEqual(['old.mov'])
  expect(names(Date.now() + (UNFINISHED_UPLOAD_HOURS + 1) * 3600_000)).toEqual([])
})

test('an upload that an earlier version remembered without a time is listed', () => {
  localStorage.setItem('unfinished-uploads', JSON.stringify({ u: { folder: 'bullpen', name: 'u.mov' } }))
  expect(names()).toEqual(['u.mov'])
})
