import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countReferralsForCode, findOrCreateReferralCode, referralOfUser } from '../../../modules/rewards/referral-codes-table.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())
async function createUser(more: Record<string, unknown> = {}) {
  const id = randomUUID()
  const usual = { id, role: 'player', username: id, email: 'a@b.example', password: 'x', first_name: 'Ana', last_name: 'García' }
  await db.sql`insert into users ${db.sql({ ...usual, command: randomUUID(), created: new Date(), ...more })}`
  return id
}

test('concurrent requests give a player one code, without look-alike characters', async () => {
  const [one, other] = [await createUser(), await createUser()]
  const codes = await Promise.all([one, one, other, one].map(id => findOrCreateReferralCode(db.sql, id)))
  expect(new Set(codes).size).toBe(2)
  expect([codes[1], codes[3]]).toEqual([codes[0], codes[0]])
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{7}$/)
})

test('a referral code works in any letter case, but nobody can refer themselves', async () => {
  const ben = await createUser()
  const code = await findOrCreateReferralCode(db.sql, ben)
  const [ana, cal] = [await createUser({ referral_code: ` ${code.toLowerCase()} ` }), await createUser({ referral_code: code })]
  const coach = await createUser({ role: 'instructor', referral_code: code })
  expect(await Promise.all([ana, cal, coach].map(id => referralOfUser(db.sql, id)))).toEqual(Array(3).fill({ referrer: ben }))
  expect(await countReferralsForCode(db.sql, code)).toBe(2)
  await db.sql`update users set referral_code = ${code} where id = ${ben}`
  expect([await referralOfUser(db.sql, ben), await referralOfUser(db.sql, await createUser({ referral_code: 'NOSUCH' }))]).toEqual([
    null,
    null,
  ])
  expect(await countReferralsForCode(db.sql, 'NOBODYS')).toBe(0)
})

test('a referral stays when the account of the player whose code it was is deleted', async () => {
  const ben = await createUser()
  const code = await findOrCreateReferralCode(db.sql, ben)
  const ana = await createUser({ referral_code: code })
  await db.sql`delete from users where id = ${ben}`
  expect(await referralOfUser(db.sql, ana)).toEqual({ referrer: null })
})
