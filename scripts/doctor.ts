/** `npm run doctor`: looks whether the configured object store is fit for browsers that upload to it; exit code 1 where it is not. */
import { checkObjectStore } from '../modules/media/store-check.ts'
import { ConfigError, readConfig } from '../src/config.ts'

async function main(): Promise<boolean> {
  const { s3, origin } = readConfig(process.env)
  if (!s3) {
    console.log('The object store is the embedded one: nothing to check. Set S3_BUCKET and its keys to check another.')
    return true
  }
  const findings = await checkObjectStore(s3, origin)
  for (const { check, isTrue, advice } of findings) console.log(isTrue ? `ok    ${check}` : `FAIL  ${check}. ${advice}`)
  return findings.every(({ isTrue }) => isTrue)
}

main().then(
  isFit => process.exit(isFit ? 0 : 1),
  error => {
    console.error(
      error instanceof ConfigError
        ? error.message
        : `The object store cannot be checked: ${error?.cause?.message ?? error?.message ?? error}`,
    )
    process.exit(1)
  },
)
