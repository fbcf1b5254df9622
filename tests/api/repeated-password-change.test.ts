import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newPlayerInput, startTestServer, type TestServer } from './test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await startTestServer()
})
afterAll(() => h.end())

test('a copy of a password change succeeds although the first one finished', async () => {
  const { password } = newPlayerInput()
  const player = h.browser()
  await player.call('POST', '/api/register/player', newPlayerInput())
  const headers = { 'idempotency-key': randomUUID() }
  const change = async () => {
    const body = { presentPassword: password, password: 'four plain words here' }
    return (await player.call('POST', '/api/account/password', body, headers)).status
  }
  const take = h.deps.limits.take
  const statuses: number[] = []
  // The limit is taken right before the password is checked.
  vi.spyOn(h.deps.limits, 'take').mockImplementationOnce(async (...args) => {
    statuses.push(await change())
    return take(...args)
  })
  statuses.push(await change())
  expect(statuses).toEqual([204, 204])
  expect((await h.postedErrands()).filter(e => e.kind === 'letter.password-changed')).toHaveLength(1)
})
