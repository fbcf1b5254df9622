import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectStore } from '../../../modules/media/object-store.ts'
import { acceptsUnsignedCopyHeader, checkObjectStore } from '../../../modules/media/object-store-check.ts'
import { ConfigError, type S3Config } from '../../../src/config.ts'
import { assertStoreRejectsUnsignedCopy } from '../../../src/server/assert-store-rejects-unsigned-copy.ts'
import { startTemporaryS3 } from '../../support/s3.ts'
import { startS3HonoringUnsignedHeaders } from '../../support/s3-honoring-unsigned-copy-header.ts'

const origin = 'http://127.0.0.1:4321'
let store: Awaited<ReturnType<typeof startTemporaryS3>>
let good: S3Config
let obedient: Awaited<ReturnType<typeof startS3HonoringUnsignedHeaders>>
beforeAll(async () => {
  store = await startTemporaryS3(origin)
  good = store.config
  obedient = await startS3HonoringUnsignedHeaders(good)
})
afterAll(async () => {
  await obedient.stop()
  await store.stop()
})

const assertStoreIsEmpty = async () => {
  const its = objectStore(good)
  const left: unknown[] = []
  for (const all of [its.list(''), its.multiparts()]) for await (const one of all) left.push(one)
  its.close()
  expect(left).toEqual([])
}

test('the embedded store passes all security checks', async () => {
  expect((await checkObjectStore(good, origin)).filter(({ isTrue }) => !isTrue)).toEqual([])
  await assertStoreIsEmpty()
})

test('a store that obeys an unsigned copy header is detected, and left without objects', async () => {
  const [copies] = await checkObjectStore(obedient.config, origin)
  expect(copies).toMatchObject({ check: 'a signed upload copies no other object', isTrue: false })
  await assertStoreIsEmpty()
})

test('the server starts with an unavailable store, but not with an insecure one', async () => {
  const errors: string[] = []
  const log = { error: (_: object, message: string) => errors.push(message) } as unknown as Parameters<
    typeof assertStoreRejectsUnsignedCopy
  >[1]
  await expect(assertStoreRejectsUnsignedCopy(obedient.config, log)).rejects.toThrow(ConfigError)
  await assertStoreRejectsUnsignedCopy(good, log)
  expect(errors).toEqual([])
  await assertStoreRejectsUnsignedCopy({ ...good, endpoint: 'http://127.0.0.1:1' }, log)
  expect(errors).toHaveLength(1)
})

test('upload keys without read permission cannot copy, even if the store is insecure', async () => {
  // The embedded store knows only one pair of keys, so the fake store in front of it distinguishes the signers.
  const behind = await startS3HonoringUnsignedHeaders(good, { denies: signer => signer === 'uploads' })
  const split = { ...behind.config, uploadAccessKeyId: 'uploads', uploadSecretAccessKey: 'of their own' }
  expect(await acceptsUnsignedCopyHeader(split)).toBe(false)
  expect(await acceptsUnsignedCopyHeader(behind.config)).toBe(true)
  await behind.stop()
})
