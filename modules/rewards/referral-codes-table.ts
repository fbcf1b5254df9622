import type postgres from 'postgres'
import { randomCode } from '../random-code.ts'
import type { Referral } from './credits-and-points-decider.ts'

const REFERRAL_CODE_LENGTH = 7

/** The referral code that a player gives to friends, created on first use. */
export async function findOrCreateReferralCode(db: postgres.ISql, player: string): Promise<string> {
  for (;;) {
    const [row] = await db<{ code: string }[]>`select code from referral_codes where player = ${player}`
    if (row) return row.code
    await db`insert into referral_codes (code, player) values (${randomCode(REFERRAL_CODE_LENGTH)}, ${player}) on conflict do nothing`
  }
}

/** The referral with which this user registered; null if they entered no code, an unknown one, or their own. */
export async function referralOfUser(db: postgres.ISql, user: string): Promise<Referral | null> {
  const [row] = await db<Referral[]>`
    select c.player as referrer from users u join referral_codes c on c.code = upper(trim(u.referral_code))
    where u.id = ${user} and c.player is distinct from u.id`
  return row ? { referrer: row.referrer } : null
}

/** How many players registered with a code, however they capitalized it. `code` must be in capitals, as it is stored. */
export async function countReferralsForCode(db: postgres.ISql, code: string): Promise<number> {
  const [row] = await db<
    { count: number }[]
  >`select count(*)::int as count from users where role = 'player' and upper(trim(referral_code)) = ${code}`
  return row!.count
}
