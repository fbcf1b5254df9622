import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { S3Config } from '../../src/config.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startTemporaryS3 } from '../support/s3.ts'
import { startS3HonoringUnsignedHeaders } from '../support/s3-honoring-unsigned-copy-header.ts'

const ORIGIN = 'http://127.0.0.1:4321'
let db: Awaited<ReturnType<typeof createTestDatabase>>
let store: Awaited<ReturnType<typeof startTemporaryS3>>
beforeAll(async () => {
  ;[db, store] = await Promise.all([createTestDatabase(), startTemporaryS3(ORIGIN)])
})
afterAll(() => Promise.all([db.end(), store.stop()]))

async function doctor(env: Record<string, string | undefined>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/doctor.ts'], {
    env: { PATH: process.env.PATH, ORIGIN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, lines: said.trim().split('\n'), complained }
}
const s3 = ({ endpoint, bucket, accessKeyId, secretAccessKey }: S3Config) => ({
  S3_ENDPOINT: endpoint,
  S3_PATH_STYLE: 'true',
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
})

test('the doctor prints a line for each check, and exits with a code for scripts', async () => {
  const healthy = await doctor({ DATABASE_URL: db.url })
  expect(healthy).toMatchObject({ code: 0, complained: '' })
  expect(healthy.lines).toEqual([
    'ok    people reach it by https',
    ...healthy.lines.slice(1, 6).map(() => expect.stringMatching(/^ok {4}/)),
    expect.stringMatching(/^-- {4}The object store is the embedded one/),
    expect.stringMatching(/^-- {4}Stripe is the embedded one/),
    expect.stringMatching(/^-- {4}Resend is the embedded one/),
    expect.stringMatching(/^note {2}a server answers at http:\/\/127\.0\.0\.1:4321\? .*before the first start/i),
  ])
})

test('the doctor says what is missing, and continues with the next provider', async () => {
  const obedient = await startS3HonoringUnsignedHeaders(store.config)
  const ill = await doctor({ ...s3(obedient.config), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  await obedient.stop()
  expect(ill.code).toBe(1)
  const failures = ill.lines.filter(line => line.startsWith('FAIL'))
  expect(failures).toEqual([
    expect.stringMatching(/^FAIL {2}The database cannot be checked: .*ECONNREFUSED/),
    expect.stringMatching(/^FAIL {2}a signed upload copies no other object: no\. The store obeys/),
    // The embedded S3 server keeps no versions.
    expect.stringMatching(/^FAIL {2}the bucket keeps old versions/),
    expect.stringMatching(/^FAIL {2}The running server cannot be checked: .*ECONNREFUSED/),
  ])
})

test('the doctor reports an ORIGIN without https and an invalid variable', async () => {
  expect((await doctor({ ORIGIN: 'http://diamondlink.example' })).lines[0]).toMatch(
    /^FAIL {2}people reach it by https: no\. ORIGIN is http:/,
  )
  expect(await doctor({ PORT: 'eighty' })).toMatchObject({ code: 1, complained: 'PORT: must be a number\n' })
})
