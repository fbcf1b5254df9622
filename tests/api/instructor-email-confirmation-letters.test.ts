import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmailedLinkToken } from '../../modules/accounts/emailed-links.ts'
import { requestMissingEmailConfirmations } from '../../src/api/instructor-email-confirmation-letters.ts'
import { expectRefusal, type FullServer, startFullServer, type TestUser } from './full-server.ts'

let s: FullServer
beforeAll(async () => {
  s = await startFullServer()
})
afterAll(() => s.end())

const lettersTo = ({ id }: TestUser) =>
  s.sql<{ token: string | null }[]>`
    select l.token from errands e left join links l on l.id = (e.payload ->> 'link')::uuid
    where e.kind = 'letter.confirm-email' and e.payload ->> 'user' = ${id}`
const forgetLettersTo = ({ id }: TestUser) => s.sql`delete from errands where kind = 'letter.confirm-email' and payload ->> 'user' = ${id}`
const confirm = (token: string) => s.browser().call('POST', `/api/email-confirmation/${token}`)
const backfill = (ending = new AbortController().signal) => requestMissingEmailConfirmations(s.deps, ending)

test('a new instructor gets one letter, whose link confirms the email', async () => {
  const ray = await s.instructor({ unvetted: true })
  const letters = await lettersTo(ray)
  expect(letters).toEqual([{ token: expect.any(String) }])
  expect((await confirm(letters[0]!.token!)).status).toBe(204)
})

test('an instructor from before confirmation was introduced gets the letter once', async () => {
  const ray = await s.instructor({ unvetted: true })
  await forgetLettersTo(ray)
  const { token: earlierToken } = await createEmailedLinkToken(s.sql, new Date(), 'confirm-email', { owner: ray.id })
  await backfill()
  await backfill()
  const letters = await lettersTo(ray)
  expect(letters).toHaveLength(1)
  expectRefusal(await confirm(earlierToken), 410, 'link-over')
  expect((await confirm(letters[0]!.token!)).status).toBe(204)
})

test('an instructor with a confirmed email does not get another letter', async () => {
  const ray = await s.instructor()
  await forgetLettersTo(ray)
  const admin = await s.admin()
  expect((await admin.call('GET', `/api/admin/instructors/${ray.id}`)).body).toMatchObject({ emailConfirmed: true })
  await backfill()
  expect(await lettersTo(ray)).toEqual([])
})

test('no more missing letters are queued once the server is stopping', async () => {
  const ray = await s.instructor({ unvetted: true })
  await forgetLettersTo(ray)
  await expect(backfill(AbortSignal.abort(new Error('the server stops')))).rejects.toThrow('the server stops')
  expect(await lettersTo(ray)).toEqual([])
})
