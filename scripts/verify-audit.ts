/**
 * `npm run verify-audit FILE [POSITION:HASH …]`: verifies that an exported audit matches the log's hash chain; exits with 1 if it does not.
 * Each POSITION:HASH is an earlier end of the chain, copied from the administrators' log at that time.
 */

import { createReadStream } from 'node:fs'
import { readTextLines } from '../modules/audit/read-text-lines.ts'
import { verifyAuditExport } from '../modules/audit/verify-export.ts'

const MAX_LISTED_FAULTS = 20

async function main(): Promise<boolean> {
  const [file, ...known] = process.argv.slice(2)
  if (!file || known.some(link => !/^\d+:[0-9a-f]{64}$/.test(link))) {
    console.error('Usage: npm run verify-audit FILE [POSITION:HASH …]')
    return false
  }
  const input = createReadStream(file)
  await new Promise<void>((opened, failed) => input.once('open', () => opened()).once('error', failed))
  const { events, isWhole, deleted, newest, faults } = await verifyAuditExport(readTextLines(input), known)
  for (const fault of faults.slice(0, MAX_LISTED_FAULTS)) console.log(`FAIL  ${fault}`)
  if (faults.length > MAX_LISTED_FAULTS) console.log(`FAIL  … and ${faults.length - MAX_LISTED_FAULTS} more.`)
  if (faults.length) return false
  console.log(`ok    ${events} events match the hash chain${isWhole ? ', and none is missing' : ''}.`)
  if (!isWhole) console.log('      The file is a filtered export, so gaps between its events cannot be detected.')
  if (deleted)
    console.log(`      The data of ${deleted} events was deleted with a person. Their place in the chain is proven; their content is not.`)
  if (newest) console.log(`      Compare this with the administrators' log, or with a value noted earlier: ${newest}`)
  return true
}

main().then(
  isSound => process.exit(isSound ? 0 : 1),
  error => {
    console.error(`The file cannot be read: ${error.message}`)
    process.exit(1)
  },
)
