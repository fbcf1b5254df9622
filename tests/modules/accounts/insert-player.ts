import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'

/** Inserts the account of a player, without events. @returns its id */
export async function insertPlayer(sql: postgres.Sql): Promise<string> {
  const id = randomUUID()
  await sql`insert into users (id, role, username, email, password, first_name, last_name, command, created)
    values (${id}, 'player', ${`${id}@example.com`}, 'x', 'x', 'Ana', 'García', ${randomUUID()}, now())`
  return id
}
