import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { AtomicFilesystemStore } from '../../src/embedded/s3-atomic-filesystem-store.ts'

test('the second of two concurrent completions of an upload throws NoSuchUpload', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'diamondlink-s3-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const store = new AtomicFilesystemStore(dataDir)
  const uploadId = '0'.repeat(32)
  await store.initiateUpload('bucket', 'overtaken', uploadId, {})
  const { md5 } = await store.putPart('bucket', uploadId, '1', Readable.from([new Uint8Array(10)]))
  const { parts } = store
  store.parts = async (...args) => {
    const listed = await parts.apply(store, args)
    await rm(store.uploadDir('bucket', uploadId), { recursive: true })
    return listed
  }
  const overtaken = () => store.putObjectMultipart('bucket', uploadId, [{ number: 1, etag: md5 }])
  await expect(overtaken()).rejects.toMatchObject({ code: 'NoSuchUpload' })
  await expect(parts.call(store, 'bucket', uploadId)).rejects.toMatchObject({ code: 'NoSuchUpload' })
})
