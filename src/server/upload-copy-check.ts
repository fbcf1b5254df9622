import type { Logger } from 'pino'
import { settleWithin } from '../../modules/kernel/settle-within.ts'
import { acceptsUnsignedCopyHeader } from '../../modules/media/object-store-check.ts'
import { ConfigError, type S3Config } from '../config.ts'

/** A store that hangs delays a start no longer than this. */
const CHECK_TIMEOUT_MS = 15_000

/**
 * Refuses to serve families' videos from a store where whoever may upload can read them all. One that does not answer now is not refused, as
 * everything else of the server works without it.
 * @throws ConfigError
 */
export async function assertUploadsCannotCopy(bucket: S3Config, log: Pick<Logger, 'error'>) {
  const obeys = await settleWithin(CHECK_TIMEOUT_MS, acceptsUnsignedCopyHeader(bucket)).catch((error: unknown) => {
    log.error({ err: error }, 'the object store could not be checked for unsigned copy headers; run npm run doctor when it answers')
    return false
  })
  if (obeys) {
    throw new ConfigError(
      'S3_ENDPOINT: this store obeys an unsigned x-amz-copy-source, so every player could read every video. Upgrade it, or give uploads keys that may read nothing (S3_UPLOAD_ACCESS_KEY_ID); npm run doctor checks it',
    )
  }
}
