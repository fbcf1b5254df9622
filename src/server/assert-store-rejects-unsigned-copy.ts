import type { Logger } from 'pino'
import { withDeadline } from '../../modules/kernel/with-deadline.ts'
import { acceptsUnsignedCopyHeader } from '../../modules/media/object-store-check.ts'
import { ConfigError, type S3Config } from '../config.ts'

/** Limits how long an unresponsive store delays the start. */
const CHECK_TIMEOUT_MS = 15_000

/**
 * Refuses to start with an object store that obeys unsigned copy headers, because any uploader could then read all families' videos. A
 * store that does not respond is accepted, because the rest of the server works without it.
 * @throws ConfigError
 */
export async function assertStoreRejectsUnsignedCopy(bucket: S3Config, log: Pick<Logger, 'error'>) {
  const obeys = await withDeadline(CHECK_TIMEOUT_MS, acceptsUnsignedCopyHeader(bucket)).catch((error: unknown) => {
    log.error({ err: error }, 'the object store could not be checked for unsigned copy headers; run npm run doctor when it answers')
    return false
  })
  if (obeys) {
    throw new ConfigError(
      'S3_ENDPOINT: this store obeys an unsigned x-amz-copy-source, so every player could read every video. Upgrade it, or give uploads keys that may read nothing (S3_UPLOAD_ACCESS_KEY_ID); npm run doctor checks it',
    )
  }
}
