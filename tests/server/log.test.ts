import { expect, test } from 'vitest'
import { createLog } from '../../src/server/log.ts'

test('a database error is logged without the row it quotes', () => {
  const lines: string[] = []
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_username_key"'), {
    code: '23505',
    detail: 'Key (username)=(ana@example.com) already exists.',
    parameters: ['ana@example.com'],
  })
  createLog('info', { write: line => void lines.push(line) }).error({ err: error, request: 'r-1' }, 'failed')
  expect(lines.join('')).toMatch(/23505.*users_username_key|users_username_key.*23505/)
  expect(lines.join('')).not.toContain('ana@example.com')
})
