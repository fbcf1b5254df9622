import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ConfigError } from '../../src/config.ts'
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/server/migrate.ts'
import { createEmptyDatabase } from '../support/postgres.ts'

const silentLog = { info() {}, error() {} } as never

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})
async function newDatabase() {
  const db = await createEmptyDatabase()
  cleanups.push(db.end)
  return db
}
/** Creates a directory of migrations: SQL by file name. */
async function migrations(files: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  cleanups.push(() => rm(directory, { recursive: true }))
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, `${name}.sql`), sql)
  return directory
}

const BASE = { '0001_baseline': 'create table games (id int primary key)' }
const RUNS = { '0002_expand_runs': 'alter table games add column runs int not null default 0' }
const PLACE = { '0003_expand_place': 'alter table games add column place text; insert into games (id) values (1)' }

test('servers that start at the same time run each migration once, in order', async () => {
  const db = await newDatabase()
  const directory = await migrations({ ...BASE, ...RUNS, ...PLACE })
  await Promise.all(Array.from({ length: 4 }, () => migrate(db.url, silentLog, directory)))
  expect([...(await db.sql`select * from games`)]).toEqual([{ id: 1, runs: 0, place: null }])
  expect((await db.sql`select name from pgmigrations order by id`).map(row => row.name)).toEqual([
    ...['0001_baseline', '0002_expand_runs', '0003_expand_place'],
  ])
})

test('a failed migration is rolled back, and earlier migrations stay', async () => {
  const db = await newDatabase()
  const broken = { '0003_expand_place': 'alter table games add column place text; select no_such_column from games' }
  await expect(migrate(db.url, silentLog, await migrations({ ...BASE, ...RUNS, ...broken }))).rejects.toThrow('no_such_column')
  await db.sql`select runs from games`
  await expect(db.sql`select place from games`).rejects.toThrow('place')
  await migrate(db.url, silentLog, await migrations({ ...BASE, ...RUNS, ...PLACE }))
  await db.sql`select place from games`
})

test('a migration waits for a locked table without blocking others, and then runs', async () => {
  const db = await newDatabase()
  await migrate(db.url, silentLog, await migrations(BASE))
  const waits = Promise.withResolvers<void>()
  const log = { info: (about: { err?: unknown }) => about.err && waits.resolve() } as never
  const directory = await migrations({ ...BASE, ...RUNS })
  let migrating: Promise<void> | undefined
  await db.sql.begin(async tx => {
    await tx`insert into games values (7)`
    migrating = migrate(db.url, log, directory)
    migrating.catch(() => {})
    await waits.promise
    // The waiting migration has released all locks, so other queries do not queue behind it.
    await db.sql`select from games`
  })
  await migrating
  expect([...(await db.sql`select id, runs from games`)]).toEqual([{ id: 7, runs: 0 }])
})

test('a release starts on a newer schema that only adds to its own', async () => {
  const db = await newDatabase()
  await migrate(db.url, silentLog, await migrations({ ...BASE, ...RUNS }))
  await migrate(db.url, silentLog, await migrations(BASE))
  await db.sql`select runs from games`
})

test.each([
  ['0002_contract_games', 'drop table games'],
  ['0002_something', 'select 1'],
])('a release refuses with one sentence to start on the newer schema %s', async (name, sql) => {
  const db = await newDatabase()
  await migrate(db.url, silentLog, await migrations({ ...BASE, [name]: sql }))
  const refusal = await migrate(db.url, silentLog, await migrations(BASE)).catch(error => error)
  expect(refusal).toBeInstanceOf(ConfigError)
  expect(refusal.message).toMatch(new RegExp(`^DATABASE_URL: the database has the newer schema ${name}, [^.\n]+$`))
})

test('checking an up-to-date database takes no lock', async () => {
  const db = await newDatabase()
  const directory = await migrations(BASE)
  await migrate(db.url, silentLog, directory)
  await db.sql.begin(async tx => {
    await tx`lock table games, pgmigrations in share mode`
    await migrate(db.url, silentLog, directory)
  })
})

test('migrations are numbered without gaps, and their names say whether they only add', () => {
  const names = globSync('*', { cwd: MIGRATIONS_DIRECTORY }).sort()
  for (const [i, name] of names.entries()) {
    expect(name).toMatch(i ? /^\d{4}_(expand|contract)_[a-z0-9_]+\.sql$/ : /^0001_baseline\.sql$/)
    expect(Number(name.slice(0, 4)), name).toBe(i + 1)
    if (!name.includes('_expand_')) continue
    const statements = readFileSync(join(MIGRATIONS_DIRECTORY, name), 'utf8').replace(/--.*$/gm, '')
    const removing =
      /\b(drop\s+(table|column|function|view|type|trigger)|rename|set\s+not\s+null|alter\s+column\s+\S+\s+type|create\s+or\s+replace)\b/i
    expect(statements, `${name} only adds`).not.toMatch(removing)
  }
})
