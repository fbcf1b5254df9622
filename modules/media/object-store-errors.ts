import { S3ServiceException } from '@aws-sdk/client-s3'

/** The object store does not respond, says that it is unavailable, or refuses our signatures because of clock skew. */
export class ObjectStoreUnavailableError extends Error {}

/** Names of the errors that say that an object or an upload does not exist. */
export const MISSING_OBJECT_ERRORS = new Set(['NoSuchUpload', 'NoSuchKey', 'NotFound'])

/**
 * Translates errors of the store. A 4xx is our own fault and is thrown unchanged, unless clock skew causes it. Clock skew and all other
 * errors mean that the store is unavailable.
 */
export async function translateObjectStoreErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof S3ServiceException && error.$metadata.httpStatusCode! < 500 && error.$response)) {
      throw new ObjectStoreUnavailableError('the object store does not answer', { cause: error })
    }
    if (isSkewed(error)) {
      throw new ObjectStoreUnavailableError(
        'the object store refuses our signatures, because its clock and the clock of this machine differ too much',
        { cause: error },
      )
    }
    throw error
  }
}

/** How far clocks may differ before S3 refuses a signature, ms. */
const MAX_SKEW_MS = 15 * 60_000
/**
 * Whether the store refuses only because of clock skew (`RequestTimeTooSkewed`). The response to a HEAD has no body with that code, so its
 * date is compared with our clock.
 */
function isSkewed({ name, $metadata, $response }: S3ServiceException): boolean {
  if (name === 'RequestTimeTooSkewed') return true
  const storeTime = Date.parse($response!.headers.date ?? '')
  return $metadata.httpStatusCode === 403 && Math.abs(storeTime - Date.now()) > MAX_SKEW_MS
}
