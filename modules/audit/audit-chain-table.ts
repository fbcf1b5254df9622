import type { ISql, Sql } from 'postgres'
import type { EventStore, RecordedEvent } from '../kernel/store.ts'
import type { Reader } from '../readers/deliver-batch.ts'
import { type ChainLink, chainLinkOf, type EventChainProof, GENESIS_HASH } from './hash-chain.ts'

/** The name of the reader that writes the chain, and of its checkpoint. */
const AUDIT_CHAIN = 'audit chain'
const LINKS_PER_STATEMENT = 500
/** Hashing yields to requests on the same thread after this many events. */
const EVENTS_PER_TURN = 250

async function lastLink(db: ISql): Promise<{ position: bigint; hash: string }> {
  const [last] = await db<{ position: string; hash: string }[]>`
    select position::text, hash from audit_chain order by audit_chain.position desc limit 1`
  return last ? { position: BigInt(last.position), hash: last.hash } : { position: -1n, hash: GENESIS_HASH }
}

/**
 * Adds each event of the log to the hash chain, in the transaction in which the projections process it. A chained event keeps its hash
 * however often the log is read again.
 */
export const eventHashChainWriter: Reader = {
  name: AUDIT_CHAIN,
  // A skipped event could not be added later, because the links after it would already be hashed.
  neverParks: true,
  async apply(tx, events: RecordedEvent[]) {
    let { position, hash } = await lastLink(tx)
    const links: ChainLink[] = []
    for (const [i, e] of events.entries()) {
      if (e.position <= position) continue
      const link = chainLinkOf(hash, e)
      links.push(link)
      position = e.position
      hash = link.hash
      if (i % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await new Promise(setImmediate)
    }
    for (let i = 0; i < links.length; i += LINKS_PER_STATEMENT)
      await tx`
        insert into audit_chain (position, event, asked, encrypted, data_hash, hash)
        select position, event, asked, encrypted, "dataHash", hash
        from json_to_recordset(${JSON.stringify(links.slice(i, i + LINKS_PER_STATEMENT))}::text::json)
          as l(position bigint, event uuid, asked text, encrypted jsonb, "dataHash" text, hash text)`
  },
}

/** The last event of the chain. `at`: when it was chained, ISO 8601. */
export interface ChainHead {
  position: string
  hash: string
  at: string
}

/** The end of the chain, or its last link up to the position `upTo`; null if there is none. */
export async function chainHead(sql: Sql, upTo?: string): Promise<ChainHead | null> {
  const [head] = await sql<{ position: string; hash: string; chained: Date | string }[]>`
    select position::text, hash, chained from audit_chain ${upTo ? sql`where audit_chain.position <= ${upTo}` : sql``}
    order by audit_chain.position desc limit 1`
  return head ? { position: head.position, hash: head.hash, at: new Date(head.chained).toISOString() } : null
}

/** The proofs of the events at these positions, by position. An event that is not chained yet has no entry. */
export async function chainProofsOf(sql: Sql, positions: readonly string[]): Promise<Map<string, EventChainProof>> {
  const rows = await sql<(EventChainProof & { position: string })[]>`
    select c.position::text, c.asked, c.encrypted, c.data_hash as "dataHash", c.hash,
      coalesce((select p.hash from audit_chain p where p.position < c.position order by p.position desc limit 1), ${GENESIS_HASH}) as previous
    from audit_chain c where c.position = any(${positions as string[]}::bigint[])`
  return new Map(rows.map(({ position, ...proof }) => [position, proof]))
}

/** Rebuilds the chain up to the position it had reached, after the log has been rewritten (by `npm run encrypt-log` or for the demo). */
export const rebuildAuditChain = (sql: Sql, store: EventStore) =>
  sql.begin(async tx => {
    const [checkpoint] = await tx<{ position: string }[]>`
      select position::text from checkpoints where name = ${AUDIT_CHAIN} for update`
    await tx`delete from audit_chain`
    const end = BigInt(checkpoint?.position ?? -1)
    if (end < 0n) return
    for await (const events of store.follow(-1n, new AbortController().signal)) {
      await eventHashChainWriter.apply(
        tx,
        events.filter(e => e.position <= end),
      )
      if (events.at(-1)!.position >= end) break
    }
  })

/**
 * Drops the links of lost events if the log ends before the chain does, as after a restore from a backup, so that the chain can continue.
 * @returns how many links were dropped
 */
export const truncateAuditChainToLogEnd = (sql: Sql) =>
  sql.begin(async tx => {
    const [stopped] = await tx<{ end: string }[]>`
      select log_end::text as end from checkpoints where name = ${AUDIT_CHAIN} and log_end is not null for update`
    if (!stopped) return 0
    const removed = await tx`delete from audit_chain where position > ${stopped.end}::bigint`
    await tx`update checkpoints set position = log_end, log_end = null where name = ${AUDIT_CHAIN}`
    return removed.count
  })
