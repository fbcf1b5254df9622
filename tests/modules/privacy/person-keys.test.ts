import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { destroyKeyInDatabase, personKeys } from '../../../modules/privacy/person-keys.ts'
import { createTestDatabase } from '../../support/postgres.ts'

let db: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.end())

test('a person gets only one key, even from concurrent requests', async () => {
  const [one, other] = [personKeys(db.sql), personKeys(db.sql)]
  const person = randomUUID()
  const keys = await Promise.all([one, other, one, other].map(of => of.findOrCreateKey(person)))
  expect(new Set(keys.map(key => key.toString('hex'))).size).toBe(1)
  expect(keys[0]).toHaveLength(32)
  expect((await other.load([person, randomUUID()])).size).toBe(1)
})

test('a destroyed key is gone in every process, and cannot be created again', async () => {
  const [one, other] = [personKeys(db.sql), personKeys(db.sql)]
  const [person, newcomer] = [randomUUID(), randomUUID()]
  await one.findOrCreateKey(person)
  await other.load([person])
  for (const gone of [person, newcomer]) await destroyKeyInDatabase(db.sql, gone, new Date())
  for (const of of [one, other]) {
    await expect.poll(() => of.cached(person)).not.toBeInstanceOf(Buffer)
    expect(await of.findOrCreateKey(person)).toBe('destroyed')
    expect(await of.findOrCreateKey(newcomer)).toBe('destroyed')
  }
  expect(await db.sql`select key from person_keys where person in ${db.sql([person, newcomer])}`).toEqual([{ key: null }, { key: null }])
})

test('the key cache keeps the most recently used keys', async () => {
  const keys = personKeys(db.sql, 2)
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  for (const person of [first, second]) await keys.findOrCreateKey(person)
  keys.cached(first)
  await keys.findOrCreateKey(third)
  expect([first, second, third].map(person => keys.cached(person) !== undefined)).toEqual([true, false, true])
})
