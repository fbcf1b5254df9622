/**
 * `npm run doctor`: tests each configured provider, and reports what is missing. It changes nothing, except that it writes a few small
 * objects to the object store and deletes them again. Exits with 1 if a check fails; notes do not count.
 */

import type { DoctorCheckResult } from '../modules/doctor-check-result.ts'
import { checkResendAccount } from '../modules/letters/resend-account-check.ts'
import { checkBucketPrivacyVersioningAndUploadKeys } from '../modules/media/bucket-privacy-versioning-and-upload-key-check.ts'
import { checkObjectStore } from '../modules/media/object-store-check.ts'
import { checkStripePlatformAccount } from '../modules/payments/stripe/platform-account-check.ts'
import { HANDLED_STRIPE_WEBHOOK_TYPES } from '../modules/payments/webhooks.ts'
import { type Config, ConfigError, readConfig } from '../src/config.ts'
import { checkEventStoreDB } from '../src/server/eventstoredb-check.ts'
import { checkPostgres } from '../src/server/postgres-check.ts'
import { checkRunningServerAndFirstUsers, publicServerDoctorChecks } from '../src/server/public-server-doctor-checks.ts'

/** The parts to check, in order, with their checks. `undefined` means that the part is embedded and needs no check. */
const parts = (config: Config): Record<string, (() => Promise<DoctorCheckResult[]>) | undefined> => {
  const { origin, databaseUrl, databaseDirectUrl, eventstoredbUrl, s3, stripe, resend, mailFrom } = config
  return {
    'The configuration': async () => publicServerDoctorChecks(config),
    'The database': databaseUrl ? () => checkPostgres({ databaseUrl, databaseDirectUrl }) : undefined,
    // Without EventStoreDB, the log is in Postgres and needs no check of its own.
    ...(eventstoredbUrl && { 'The log in EventStoreDB': () => checkEventStoreDB(eventstoredbUrl) }),
    'The object store':
      s3 && (async () => [...(await checkObjectStore(s3, origin)), ...(await checkBucketPrivacyVersioningAndUploadKeys(s3))]),
    Stripe: stripe && (() => checkStripePlatformAccount(stripe, origin, HANDLED_STRIPE_WEBHOOK_TYPES)),
    Resend: resend && (() => checkResendAccount(resend, mailFrom, origin)),
    'The running server': () => checkRunningServerAndFirstUsers(config),
  }
}

async function main(): Promise<boolean> {
  let isFit = true
  for (const [part, check] of Object.entries(parts(readConfig(process.env)))) {
    if (!check) {
      console.log(`--    ${part} is the embedded one: nothing to check.`)
      continue
    }
    try {
      for (const { check: what, isTrue, isNote, advice } of await check()) {
        console.log(isTrue ? `ok    ${what}` : `${isNote ? 'note' : 'FAIL'}  ${what}${isNote ? '?' : ': no.'} ${advice}`)
        isFit &&= isTrue || isNote === true
      }
    } catch (error) {
      isFit = false
      const { cause, message } = error as Error
      console.log(`FAIL  ${part} cannot be checked: ${(cause as Error | undefined)?.message || message || String(error)}`)
    }
  }
  return isFit
}

main().then(
  isFit => process.exit(isFit ? 0 : 1),
  error => {
    console.error(error instanceof ConfigError ? error.message : `The configuration cannot be checked: ${error?.stack ?? error}`)
    process.exit(1)
  },
)
