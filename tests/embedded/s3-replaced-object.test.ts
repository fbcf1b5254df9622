import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { AtomicFilesystemStore } from '../../src/embedded/s3-atomic-filesystem-store.ts'

test('the metadata of an object can be read at any moment while it is replaced', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-s3-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const store = new AtomicFilesystemStore(dataDir)
  const metadata = { 'content-type': 'application/json', 'x-amz-meta-frames': '3', date: 'not stored' }
  const replace = () =>
    store.putObject({ bucket: 'bucket', key: 'tables/replaced', content: Readable.from([Buffer.from('frames')]), metadata })
  await replace()
  let isOver = false
  const readers = Array.from({ length: 4 }, async () => {
    const types = new Set<string>()
    while (!isOver) types.add((await store.getMetadata('bucket', 'tables/replaced'))['content-type'])
    return [...types]
  })
  for (let i = 0; i < 200; i++) await replace()
  isOver = true
  expect(await Promise.all(readers)).toEqual(Array(4).fill(['application/json']))
  const stored = await store.getMetadata('bucket', 'tables/replaced')
  expect(stored).toMatchObject({ 'x-amz-meta-frames': '3', 'content-length': 6 })
  expect(stored).not.toHaveProperty('date')
})
