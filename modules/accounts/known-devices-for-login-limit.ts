import type postgres from 'postgres'
import { addDays } from '../dates.ts'
import { newToken, tokenHash } from '../secret-tokens.ts'
import { KNOWN_DEVICE_DAYS, MAX_KNOWN_DEVICES_PER_ACCOUNT } from './policy.ts'

const since = (now: Date) => addDays(now, -KNOWN_DEVICE_DAYS)

/**
 * Whether somebody signed in to this account from the browser with this token in the last `KNOWN_DEVICE_DAYS` days. Login attempts from
 * known devices are counted separately from all others.
 */
export async function isKnownDevice(db: postgres.ISql, token: string, username: string, now: Date): Promise<boolean> {
  const rows = await db`
    select 1 from devices d join users u on u.id = d.owner
    where d.token = ${tokenHash(token)} and u.username = ${username.trim().toLowerCase()} and d.last_used > ${since(now)}`
  return rows.length > 0
}

/** Remembers the browser of a user who has just signed in. @returns the device token: the browser's own if we issued it, else a new one */
export async function rememberDevice(db: postgres.ISql, owner: string, has: string | undefined, now: Date): Promise<string> {
  const [ours] = has ? await db`select 1 from devices where token = ${tokenHash(has)} limit 1` : []
  const token = ours ? has! : newToken()
  await db`insert into devices (token, owner, last_used) values (${tokenHash(token)}, ${owner}, ${now})
    on conflict (token, owner) do update set last_used = excluded.last_used`
  await db`delete from devices where owner = ${owner} and token in
    (select token from devices where owner = ${owner} order by last_used desc, token offset ${MAX_KNOWN_DEVICES_PER_ACCOUNT})`
  return token
}

export const forgetOldDevices = (db: postgres.ISql, now: Date) => db`delete from devices where last_used <= ${since(now)}`
