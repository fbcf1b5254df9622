import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { z } from 'zod'

/** What became of a letter that the provider took. `suppressed`: it came back before, or was complained about, so it was not sent at all. */
export const DeliveryFate = z.enum(['delivered', 'bounced', 'complained', 'suppressed'])
export type DeliveryFate = z.infer<typeof DeliveryFate>

/** After that nobody asks anymore what became of a letter. */
export const LETTER_FATE_DAYS = 400

export interface LetterFate {
  /** The id under which the letter was handed over. */
  letter: string
  to: string
  fate: DeliveryFate
  /** The mail server's class of reason, without words that could name somebody. */
  reason: string | null
  /** ISO. */
  at: string
}

const recipientHash = (address: string) => createHash('sha256').update(address.trim().toLowerCase()).digest()

/** Notes what became of a letter. Webhooks come in any order and more than once: the latest fate stays. */
export const recordFate = (sql: postgres.Sql, { letter, to, fate, reason, at }: LetterFate) => sql`
  insert into letter_fates (letter, recipient_hash, fate, reason, at) values (${letter}, ${recipientHash(to)}, ${fate}, ${reason}, ${at})
  on conflict (letter) do update set fate = excluded.fate, reason = excluded.reason, at = excluded.at where letter_fates.at < excluded.at`

/** Whether letters to this address come back: so the last of them did. */
export async function isUndeliverable(sql: postgres.ISql, address: string): Promise<boolean> {
  const [last] = await sql<{ fate: DeliveryFate }[]>`
    select fate from letter_fates where recipient_hash = ${recipientHash(address)} order by at desc limit 1`
  return last?.fate === 'bounced' || last?.fate === 'suppressed'
}

export const forgetOldFates = (sql: postgres.Sql, now: Date) =>
  sql`delete from letter_fates where at < ${new Date(now.getTime() - LETTER_FATE_DAYS * 86_400_000)}`
