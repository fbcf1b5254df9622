import { expect, onTestFinished, test } from 'vitest'
import { expectRefusal, startFullServer } from './full-server.ts'
import { newPlayerInput } from './test-server.ts'

test('an administrator cannot leave if all others are leaving', async () => {
  const s = await startFullServer()
  onTestFinished(() => s.end())
  const admins = [await s.admin(), await s.admin()]
  await s.sql`update users set role = 'player' where role = 'admin' and id <> all(${await Promise.all(admins.map(idOf))}::uuid[])`
  const requestDeletion = (who: (typeof admins)[number]) =>
    who.call('POST', '/api/account/deletion', { password: newPlayerInput().password })
  expect((await requestDeletion(admins[0]!)).status).toBe(204)
  expectRefusal(await requestDeletion(admins[1]!), 409, 'deletion-obstacle')
  expect((await admins[0]!.call('POST', '/api/account/deletion/cancel')).status).toBe(204)
  expect((await requestDeletion(admins[1]!)).status).toBe(204)
})

const idOf = async (who: { call(method: string, path: string): Promise<{ body: { id: string } }> }) =>
  (await who.call('GET', '/api/user')).body.id
