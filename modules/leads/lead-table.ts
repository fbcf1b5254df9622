import type postgres from 'postgres'

/** Stores an address from the landing page. @returns whether it was already stored */
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
