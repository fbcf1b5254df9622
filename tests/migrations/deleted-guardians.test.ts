import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/server/migrate.ts'
import { createEmptyDatabase } from '../support/postgres.ts'

const log = pino({ level: 'silent' })

test('what earlier releases left of deleted guardians is removed', async () => {
  const db = await createEmptyDatabase()
  const earlier = await mkdtemp(join(tmpdir(), 'diamondlink-migrations-'))
  try {
    for (const file of globSync('*.sql', { cwd: MIGRATIONS_DIRECTORY }).filter(name => name < '0026'))
      await copyFile(join(MIGRATIONS_DIRECTORY, file), join(earlier, file))
    await migrate(db.url, log, earlier)
    const player = async (guardian_email: string) => {
      const id = randomUUID()
      const person = { id, role: 'player', username: id, email: id, password: 'x', first_name: 'Ana', last_name: 'García', command: id }
      await db.sql`insert into users ${db.sql({ ...person, guardian_name: 'Pat', guardian_email, created: new Date() })}`
      return id
    }
    const [left, kept] = [await player('Pat@mail.test'), await player('Mo@mail.test')]
    await db.sql`delete from guardians where email = 'pat@mail.test'`
    await migrate(db.url, log)
    const rows = await db.sql`select id, guardian_name, guardian_email from users order by id = ${kept}`
    expect([...rows]).toEqual([
      { id: left, guardian_name: null, guardian_email: null },
      { id: kept, guardian_name: 'Pat', guardian_email: 'Mo@mail.test' },
    ])
  } finally {
    await db.end()
    await rm(earlier, { recursive: true })
  }
})
