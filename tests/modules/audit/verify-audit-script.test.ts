import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuditExportFormatter } from '../../../modules/audit/format-export.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'diamondlink-audit-'))
})
afterAll(() => rm(directory, { recursive: true }))

const root = join(import.meta.dirname, '../../..')
/** Runs the script. @returns its exit code and what it printed */
const verify = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/verify-audit.ts', ...args], { cwd: root }).then(
    ({ stdout }) => ({ code: 0, printed: stdout }),
    error => ({ code: error.code as number, printed: `${error.stdout}${error.stderr}` }),
  )

test('the script exits with 0 for an intact export and with 1 for any other file', async () => {
  const file = join(directory, 'events.jsonl')
  await writeFile(file, createAuditExportFormatter().end({}, null))
  expect(await verify(file)).toEqual({ code: 0, printed: 'ok    0 events match the hash chain, and none is missing.\n' })
  // A search text may contain U+2028, which does not end a line.
  await writeFile(file, createAuditExportFormatter().end({ search: 'a\u2028b' }, null))
  expect(await verify(file)).toMatchObject({ code: 0, printed: expect.stringMatching(/^ok {4}0 events match the hash chain\.\n/) })
  await writeFile(file, createAuditExportFormatter().end({}, null))
  const link = `7:${'a'.repeat(64)}`
  expect(await verify(file, link)).toEqual({ code: 1, printed: `FAIL  There is no event ${link.replace(':', ' with the hash ')}.\n` })
  await writeFile(file, '')
  expect(await verify(file)).toEqual({ code: 1, printed: 'FAIL  The end of the file is missing.\n' })
  expect(await verify(join(directory, 'nothing'))).toMatchObject({
    code: 1,
    printed: expect.stringMatching(/^The file cannot be read: ENOENT/),
  })
  expect(await verify()).toMatchObject({ code: 1, printed: expect.stringMatching(/^Usage: /) })
})
