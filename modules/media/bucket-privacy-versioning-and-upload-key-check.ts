import { randomUUID } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { DoctorCheckResult } from '../doctor-check-result.ts'
import { KEY_BACKUP_RETENTION_DAYS } from '../privacy/policy.ts'
import { createS3Client } from './create-s3-client.ts'
import { DOCTOR_PREFIX, uploadedVoiceKey } from './object-keys.ts'
import { type BucketConfig, type ObjectStore, objectStore } from './object-store.ts'

/** Old versions of a person's deleted videos must not be kept longer than the backups of that person's key. */
const MAX_NONCURRENT_DAYS = KEY_BACKUP_RETENTION_DAYS
const TIMEOUT_MS = 10_000

/**
 * Checks the settings made by the bucket's owner: that strangers can read nothing, that old versions are kept but not forever, and that the
 * keys for uploads allow nothing else. Creates two small objects and deletes them again.
 * @throws if the store does not respond, or refuses the server's own requests
 */
export async function checkBucketPrivacyVersioningAndUploadKeys(bucket: BucketConfig): Promise<DoctorCheckResult[]> {
  const store = objectStore(bucket)
  const client = createS3Client(bucket, TIMEOUT_MS)
  const key = DOCTOR_PREFIX + randomUUID()
  try {
    await store.put(key, 'text/plain', new TextEncoder().encode('abc'))
    const url = new URL(await store.signPlayback(key, new Date()))
    url.search = ''
    return [await checkPrivacy(url, key), ...(await checkVersions(client, bucket.bucket)), await checkUploadKeys(bucket, store, key)]
  } finally {
    await store.remove(key)
    store.close()
    client.destroy()
  }
}

/** @param url the unsigned URL of an existing object, as browsers know it */
async function checkPrivacy(url: URL, key: string): Promise<DoctorCheckResult> {
  const isServed = async (address: string) => {
    const reply = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await reply.body?.cancel()
    return reply.ok
  }
  const listing = `${url.href.slice(0, -key.length)}?list-type=2`
  return {
    check: 'the bucket is private',
    isTrue: !(await isServed(url.href)) && !(await isServed(listing)),
    advice: 'Everybody can read or list it without a signature: remove its public policy, and block public access.',
  }
}

async function checkVersions(client: S3Client, Bucket: string): Promise<DoctorCheckResult[]> {
  const check = 'the bucket keeps old versions, so that a deleted video can be restored'
  const versioning = await client.send(new GetBucketVersioningCommand({ Bucket })).catch(asRefusal)
  // Some stores do not support versioning, and our keys may lack the permission to read settings.
  if (versioning instanceof S3ServiceException)
    return [
      { check, isTrue: false, isNote: true, advice: `The store does not say (${versioning.name}). Look at the settings of the bucket.` },
    ]
  if (versioning.Status !== 'Enabled') return [{ check, isTrue: false, advice: 'Turn on versioning in the settings of the bucket.' }]

  const lifecycle = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket })).catch(asRefusal)
  const isUnknown = lifecycle instanceof S3ServiceException && lifecycle.name !== 'NoSuchLifecycleConfiguration'
  const rules = lifecycle instanceof S3ServiceException ? [] : (lifecycle.Rules ?? [])
  const expiring = rules.find(
    ({ Status, NoncurrentVersionExpiration }) =>
      Status === 'Enabled' && (NoncurrentVersionExpiration?.NoncurrentDays ?? Number.POSITIVE_INFINITY) <= MAX_NONCURRENT_DAYS,
  )
  return [
    { check, isTrue: true, advice: '' },
    {
      check: `old versions are deleted after ${MAX_NONCURRENT_DAYS} days at most`,
      isTrue: expiring !== undefined,
      ...(isUnknown && { isNote: true }),
      advice: isUnknown
        ? `The store does not say (${lifecycle.name}). Look at the lifecycle rules of the bucket.`
        : 'Add a lifecycle rule for noncurrent versions, so that deleted videos do not stay in them.',
    },
  ]
}

/** Returns the error of a request that the store refused. @throws any other error, because then the store did not respond */
function asRefusal(error: unknown): S3ServiceException {
  if (error instanceof S3ServiceException) return error
  throw error
}

/** @param key an existing object that is not under a prefix for uploads */
async function checkUploadKeys(bucket: BucketConfig, store: ObjectStore, key: string): Promise<DoctorCheckResult> {
  const check = 'uploads are signed with keys that may do nothing else'
  const { uploadAccessKeyId, uploadSecretAccessKey, bucket: Bucket } = bucket
  if (!uploadAccessKeyId || !uploadSecretAccessKey)
    return { check, isTrue: false, isNote: true, advice: 'Set S3_UPLOAD_ACCESS_KEY_ID to keys of their own (docs/launch.md).' }

  const client = createS3Client({ ...bucket, accessKeyId: uploadAccessKeyId, secretAccessKey: uploadSecretAccessKey }, TIMEOUT_MS)
  const may = (call: Promise<unknown>) =>
    call.then(
      () => true,
      error => {
        asRefusal(error)
        return false
      },
    )
  const voice = uploadedVoiceKey('doctor', randomUUID())
  const put = (Key: string) => may(client.send(new PutObjectCommand({ Bucket, Key, ContentType: 'text/plain', Body: 'abc' })))
  try {
    const mayUpload = await put(voice)
    const rights = {
      'read objects': await may(client.send(new GetObjectCommand({ Bucket, Key: key })).then(reply => reply.Body?.transformToString())),
      'list objects': await may(client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }))),
      'put objects elsewhere': await put(key),
      'delete objects': await may(client.send(new DeleteObjectCommand({ Bucket, Key: key }))),
    }
    const excess = Object.entries(rights).flatMap(([right, isGiven]) => (isGiven ? [right] : []))
    return {
      check,
      isTrue: mayUpload && excess.length === 0,
      advice: mayUpload
        ? `S3_UPLOAD_ACCESS_KEY_ID may also ${excess.join(', ')}. Restrict it to s3:PutObject on incoming/* and voices/*.`
        : 'S3_UPLOAD_ACCESS_KEY_ID may not put objects under voices/. Give it s3:PutObject on incoming/* and voices/*.',
    }
  } finally {
    await store.remove(voice)
    client.destroy()
  }
}
