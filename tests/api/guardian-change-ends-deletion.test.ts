import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServerWithFamilies, startServerWithFamilyHelpers } from './server-with-families.ts'
import { newPlayerInput } from './test-server.ts'

let t: ServerWithFamilies['t']
let families: ServerWithFamilies['families']
beforeAll(async () => {
  ;({ t, families } = await startServerWithFamilyHelpers())
})
afterAll(() => t.end())

test("a guardian's request to delete the child's account ends if the guardian changes", async () => {
  const { leo, maria, email } = await families.family({ card: false })
  const path = `/api/family/children/${leo.id}/deletion`
  expect((await maria.call('POST', `${path}/link`)).status).toBe(204)
  await t.waitUntilIdle()
  const { text } = (await t.letters(email)).findLast(l => l.subject.startsWith('Delete '))!
  expect((await maria.call('POST', path, { token: /delete=([\w-]{43})/.exec(text)![1] })).status).toBe(204)
  expect((await leo.call('GET', '/api/account/deletion')).body).toMatchObject({ byGuardian: true, due: expect.any(String) })

  const mo = { name: 'Mo Lane', email: newPlayerInput().email }
  expect((await maria.call('POST', `/api/family/children/${leo.id}/guardian`, mo)).status).toBe(204)
  expect((await leo.call('GET', '/api/account/deletion')).body).toMatchObject({ byGuardian: false, due: null })
})

test('the consent link of a player who has turned 18 does not work', async () => {
  const minor = { ...newPlayerInput(), dateOfBirth: '2012-01-01', guardianName: 'Rosa Pine', guardianEmail: newPlayerInput().email }
  const leo = await t.player(minor)
  await t.waitUntilIdle()
  const token = /guardian\/([\w-]{43})/.exec((await t.letters(minor.guardianEmail)).at(-1)!.text)![1]
  const answer = `/api/guardian/${token}`
  expect((await t.browser().call('GET', answer)).status).toBe(200)
  await t.sql`update users set born = '1990-01-01' where id = ${leo.id}`
  expect((await t.browser().call('GET', answer)).status).toBe(404)
  expect((await t.browser().call('POST', answer, { answer: 'no' })).status).toBe(404)
})
