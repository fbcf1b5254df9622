import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { accountTestServer, registerPlayer, setUpAccountTestbed } from './account-testbed.ts'
import { newInstructorInput } from './test-server.ts'

setUpAccountTestbed()

async function linkFor(kind: 'change-email' | 'restore-email' | 'reset-password') {
  const { who, person, answer } = await registerPlayer()
  const target = { owner: answer.body.id as string, email: `other.${person.email}` }
  const { token } = await createEmailedLinkToken(accountTestServer.sql, accountTestServer.deps.clock(), kind, target)
  return { who, token }
}

test.each([
  ['confirming an email', 'change-email', (token: string) => ({ path: `/api/email-changes/${token}` })],
  ['undoing a change of email', 'restore-email', (token: string) => ({ path: `/api/email-changes/${token}/undo` })],
  [
    'resetting a password',
    'reset-password',
    (token: string) => ({ path: '/api/recovery/reset', body: { token, password: 'four plain words here' } }),
  ],
] as const)('%s succeeds again if the browser repeats the request', async (_, kind, requestOf) => {
  const { who, token } = await linkFor(kind)
  const { path, body }: { path: string; body?: object } = requestOf(token)
  const send = async (key: string) => (await who.call('POST', path, body, { 'idempotency-key': key })).status
  const key = randomUUID()
  // The first request may end the caller's login session; in that case, the repeated requests are anonymous.
  expect([await send(key), await send(key), await send(randomUUID())]).toEqual([204, 204, 410])
})

test('a repeated reset with a different password is refused', async () => {
  const { who, token } = await linkFor('reset-password')
  const headers = { 'idempotency-key': randomUUID() }
  const reset = async (password: string) => (await who.call('POST', '/api/recovery/reset', { token, password }, headers)).status
  expect([await reset('four plain words here'), await reset('four other plain words')]).toEqual([204, 410])
})

test("confirming an instructor's email succeeds again if the browser repeats it", async () => {
  const coach = accountTestServer.browser()
  const { body } = await coach.call('POST', '/api/register/instructor', newInstructorInput())
  const { token } = await createEmailedLinkToken(accountTestServer.sql, accountTestServer.deps.clock(), 'confirm-email', { owner: body.id })
  const send = async (key: string) =>
    (await accountTestServer.browser().call('POST', `/api/email-confirmation/${token}`, undefined, { 'idempotency-key': key })).status
  const key = randomUUID()
  expect([await send(key), await send(key), await send(randomUUID())]).toEqual([204, 204, 410])
})
