import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountIdsWithRestorableEmail,
  consumeEmailedLink,
  createEmailedLinkToken,
  erasePlainTokenAfterEmailSent,
  findEmailedLink,
  findLinkForUnsentLetter,
  isEmailedLinkIdTaken,
  restorableEmailOfAnotherAccountRefusal,
} from '../../../modules/accounts/emailed-links.ts'
import { findOrAddGuardian } from '../../../modules/accounts/guardian-tables.ts'
import { EMAILED_LINK_MINUTES } from '../../../modules/accounts/policy.ts'
import { tokenHash } from '../../../modules/secret-tokens.ts'
import { createTestDatabase } from '../../support/postgres.ts'
import { insertPlayer } from './insert-player.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

const now = new Date()
const after = (minutes: number, ms = 0) => new Date(now.getTime() + minutes * 60_000 + ms)
const kinds = Object.keys(EMAILED_LINK_MINUTES) as (keyof typeof EMAILED_LINK_MINUTES)[]

test.each(kinds)('a link of kind %s works once and only until it expires', async kind => {
  const owner = await insertPlayer(db.sql)
  const { id, token } = await createEmailedLinkToken(db.sql, now, kind, { owner, email: 'to@example.com' })
  const its = { id, owner, guardian: null, email: 'to@example.com', expires: after(EMAILED_LINK_MINUTES[kind]).toISOString() }
  const last = after(EMAILED_LINK_MINUTES[kind], -1)
  expect(await findEmailedLink(db.sql, last, kind, token)).toEqual(its)
  for (const look of [findEmailedLink, consumeEmailedLink]) {
    expect(await look(db.sql, after(EMAILED_LINK_MINUTES[kind]), kind, token)).toBeNull()
    expect(await look(db.sql, now, kind, 'x'.repeat(43))).toBeNull()
    for (const another of kinds.filter(k => k !== kind)) expect(await look(db.sql, now, another, token)).toBeNull()
  }
  const used = await Promise.all([1, 2, 3].map(() => consumeEmailedLink(db.sql, last, kind, token)))
  expect(used.filter(link => link)).toEqual([its])
  expect(await findEmailedLink(db.sql, now, kind, token)).toBeNull()
})

test.each(kinds)("a new link of kind %s invalidates its owner's earlier one, with three exceptions", async kind => {
  const [ana, ben] = [await insertPlayer(db.sql), await insertPlayer(db.sql)]
  const other = kinds.find(k => k !== kind)!
  const first = await createEmailedLinkToken(db.sql, now, kind, { owner: ana })
  const bens = await createEmailedLinkToken(db.sql, now, kind, { owner: ben })
  const different = await createEmailedLinkToken(db.sql, now, other, { owner: ana })
  const nobodys = await createEmailedLinkToken(db.sql, now, kind)
  const second = await createEmailedLinkToken(db.sql, now, kind, { owner: ana })
  const works = async (of: keyof typeof EMAILED_LINK_MINUTES, { token }: { token: string }) =>
    (await findEmailedLink(db.sql, now, of, token)) !== null
  expect(await works(kind, first)).toBe(kind === 'admin-invitation' || kind === 'restore-email' || kind === 'family-letter')
  expect(await Promise.all([second, bens, nobodys].map(link => works(kind, link)))).toEqual([true, true, true])
  expect(await works(other, different)).toBe(true)
})

test("a guardian's links to delete the accounts of two children work side by side", async () => {
  const [leo, mia] = [await insertPlayer(db.sql), await insertPlayer(db.sql)]
  const guardian = await findOrAddGuardian(db.sql, { name: 'Maria', email: 'maria@example.com' }, now)
  const make = (owner: string) => createEmailedLinkToken(db.sql, now, 'child-deletion', { owner, guardian })
  const [first, mias, second] = [await make(leo), await make(mia), await make(leo)]
  const links = await Promise.all([first, mias, second].map(({ token }) => findEmailedLink(db.sql, now, 'child-deletion', token)))
  expect(links).toMatchObject([null, { owner: mia }, { owner: leo }])
})

test("two guardians' links to delete the account of one child work side by side", async () => {
  const leo = await insertPlayer(db.sql)
  const guardians = []
  for (const email of ['rosa@example.com', 'omar@example.com'])
    guardians.push(await findOrAddGuardian(db.sql, { name: 'Parent', email }, now))
  const links = []
  for (const guardian of guardians) links.push(await createEmailedLinkToken(db.sql, now, 'child-deletion', { owner: leo, guardian }))
  const found = await Promise.all(links.map(({ token }) => findEmailedLink(db.sql, now, 'child-deletion', token)))
  expect(found).toMatchObject(guardians.map(guardian => ({ owner: leo, guardian })))
})

test('a former address is found in any spelling while its owner can restore it', async () => {
  const [ana, ben] = [await insertPlayer(db.sql), await insertPlayer(db.sql)]
  await createEmailedLinkToken(db.sql, now, 'restore-email', { owner: ana, email: 'Former@Example.com' })
  await createEmailedLinkToken(db.sql, now, 'confirm-email', { owner: ben, email: 'former@example.com' })
  expect(await accountIdsWithRestorableEmail(db.sql, ' formeR@example.com ', now)).toEqual([ana])
  expect(await accountIdsWithRestorableEmail(db.sql, 'another@example.com', now)).toEqual([])
  const expired = after(EMAILED_LINK_MINUTES['restore-email'])
  expect(await accountIdsWithRestorableEmail(db.sql, 'former@example.com', expired)).toEqual([])
})

test('the refusal of a former address names the reason and a way out', () => {
  expect(restorableEmailOfAnotherAccountRefusal()).toMatchObject({
    message:
      'This email address belonged to an account until recently, and its owner can still switch back to it. ' +
      'Use a different one, or try again in 7 days.',
    code: 'email-restorable',
    field: 'email',
  })
})

test('a link is found by its id, and its token is stored until the letter is delivered', async () => {
  const [id, owner] = [randomUUID(), await insertPlayer(db.sql)]
  expect(await isEmailedLinkIdTaken(db.sql, id)).toBe(false)
  const { token } = await createEmailedLinkToken(db.sql, now, 'reset-password', { id, owner })
  await createEmailedLinkToken(db.sql, now, 'admin-setup')
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await isEmailedLinkIdTaken(db.sql, id)).toBe(true)
  expect(await findLinkForUnsentLetter(db.sql, id)).toMatchObject({ token, owner, email: null })
  await erasePlainTokenAfterEmailSent(db.sql, id)
  expect(await findLinkForUnsentLetter(db.sql, id)).toBeNull()
  expect(await findLinkForUnsentLetter(db.sql, randomUUID())).toBeNull()
  const rows = await db.sql`select token, hash from links where id = ${id}`
  expect([rows[0]!.token, Buffer.from(rows[0]!.hash).equals(Buffer.from(tokenHash(token)))]).toEqual([null, true])
  expect((await db.sql`select 1 from links where token is not null`).length).toBeGreaterThan(0)
  expect(await findEmailedLink(db.sql, now, 'reset-password', token)).toMatchObject({ id })
})
