import type { Sql, TransactionSql } from 'postgres'
import { abortableSleep } from '../../modules/kernel/sleep.ts'
import { type EventMetadata, type EventStore, type RecordedEvent, RevisionConflict } from '../../modules/kernel/store.ts'

const schema = `create table if not exists naive (
  position bigserial primary key, stream text not null, revision bigint not null, id uuid not null, type text not null,
  data json not null, meta json not null, at timestamptz not null default now(), unique (stream, revision)
)`

/**
 * A log as it is often built on Postgres, with a bug: a sequence numbers the events, and followers query for numbers higher than the last
 * one they read. The sequence assigns a number before the transaction commits. If a higher number commits first, a follower reads that one
 * and never queries for the lower one again.
 * @param between runs between the insert and the commit
 */
export async function createNaiveStore(sql: Sql, between: (stream: string) => Promise<unknown> = async () => {}): Promise<EventStore> {
  await sql.unsafe(schema)
  const insert = async (
    tx: TransactionSql,
    stream: string,
    revision: bigint,
    e: { id: string; type: string; data: unknown; meta: EventMetadata },
  ) => {
    const [row] = await tx`
      insert into naive (stream, revision, id, type, data, meta)
      values (${stream}, ${`${revision}`}::bigint, ${e.id}, ${e.type}, ${tx.json(e.data as never)}, ${tx.json(e.meta as never)})
      returning position::text`
    return BigInt(row!.position)
  }
  const recorded = (row: Record<string, never>) =>
    ({ ...row, position: BigInt(row.position!), revision: BigInt(row.revision!) }) as unknown as RecordedEvent

  return {
    read: async stream => (await sql`select * from naive where stream = ${stream} order by revision`).map(recorded as never),
    append: (stream, expected, events) =>
      sql
        .begin(async tx => {
          let last = -1n
          for (const [i, e] of events.entries()) last = await insert(tx, stream, expected + 1n + BigInt(i), e)
          await between(stream)
          return last
        })
        .catch(error => {
          throw error.code === '23505' ? new RevisionConflict(stream, expected, -1n) : error
        }) as Promise<bigint>,
    async *follow(after, signal) {
      for (let position = after; !signal.aborted; await abortableSleep(5, signal)) {
        const rows = await sql`select * from naive where position > ${`${position}`}::bigint order by position`.catch(() => [])
        if (!rows.length) continue
        const batch = rows.map(recorded as never) as RecordedEvent[]
        position = batch.at(-1)!.position
        yield batch
      }
    },
  }
}
