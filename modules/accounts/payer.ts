import type postgres from 'postgres'
import { ADULT_AGE, ageOn } from './policy.ts'

export interface Payer {
  id: string
  isGuardian: boolean
}

/** Who pays for a player: the player, or for a minor the guardian; null while a minor has none who agreed. */
export async function payerOf(db: postgres.ISql, player: string, now: Date): Promise<Payer | null> {
  const [row] = await db<{ born: string | null; guardian: string | null }[]>`
    select u.born, s.guardian from users u
    left join guardianships s on s.player = u.id and s.until is null and s.agreed is not null
    where u.id = ${player}`
  if (!row) return null
  if (row.born === null || ageOn(row.born, now) >= ADULT_AGE) return { id: player, isGuardian: false }
  return row.guardian ? { id: row.guardian, isGuardian: true } : null
}
