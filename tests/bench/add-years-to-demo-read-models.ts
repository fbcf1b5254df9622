import { setTimeout } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { tableOf } from '../../modules/kernel/projection.ts'
import { assignments } from '../../projections/assignments.ts'
import { folders } from '../../projections/folders.ts'
import { purchases } from '../../projections/package-purchases.ts'
import { payments } from '../../projections/payments.ts'
import { progress } from '../../projections/progress.ts'
import { responseTimes } from '../../projections/response-times.ts'
import { fillAccounts } from './fill-accounts.ts'
import { fillAudit } from './fill-log.ts'
import { insertSyntheticReadModelRows } from './fill-read-models.ts'
import { BUSIEST_INSTRUCTOR_ID, BUSIEST_PLAYER_ID, GUARDIAN_ID_OF_BUSIEST_PLAYER } from './large-installation-constants.ts'

/** Added to the log positions of the added sessions, so that the demo's own sessions are later than all of them. */
const EARLIER = -1_000_000

/**
 * Waits until the demo's clips are prepared. Then adds 100,000 people to its tables, and gives its player 300 folders and its instructor
 * 5,000 sessions in addition to their own. The clips of those folders are copies of one of the player's, so that their stills exist.
 */
export async function addYearsOfDataToDemo(sql: Sql, { player, instructor }: { player: string; instructor: string }) {
  const unprepared = () => sql`
    select 1 from media_work where state in ('waiting', 'preparing')
    union all select 1 from errands where kind = 'media.prepare' and done is null`
  while ((await unprepared()).length) await setTimeout(200)
  await fillAccounts(sql)
  await insertSyntheticReadModelRows(sql)
  await fillAudit(sql)
  const t = (model: Parameters<typeof tableOf>[0]) => sql(tableOf(model))
  // The busiest player's and instructor's added sessions get the clip and positions of the demo player's session with the most positions.
  const [sample] = await sql`
    select p.checkpoints, f.clips -> 0 as clip, w.media, w.made
    from ${t(progress)} p join ${t(folders)} f using (folder) join media_work w on w.video = (f.clips -> 0 ->> 'id')::uuid
    where p.player = ${player} and p.given is not null and w.kind = 'rendition' and w.state = 'ready'
    order by jsonb_array_length(p.checkpoints) desc limit 1`
  const { checkpoints, clip, media, made } = sample!
  const added = sql`(player = ${BUSIEST_PLAYER_ID} or instructor = ${BUSIEST_INSTRUCTOR_ID})`
  const copyOfClip = (id: unknown) => sql`jsonb_build_array(${sql.json(clip)}::jsonb || jsonb_build_object('id', ${id as string}))`
  await sql`update ${t(folders)} set clips = ${copyOfClip(sql`clips -> 0 ->> 'id'`)} where ${added}`
  await sql`
    update media_work set media = ${sql.json(media)}, made = ${sql.json(made)}
    where kind = 'rendition' and folder in (select folder from ${t(folders)} where ${added})`
  await sql`
    update ${t(progress)} set checkpoints = (
      select coalesce(jsonb_agg(c || jsonb_build_object('video', videos -> 0)), '[]') from jsonb_array_elements(${sql.json(checkpoints)}::jsonb) c
    ) where ${added} and given is not null`
  await sql`update ${t(assignments)} set position = position + ${EARLIER} where ${added}`
  await sql`update ${t(progress)} set assigned = assigned + ${EARLIER}, position = position + ${EARLIER} where ${added}`
  for (const model of [folders, assignments, progress, payments, purchases])
    await sql`update ${t(model)} set player = ${player} where player = ${BUSIEST_PLAYER_ID}`
  for (const model of [payments, purchases])
    await sql`update ${t(model)} set payer = ${player} where payer = ${GUARDIAN_ID_OF_BUSIEST_PLAYER}`
  for (const model of [folders, assignments, progress, payments, responseTimes])
    await sql`update ${t(model)} set instructor = ${instructor} where instructor = ${BUSIEST_INSTRUCTOR_ID}`
  await sql`update media_work set player = ${player} where player = ${BUSIEST_PLAYER_ID}`
  await sql`vacuum analyze`
  // Otherwise Postgres would write this data to disk while the first screens are measured.
  await sql`checkpoint`
}
