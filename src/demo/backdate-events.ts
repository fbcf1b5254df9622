import type { Sql } from 'postgres'
import { idOfStream } from '../../modules/kernel/store.ts'

/** A time of day (hour and minute, in the server's time zone) on a day before today. */
interface DayAndTime {
  daysAgo: number
  at: readonly [hour: number, minute: number]
}
/** The time at which an event of the demo is supposed to have happened. */
export interface EventMilestone extends DayAndTime {
  stream: string
  type: string
}

/**
 * Holds all letters, and the preparation of all videos, back while `history` runs. Letters mention dates, but the events get their dates
 * only at the end, when the letters are released. Feedback on a video that waits for its preparation would be refused or free. If `history`
 * fails, they are released after the next successful attempt, or after an hour.
 */
export async function holdLettersAndPreparationsWhile(sql: Sql, history: () => Promise<void>) {
  await sql.unsafe(`
    create or replace function hold_errand() returns trigger language plpgsql as $$
      begin new.due := greatest(new.due, now() + interval '1 hour'); return new; end $$;
    create or replace trigger held before insert on errands for each row
      when (new.kind like 'letter.%' or new.kind = 'media.prepare') execute function hold_errand()`)
  try {
    await history()
  } finally {
    await sql.unsafe('drop trigger held on errands; drop function hold_errand')
  }
  await sql.unsafe(`
    update errands set due = now()
    where (kind like 'letter.%' or kind = 'media.prepare') and tried is null and due between now() and asked + interval '1 hour';
    select pg_notify('errands', '')`)
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const SECOND_MS = 1000

interface Row {
  position: string
  stream: string
  type: string
  at: string
  data: Record<string, unknown>
}

/**
 * Spreads a log that was written within seconds over the preceding weeks, without changing its order: each event keeps its distance from
 * the previous milestone, but stays before the next one. Timestamps in the top-level fields of an event are shifted with it, and so are the
 * due dates of the errands of an opened payment. Afterward, read models have to be rebuilt. `milestones` are in log order; events before
 * the first one start at `beginning`. No other code changes when events happened; it is allowed here because nobody has seen this made-up
 * history yet.
 */
export async function backdateEvents(sql: Sql, beginning: DayAndTime, milestones: readonly EventMilestone[], now: Date) {
  const moment = ({ daysAgo, at: [hour, minute] }: DayAndTime) => {
    const day = new Date(now)
    day.setDate(day.getDate() - daysAgo)
    day.setHours(hour, minute, 0, 0)
    return day.getTime()
  }
  await sql.begin(async tx => {
    await tx`lock table events in access exclusive mode`
    const events = await tx<Row[]>`select position::text, stream, type, at, data from events order by events.position`
    let passed = -1
    let from = { was: Date.parse(events[0]!.at), is: moment(beginning) }
    await tx`alter table events disable trigger final`
    for (const { position, stream, type, data, ...event } of events) {
      const at = Date.parse(event.at)
      const next = milestones[passed + 1]
      if (next && stream === next.stream && type === next.type) {
        passed++
        from = { was: at, is: moment(next) }
      }
      const following = milestones[passed + 1]
      const until = following ? moment(following) - SECOND_MS : now.getTime()
      const by = Math.min(from.is + at - from.was, until) - at
      const moved = (time: string) => new Date(Date.parse(time) + by)
      const carried = Object.entries(data ?? {}).map(([key, value]) => [
        key,
        typeof value === 'string' && ISO.test(value) ? moved(value).toISOString() : value,
      ])
      await tx`
        update events set at = ${moved(event.at)}, data = ${JSON.stringify(data && Object.fromEntries(carried))}::text::json
        where position = ${position}::bigint`
      if (type !== 'PaymentOpened') continue
      await tx`
        update errands set due = due + ${by} * interval '1 ms'
        where payload->>'payment' = ${idOfStream(stream)} and done is null and failed is null and due > now() + interval '1 hour'`
    }
    await tx`alter table events enable trigger final`
  })
}
