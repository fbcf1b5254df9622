import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { z } from 'zod'
import { addDays } from '../dates.ts'

/** The delivery status of a letter. `suppressed`: not sent, because an earlier letter to the address bounced or was reported as spam. */
export const LetterDeliveryStatus = z.enum(['delivered', 'bounced', 'complained', 'suppressed'])
export type LetterDeliveryStatus = z.infer<typeof LetterDeliveryStatus>

/** How long delivery statuses are kept. */
export const LETTER_DELIVERY_STATUS_DAYS = 400

export interface LetterDelivery {
  /** The id that the letter was sent with. */
  letter: string
  to: string
  fate: LetterDeliveryStatus
  /** The mail server's category of the reason, without text that could identify a person. */
  reason: string | null
  /** ISO 8601. */
  at: string
}

const recipientHash = (address: string) => createHash('sha256').update(address.trim().toLowerCase()).digest()

/** Stores the delivery status of a letter. Webhooks arrive in any order and more than once; the latest status stays. */
export const recordLetterDelivery = (sql: postgres.Sql, { letter, to, fate, reason, at }: LetterDelivery) => sql`
  insert into letter_fates (letter, recipient_hash, fate, reason, at) values (${letter}, ${recipientHash(to)}, ${fate}, ${reason}, ${at})
  on conflict (letter) do update set fate = excluded.fate, reason = excluded.reason, at = excluded.at where letter_fates.at < excluded.at`

/** Whether letters do not reach this address: the latest one bounced, was reported as spam, or was suppressed because of an earlier one. */
export async function isAddressUndeliverable(sql: postgres.ISql, address: string): Promise<boolean> {
  const [last] = await sql<{ fate: LetterDeliveryStatus }[]>`
    select fate from letter_fates where recipient_hash = ${recipientHash(address)} order by at desc limit 1`
  return last !== undefined && last.fate !== 'delivered'
}

export const deleteOldLetterDeliveries = (sql: postgres.Sql, now: Date) =>
  sql`delete from letter_fates where at < ${addDays(now, -LETTER_DELIVERY_STATUS_DAYS)}`
