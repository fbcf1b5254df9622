import checker from 'mailchecker'
import type postgres from 'postgres'
import { BLOCKED_DOMAINS } from './policy.ts'

checker.addCustomDomains([...BLOCKED_DOMAINS])

/** Whether this is a disposable mailbox, by a maintained list of about 50,000 domains and their subdomains. */
export function isDisposableEmail(email: string): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')
  const domains = checker.blacklist()
  return labels.some((_, i) => domains.has(labels.slice(i).join('.')))
}

/** Stores an address from the landing page. @returns whether it was already there */
export async function saveLead(db: postgres.ISql, email: string, metadata: object, now: Date): Promise<boolean> {
  const rows = await db`insert into leads (email, metadata, created)
    values (${email.toLowerCase()}, ${db.json(metadata as postgres.JSONValue)}, ${now}) on conflict do nothing returning email`
  return rows.length === 0
}

/** Deletes the lead of somebody who has registered. */
export async function deleteLead(tx: postgres.ISql, email: string) {
  await tx`delete from leads where email = ${email.toLowerCase()}`
}

export const deleteOldLeads = (db: postgres.ISql, before: Date) => db`delete from leads where created < ${before}`
