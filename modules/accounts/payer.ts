import type postgres from 'postgres'
import { childHasGuardianConsent, type GuardianConsentStatus } from './guardian-tables.ts'
import { ADULT_AGE, ageOn } from './policy.ts'

export interface Payer {
  id: string
  isGuardian: boolean
}

/** The payer of a player's sessions: the player, or a minor's guardian. Null for an unknown player, or a minor without valid consent. */
export async function payerOf(db: postgres.ISql, player: string, now: Date): Promise<Payer | null> {
  const [row] = await db<{ born: string | null; guardian: string | null; agreed: boolean; consent: GuardianConsentStatus | null }[]>`
    select u.born, s.guardian, s.agreed is not null as agreed, s.consent from users u
    left join guardianships s on s.player = u.id and s.until is null
    where u.id = ${player}`
  if (!row) return null
  if (row.born === null || ageOn(row.born, now) >= ADULT_AGE) return { id: player, isGuardian: false }
  return row.guardian && childHasGuardianConsent(row) ? { id: row.guardian, isGuardian: true } : null
}

/**
 * The people whose last card may be locked against removal because of an assignment by this player: the player, and all current and former
 * guardians, including those who withdrew consent.
 */
export async function currentAndFormerPayersOf(db: postgres.ISql, player: string): Promise<string[]> {
  const rows = await db<{ guardian: string }[]>`select distinct guardian from guardianships where player = ${player}`
  return [player, ...rows.map(row => row.guardian)]
}
