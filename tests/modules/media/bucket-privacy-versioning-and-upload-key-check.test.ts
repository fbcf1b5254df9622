import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkBucketPrivacyVersioningAndUploadKeys } from '../../../modules/media/bucket-privacy-versioning-and-upload-key-check.ts'
import type { BucketConfig } from '../../../modules/media/object-store.ts'

type UploadRight = 'read' | 'list' | 'put' | 'delete' | 'upload'
interface BucketSettings {
  isPublic?: boolean
  versioning?: 'Enabled' | 'Suspended' | 'unknown'
  noncurrentDays?: number
  uploadKeysMay?: UploadRight[]
}

/** Starts a fake S3 with one bucket that has these settings. It checks no signatures, but sees whose key signed a request. */
async function startBucket({ isPublic, versioning, noncurrentDays, uploadKeysMay }: BucketSettings) {
  const objects = new Set<string>()
  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url!, 'http://s3')
    const key = pathname.split('/').slice(2).join('/')
    await req.resume().toArray()
    const right: UploadRight =
      req.method === 'DELETE' ? 'delete' : req.method === 'PUT' ? (key.startsWith('doctor/') ? 'put' : 'upload') : key ? 'read' : 'list'
    const signer = /Credential=(\w+)/.exec(req.headers.authorization ?? '')?.[1]
    const isAllowed = signer === 'server' || (signer === 'uploads' ? uploadKeysMay!.includes(right) : isPublic && req.method === 'GET')
    const answer = (status: number, xml = '') => void res.writeHead(status, { 'content-type': 'application/xml' }).end(xml)
    if (!isAllowed) return answer(403, '<Error><Code>AccessDenied</Code></Error>')
    if (searchParams.has('versioning'))
      return versioning === 'unknown'
        ? answer(501, '<Error><Code>NotImplemented</Code></Error>')
        : answer(200, `<VersioningConfiguration>${versioning ? `<Status>${versioning}</Status>` : ''}</VersioningConfiguration>`)
    if (searchParams.has('lifecycle'))
      return noncurrentDays === undefined
        ? answer(404, '<Error><Code>NoSuchLifecycleConfiguration</Code></Error>')
        : answer(
            200,
            `<LifecycleConfiguration><Rule><Status>Enabled</Status><NoncurrentVersionExpiration><NoncurrentDays>${noncurrentDays}</NoncurrentDays></NoncurrentVersionExpiration></Rule></LifecycleConfiguration>`,
          )
    if (right === 'list') return answer(200, '<ListBucketResult></ListBucketResult>')
    if (right === 'delete') objects.delete(key)
    else if (right !== 'read') objects.add(key)
    answer(right === 'delete' ? 204 : 200)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  })
  const bucket: BucketConfig = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    bucket: 'videos',
    pathStyle: true,
    accessKeyId: 'server',
    secretAccessKey: 'secret',
    ...(uploadKeysMay && { uploadAccessKeyId: 'uploads', uploadSecretAccessKey: 'secret' }),
  }
  return { bucket, objects }
}
const fit: BucketSettings = { versioning: 'Enabled', noncurrentDays: 30, uploadKeysMay: ['upload'] }
async function findingsOf(settings: BucketSettings) {
  const { bucket, objects } = await startBucket(settings)
  const findings = (await checkBucketPrivacyVersioningAndUploadKeys(bucket)).filter(f => !f.isTrue)
  expect([...objects]).toEqual([])
  return findings.map(({ check, isNote, advice }) => `${isNote ? 'note' : 'FAIL'} ${check}: ${advice}`)
}

test('a private bucket with versions and upload-only keys passes', async () => {
  expect(await findingsOf(fit)).toEqual([])
})

test('a bucket that strangers can read is reported', async () => {
  expect(await findingsOf({ ...fit, isPublic: true })).toEqual([expect.stringMatching(/^FAIL the bucket is private: Everybody can read/)])
})

test('a bucket without versions, or that keeps them for too long, is reported', async () => {
  const versioning = [expect.stringMatching(/^FAIL the bucket keeps old versions.*: Turn on versioning/)]
  expect(await findingsOf({ ...fit, versioning: undefined })).toEqual(versioning)
  expect(await findingsOf({ ...fit, versioning: 'Suspended' })).toEqual(versioning)
  expect(await findingsOf({ ...fit, noncurrentDays: 365 })).toEqual([
    expect.stringMatching(/^FAIL old versions are deleted.*Add a lifecycle/),
  ])
  expect(await findingsOf({ ...fit, noncurrentDays: undefined })).toHaveLength(1)
})

test('a store that hides its settings, or a lack of upload keys, causes only a note', async () => {
  expect(await findingsOf({ versioning: 'unknown' })).toEqual([
    expect.stringMatching(/^note the bucket keeps old versions.*does not say \(NotImplemented\)/),
    expect.stringMatching(/^note uploads are signed with keys.*Set S3_UPLOAD_ACCESS_KEY_ID/),
  ])
})

test('upload access keys that may do more than upload, or cannot upload, are reported', async () => {
  expect(await findingsOf({ ...fit, uploadKeysMay: ['upload', 'read', 'list', 'put', 'delete'] })).toEqual([
    expect.stringContaining('may also read objects, list objects, put objects elsewhere, delete objects.'),
  ])
  expect(await findingsOf({ ...fit, uploadKeysMay: [] })).toEqual([expect.stringContaining('may not put objects under voices/')])
})
