import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELETION_GRACE_DAYS } from '../../modules/privacy/policy.ts'
import { guardianTokenIn } from '../support/guardian-token-in-letter.ts'
import { createFolderWithVideo, expectRefusal, type TestUser } from './full-server.ts'
import { type ServerWithStripe, startServerWithStripe } from './server-with-stripe.ts'
import { birthDateForAge, newPlayerInput } from './test-server.ts'

const DAY_MS = 24 * 3600_000

let t: ServerWithStripe
let coach: TestUser
beforeAll(async () => {
  t = await startServerWithStripe()
  coach = await t.instructor()
})
afterAll(() => t.end())

/** Creates a minor, and a guardian who has given consent and is signed in. */
async function family() {
  const email = newPlayerInput().email
  const minor = { ...newPlayerInput(), dateOfBirth: birthDateForAge(14), guardianName: 'Maria García', guardianEmail: email }
  const leo = await t.player(minor)
  const maria = t.browser()
  const letters = async (to = email) => {
    await t.waitUntilIdle()
    return t.letters(to)
  }
  const token = guardianTokenIn((await letters())[0])
  expect((await maria.call('POST', `/api/guardian/${token}`, { answer: 'yes' })).status).toBe(204)
  const path = `/api/family/children/${leo.id}/deletion`
  return {
    leo,
    maria,
    path,
    letters,
    email: minor.email,
    deletion: async () => (await maria.call('GET', path)).body,
    /** Requests a deletion link and returns its token. */
    async link() {
      expect((await maria.call('POST', `${path}/link`)).status).toBe(204)
      const { text } = (await letters()).findLast(l => /^Delete Ana's DiamondLink account/.test(l.subject))!
      return /delete=([\w-]{43})/.exec(text)![1]!
    },
    erase: (token: string, who: Pick<TestUser, 'call'> = maria) => who.call('POST', path, { token }),
  }
}
const users = (id: string) => t.sql`select 1 from users where id = ${id}`

test("a guardian deletes a child's account with a link, and both are notified", async () => {
  const { leo, letters, link, erase, deletion, email } = await family()
  expect(await deletion()).toMatchObject({ due: null, byGuardian: false, obstacle: null, unusedSessions: 0 })
  const token = await link()
  expect((await erase(token)).status).toBe(204)
  const { due, byGuardian } = await deletion()
  expect(byGuardian).toBe(true)
  expect(Math.round((Date.parse(due) - t.deps.clock().getTime()) / DAY_MS)).toBe(DELETION_GRACE_DAYS)
  expect((await letters()).at(-1)!.text).toContain("You asked us to delete Ana's account.")
  // At night, letters to minors are postponed until morning.
  await t.makeDue('letter.deletion-scheduled')
  expect((await letters(email)).at(-1)!.text).toContain('Your parent or guardian asked us to delete your account.')

  // The child cannot keep an account that the guardian wants deleted.
  expect((await leo.call('GET', '/api/account/deletion')).body).toMatchObject({ due, byGuardian: true })
  expectRefusal(await leo.call('POST', '/api/account/deletion/cancel'), 409, 'guardian-asked')
  t.advanceClock(DELETION_GRACE_DAYS * DAY_MS + 1000)
  await t.makeDue('account.delete')
  expect(await users(leo.id)).toHaveLength(0)
})

test("a guardian's request takes over a deletion that the child has scheduled", async () => {
  const { leo, link, erase, deletion } = await family()
  const token = await link()
  expect((await leo.call('POST', '/api/account/deletion', { password: newPlayerInput().password })).status).toBe(204)
  const { due, byGuardian } = await deletion()
  expect(byGuardian).toBe(false)
  const own = async () => (await leo.call('GET', '/api/account/deletion')).body
  expect(await own()).toMatchObject({ due, byGuardian: false })
  expect((await erase(token)).status).toBe(204)
  expect(await deletion()).toMatchObject({ due, byGuardian: true })
  // From age 18, the player decides alone.
  await t.sql`update users set born = ${birthDateForAge(18)} where id = ${leo.id}`
  expect(await own()).toMatchObject({ due, byGuardian: false })
  await t.sql`update users set born = ${birthDateForAge(14)} where id = ${leo.id}`
  expectRefusal(await leo.call('POST', '/api/account/deletion/cancel'), 409, 'guardian-asked')

  // Each of the two requests has an errand that deletes the account.
  t.advanceClock(DELETION_GRACE_DAYS * DAY_MS + 1000)
  await t.makeDue('account.delete')
  expect(await users(leo.id)).toHaveLength(0)
  const events = (await t.deps.store.read(`account-${leo.id}`)).map(e => e.type)
  expect(events.slice(-4)).toEqual(['DeletionScheduled', 'DeletionScheduled', 'DeletionStarted', 'PersonForgotten'])
})

test("a guardian can cancel the deletion of a child's account; each link works once", async () => {
  const { leo, maria, path, link, erase, deletion } = await family()
  const [old, token] = [await link(), await link()]
  expectRefusal(await erase(old), 410, 'link-over')
  expect((await erase(token)).status).toBe(204)
  // Repeating the request after a lost response is not an error.
  expect((await erase(token)).status).toBe(204)
  expect((await maria.call('POST', `${path}/cancel`)).status).toBe(204)
  expect(await deletion()).toMatchObject({ due: null, byGuardian: false })
  expectRefusal(await erase(token), 410, 'link-over')
  t.advanceClock(DELETION_GRACE_DAYS * DAY_MS + 1000)
  await t.makeDue('account.delete')
  expect(await users(leo.id)).toHaveLength(1)
})

test('a deletion link works only for its guardian and child, and for one hour', async () => {
  const [mine, other] = [await family(), await family()]
  const token = await mine.link()
  expect((await mine.erase(token, other.maria)).status).toBe(404)
  expectRefusal(await other.erase(token), 410, 'link-over')
  expect((await other.maria.call('POST', `${mine.path}/link`)).status).toBe(404)
  expect((await other.maria.call('POST', `${mine.path}/cancel`)).status).toBe(404)
  expect((await other.maria.call('GET', mine.path)).status).toBe(404)
  t.advanceClock(61 * 60_000)
  expectRefusal(await mine.erase(token), 410, 'link-over')
  expect(await mine.deletion()).toMatchObject({ due: null })
})

test('a deletion link does not work for the next guardian of the same child', async () => {
  const [{ leo, link, path }, next] = [await family(), await family()]
  const token = await link()
  const { id } = (await next.maria.call('GET', '/api/family')).body.guardian
  await t.sql`update guardianships set guardian = ${id} where player = ${leo.id}`
  expectRefusal(await next.maria.call('POST', path, { token }), 410, 'link-over')
})

test('an open session prevents the deletion; child and guardian can both cancel it', async () => {
  const { leo, maria, link, erase, deletion, path } = await family()
  const token = await link()
  await t.saveCard((await maria.call('GET', '/api/family')).body.guardian.id)
  expect((await maria.call('PUT', `/api/family/children/${leo.id}/limit`, { monthly: 50_000 })).status).toBe(204)
  const { folder } = await createFolderWithVideo(leo)
  const asked = { assignment: randomUUID(), instructor: coach.id }
  expect((await leo.call('POST', `/api/folders/${folder}/assign`, asked)).status).toBe(204)
  await t.waitUntilIdle()
  expect((await deletion()).obstacle).toMatch(/^One of Ana's folders is with an instructor\./)
  expectRefusal(await erase(token), 409, 'deletion-obstacle')
  expect((await leo.call('POST', `/api/folders/${folder}/withdraw`)).status).toBe(204)
  await t.waitUntilIdle()

  const { password } = newPlayerInput()
  for (const keep of [() => leo.call('POST', '/api/account/deletion/cancel'), () => maria.call('POST', `${path}/cancel`)]) {
    expect((await leo.call('POST', '/api/account/deletion', { password })).status).toBe(204)
    expect(await deletion()).toMatchObject({ due: expect.any(String), byGuardian: false })
    expect((await keep()).status).toBe(204)
    expect(await deletion()).toMatchObject({ due: null })
  }
})

test('every guardian whose children are adults can delete their own data', async () => {
  const gone = [await family(), await family()]
  const kept = () => t.sql<{ name: string }[]>`select name from guardians where id = any(${ids})`
  const ids: string[] = []
  for (const { maria, leo } of gone) {
    ids.push((await maria.call('GET', '/api/family')).body.guardian.id)
    await t.sql`update users set born = ${birthDateForAge(18)} where id = ${leo.id}`
    const { status, headers } = await maria.call('DELETE', '/api/family')
    expect([status, headers.getSetCookie().join()]).toEqual([204, expect.stringContaining('family=;')])
  }
  const positions = await t.sql<{ position: string }[]>`select payload ->> 'position' as position from errands
    where kind = 'guardian.delete' and payload ->> 'guardian' = any(${ids})`
  // Each errand has a log position, and deletes nothing until the read models have reached it and so include all earlier events.
  for (const { position } of positions) expect(position).toMatch(/^\d+$/)
  await t.makeDue('guardian.delete')
  expect(await kept()).toEqual([])
})
