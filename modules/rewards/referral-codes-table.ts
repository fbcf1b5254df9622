import type postgres from 'postgres'
import { randomCode } from '../random-code.ts'

const REFERRAL_CODE_LENGTH = 7

/** The referral code that a player gives to friends, created on first use. */
export async function findOrCreateReferralCode(db: postgres.ISql, player: string): Promise<string> {
  for (;;) {
    const [row] = await db<{ code: string }[]>`select code from referral_codes where player = ${player}`
    if (row) return row.code
    await db`insert into referral_codes (code, player) values (${randomCode(REFERRAL_CODE_LENGTH)}, ${player}) on conflict do nothing`
  }
}

/** The player whose referral code this user registered with; null if they entered no code, an unknown one, or their own. */
export async function referrerOfUser(db: postgres.ISql, user: string): Promise<string | null> {
  const [row] = await db<{ player: string }[]>`
    select c.player from users u join referral_codes c on c.code = upper(trim(u.referral_code))
    where u.id = ${user} and c.player <> u.id`
  return row?.player ?? null
}

/** How many players registered with a code, however they capitalized it. `code` must be in capitals, as it is stored. */
export async function countReferralsForCode(db: postgres.ISql, code: string): Promise<number> {
  const [row] = await db<
    { count: number }[]
  >`select count(*)::int as count from users where role = 'player' and upper(trim(referral_code)) = ${code}`
  return row!.count
}
