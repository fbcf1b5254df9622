import type { Sql } from 'postgres'
import { idOfStream } from '../kernel/store.ts'
import { encryptedTextsOfData, encryptTexts } from './encrypt-event-texts.ts'
import type { AnyPersonalTextFields } from './get-and-set-texts-by-path.ts'
import type { PersonKeys } from './person-keys.ts'

const EVENTS_PER_STATEMENT = 1000

interface StoredEvent {
  position: string
  stream: string
  id: string
  type: string
  data: unknown
}

/**
 * Copies the log in Postgres into a new table in which people's texts are encrypted, and replaces the old table with it, so that the old
 * bytes are gone. Positions, ids and times stay the same. Servers that read or write the log wait until it is done.
 * @returns how many events were encrypted
 */
export async function encryptLog(sql: Sql, keys: PersonKeys, tables: readonly AnyPersonalTextFields[]): Promise<number> {
  const tableOf = new Map(tables.map(table => [table.stream, table]))
  const people = new Map<string, string>()
  let encrypted = 0

  /** The event with its texts encrypted; null if it has none or they are encrypted already. */
  async function converted(e: StoredEvent): Promise<{ position: string; data: unknown } | null> {
    const table = tableOf.get(e.stream.slice(0, e.stream.indexOf('-')))
    if (!table) return null
    // Events come in the order of the log, so a stream's first event, which may name its person, comes before its other events.
    const person = people.get(e.stream) ?? (table.person === 'id' ? idOfStream(e.stream) : table.person(e))
    people.set(e.stream, person)
    if (encryptedTextsOfData(e.data) || !table.fields[e.type]?.length) return null
    const { position, data } = encryptTexts(e, table.fields[e.type]!, person, await keys.findOrCreateKey(person))
    return data === e.data ? null : { position, data }
  }

  await sql.begin(async tx => {
    await tx`lock table events in access exclusive mode`
    await tx`create table events_encrypted (like events including all)`
    for (let after = '-1'; ; ) {
      const batch = await tx<StoredEvent[]>`
        select position::text, stream, id, type, data from events where position > ${after}::bigint order by events.position limit ${EVENTS_PER_STATEMENT}`
      if (!batch.length) break
      const changed = (await Promise.all(batch.map(converted))).filter(e => e !== null)
      encrypted += changed.length
      await tx`
        insert into events_encrypted
        select e.position, e.stream, e.revision, e.id, e.type, coalesce(c.data, e.data), e.meta, e.at
        from events e left join json_to_recordset(${JSON.stringify(changed)}::text::json) as c(position bigint, data json) using (position)
        where e.position > ${after}::bigint and e.position <= ${batch.at(-1)!.position}::bigint order by e.position`
      after = batch.at(-1)!.position
    }
    await tx`drop table events`
    await tx`alter table events_encrypted rename to events`
    await tx`create trigger final before update or delete or truncate on events execute function events_are_final()`
  })
  return encrypted
}
