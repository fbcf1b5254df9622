import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { createLogger, prettyLogStream } from '../../src/server/logging.ts'

test('a database error is logged without the row that it quotes', () => {
  const lines: string[] = []
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_username_key"'), {
    code: '23505',
    detail: 'Key (username)=(ana@example.com) already exists.',
    parameters: ['ana@example.com'],
  })
  createLogger('info', { write: line => void lines.push(line) }).error({ err: error, request: 'r-1' }, 'failed')
  expect(lines.join('')).toMatch(/23505.*users_username_key|users_username_key.*23505/)
  expect(lines.join('')).not.toContain('ana@example.com')
})

test('a terminal with embedded services gets readable log lines, others get JSON', async () => {
  const out = Object.assign(new PassThrough(), { isTTY: true })
  const own = readConfig({})
  createLogger('info', await prettyLogStream(out, own)).info({ part: 'mailbox', token: 'x' }, 'a letter')
  expect(String(out.read())).toMatch(/^\S*\[\d\d:\d\d:\d\d\]\S* \S*INFO\S*: \S*a letter\S* \{"part":"mailbox"\}\n$/)
  expect(await prettyLogStream(out, readConfig({ DATABASE_URL: 'postgres://x/y' }))).toBeUndefined()
  expect(await prettyLogStream(new PassThrough(), own)).toBeUndefined()
})
