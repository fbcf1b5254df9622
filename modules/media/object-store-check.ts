import { randomUUID } from 'node:crypto'
import type { DoctorCheckResult } from '../doctor-check-result.ts'
import { DOCTOR_PREFIX, incomingPosterKey } from './object-keys.ts'
import { type BucketConfig, objectStore } from './object-store.ts'

const PROBE_TYPE = 'text/plain'
const TIMEOUT_MS = 10_000

const request = async (url: string, init: RequestInit) => {
  const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  await reply.body?.cancel()
  return reply
}
const put = (url: string, body: string, headers: Record<string, string> = {}) =>
  request(url, { method: 'PUT', body, headers: { 'content-type': PROBE_TYPE, ...headers } })

/** The bucket at the server's own endpoint, because the server may be unable to reach the browsers' endpoint. */
const fromHere = (bucket: BucketConfig): BucketConfig => ({ ...bucket, publicEndpoint: undefined })

/**
 * Whether the store obeys an `x-amz-copy-source` header that the signature of a PUT does not cover, for a whole object or for a multipart
 * part. If it does, anyone who may upload can read everything that the signing keys may read (CVE-2026-54330 of MinIO and Ceph). The check
 * creates its own objects and deletes them.
 * @throws ObjectStoreUnavailableError, or the error if the store refuses the server's own requests
 */
export async function acceptsUnsignedCopyHeader(bucket: BucketConfig): Promise<boolean> {
  const store = objectStore(fromHere(bucket))
  const id = randomUUID()
  const source = `${DOCTOR_PREFIX}${id}`
  const [whole, parted] = [incomingPosterKey('doctor', `${id}-whole`), incomingPosterKey('doctor', `${id}-part`)]
  const [secret, sent] = ['the bytes of somebody else', 'what the signature is for  ']
  const copy = { 'x-amz-copy-source': `/${bucket.bucket}/${source}` }
  const isSecret = async (key: string) => {
    const bytes = await store.read(key, 0, 100)
    return bytes !== null && new TextDecoder().decode(bytes) === secret
  }
  let multipart: { key: string; uploadId: string } | undefined
  try {
    await store.put(source, PROBE_TYPE, new TextEncoder().encode(secret))
    multipart = { key: parted, uploadId: await store.begin(parted, PROBE_TYPE) }
    await put(await store.signPut(whole, PROBE_TYPE, sent.length), sent, copy)
    await put(await store.signPart(multipart, 1, sent.length), sent, copy)
    const parts = (await store.parts(multipart)) ?? []
    if (parts.length) await store.complete(multipart, parts)
    return (await isSecret(whole)) || (await isSecret(parted))
  } finally {
    // An upload that was completed cannot be aborted, which does not matter here.
    await Promise.allSettled([...[source, whole, parted].map(store.remove), multipart && store.abort(multipart)])
    store.close()
  }
}

/**
 * Checks whether an object store is safe for uploads by signed URLs, and whether pages may use it.
 * @param origin the origin of the pages
 * @throws if the store does not respond, or refuses the server's own requests
 */
export async function checkObjectStore(bucket: BucketConfig, origin: string): Promise<DoctorCheckResult[]> {
  const findings: DoctorCheckResult[] = []
  const note = (check: string, isTrue: boolean, advice: string) => findings.push({ check, isTrue, advice })
  note(
    'a signed upload copies no other object',
    !(await acceptsUnsignedCopyHeader(bucket)),
    'The store obeys headers that a signature does not cover. Upgrade it, or sign uploads with keys that may read nothing (S3_UPLOAD_ACCESS_KEY_ID).',
  )

  const key = incomingPosterKey('doctor', randomUUID())
  const storeFromServer = objectStore(fromHere(bucket))
  const browsers = objectStore(bucket)
  try {
    const url = () => storeFromServer.signPut(key, PROBE_TYPE, 3)
    const refuses = async (body: string, headers?: Record<string, string>) => (await put(await url(), body, headers)).status === 403
    note(
      'a signed upload has the signed size',
      await refuses('four'),
      'The store ignores the signed Content-Length: players could fill it.',
    )
    note(
      'a signed upload has the signed type',
      await refuses('abc', { 'content-type': 'text/html' }),
      'The store ignores the signed Content-Type.',
    )
    const taken = await put(await url(), 'abc')
    note('a signed upload arrives', taken.ok, `The store answers ${taken.status}. Uploads need s3:PutObject on incoming/* and voices/*.`)

    const preflight = await request(await browsers.signPut(key, PROBE_TYPE, 3), {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
    })
    const allows = (reply: Response) => ['*', origin].includes(reply.headers.get('access-control-allow-origin') ?? '')
    note(
      'pages may upload (CORS: PUT)',
      preflight.ok && allows(preflight),
      `Allow PUT with content-type from ${origin} in the bucket's CORS.`,
    )
    const read = await request(await browsers.signPlayback(key, new Date()), { headers: { origin } })
    note('pages may read (CORS: GET)', read.ok && allows(read), `Allow GET from ${origin} in the bucket's CORS.`)
    const exposed = (read.headers.get('access-control-expose-headers') ?? '').toLowerCase()
    note('pages may see ETags (CORS)', exposed === '*' || exposed.includes('etag'), "Expose ETag in the bucket's CORS.")
  } finally {
    await storeFromServer.remove(key)
    storeFromServer.close()
    browsers.close()
  }
  return findings
}
