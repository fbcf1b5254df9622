import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  consumeLink,
  doesLinkExist,
  findLink,
  linkForLetter,
  makeLink,
  markLinkDelivered,
} from '../../../modules/accounts/emailed-links.ts'
import { LINK_MINUTES } from '../../../modules/accounts/policy.ts'
import { tokenHash } from '../../../modules/accounts/tokens.ts'
import { database } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof database>>
beforeAll(async () => {
  db = await database()
})
afterAll(() => db.end())

async function somebody() {
  const id = randomUUID()
  await db.sql`insert into users (id, role, username, email, password, first_name, last_name, command, created)
    values (${id}, 'player', ${`${id}@example.com`}, 'x', 'x', 'Ana', 'García', ${randomUUID()}, now())`
  return id
}
const now = new Date()
const after = (minutes: number, ms = 0) => new Date(now.getTime() + minutes * 60_000 + ms)
const kinds = Object.keys(LINK_MINUTES) as (keyof typeof LINK_MINUTES)[]

test.each(kinds)('a link of kind %s opens what it is for, until its time is over, and once', async kind => {
  const owner = await somebody()
  const { id, token } = await makeLink(db.sql, now, kind, { owner, email: 'to@example.com' })
  const its = { id, owner, guardian: null, email: 'to@example.com' }
  const last = after(LINK_MINUTES[kind], -1)
  expect(await findLink(db.sql, last, kind, token)).toEqual(its)
  for (const look of [findLink, consumeLink]) {
    expect(await look(db.sql, after(LINK_MINUTES[kind]), kind, token)).toBeNull()
    expect(await look(db.sql, now, kind, 'x'.repeat(43))).toBeNull()
    for (const another of kinds.filter(k => k !== kind)) expect(await look(db.sql, now, another, token)).toBeNull()
  }
  const used = await Promise.all([1, 2, 3].map(() => consumeLink(db.sql, last, kind, token)))
  expect(used.filter(link => link)).toEqual([its])
  expect(await findLink(db.sql, now, kind, token)).toBeNull()
})

test.each(kinds)("a new link of kind %s ends its owner's earlier one, with two exceptions", async kind => {
  const [ana, ben] = [await somebody(), await somebody()]
  const other = kinds.find(k => k !== kind)!
  const first = await makeLink(db.sql, now, kind, { owner: ana })
  const bens = await makeLink(db.sql, now, kind, { owner: ben })
  const different = await makeLink(db.sql, now, other, { owner: ana })
  const nobodys = await makeLink(db.sql, now, kind)
  const second = await makeLink(db.sql, now, kind, { owner: ana })
  const works = async (of: keyof typeof LINK_MINUTES, { token }: { token: string }) => (await findLink(db.sql, now, of, token)) !== null
  expect(await works(kind, first)).toBe(kind === 'admin-invitation' || kind === 'restore-email')
  expect(await Promise.all([second, bens, nobodys].map(link => works(kind, link)))).toEqual([true, true, true])
  expect(await works(other, different)).toBe(true)
})

test('a link is found by its id, and keeps its token until its letter is delivered', async () => {
  const [id, owner] = [randomUUID(), await somebody()]
  expect(await doesLinkExist(db.sql, id)).toBe(false)
  const { token } = await makeLink(db.sql, now, 'reset-password', { id, owner })
  await makeLink(db.sql, now, 'admin-setup')
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await doesLinkExist(db.sql, id)).toBe(true)
  expect(await linkForLetter(db.sql, id)).toMatchObject({ token, owner, email: null })
  await markLinkDelivered(db.sql, id)
  expect(await linkForLetter(db.sql, id)).toBeNull()
  expect(await linkForLetter(db.sql, randomUUID())).toBeNull()
  const rows = await db.sql`select token, hash from links where id = ${id}`
  expect([rows[0]!.token, Buffer.from(rows[0]!.hash).equals(Buffer.from(tokenHash(token)))]).toEqual([null, true])
  expect((await db.sql`select 1 from links where token is not null`).length).toBeGreaterThan(0)
  expect(await findLink(db.sql, now, 'reset-password', token)).toMatchObject({ id })
})
