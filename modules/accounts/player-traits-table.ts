import type postgres from 'postgres'
import type { PlayerTraits } from './contract.ts'
import { ageOn } from './policy.ts'

const NO_TRAITS: PlayerTraits = { bats: null, throws: null, level: null }

/** The traits that the player has saved; all are null if nothing has been saved. */
export async function playerTraitsOf(sql: postgres.Sql, player: string): Promise<PlayerTraits> {
  const [row] = await sql<PlayerTraits[]>`select bats, throws, level from player_traits where player = ${player}`
  return row ?? NO_TRAITS
}

export const savePlayerTraits = (sql: postgres.Sql, player: string, { bats, throws, level }: PlayerTraits) => sql`
  insert into player_traits (player, bats, throws, level) values (${player}, ${bats}, ${throws}, ${level})
  on conflict (player) do update set bats = excluded.bats, throws = excluded.throws, level = excluded.level`

/** The traits, with the player's age in years on the day `now`; `age` is null if the birth date is unknown. */
export async function playerTraitsWithAgeOf(sql: postgres.Sql, player: string, now: Date): Promise<PlayerTraits & { age: number | null }> {
  const [row] = await sql<{ born: string | null }[]>`select born from users where id = ${player}`
  return { ...(await playerTraitsOf(sql, player)), age: row?.born ? ageOn(row.born, now) : null }
}
