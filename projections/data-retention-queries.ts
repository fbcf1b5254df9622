import type { Sql } from 'postgres'
import { tableOf } from '../modules/kernel/projection.ts'
import { approvals } from './approvals.ts'
import { assignments } from './assignments.ts'
import { folders } from './folders.ts'
import { supportRequests } from './support-requests.ts'

/** Maximum number of records that one run deletes; the next run continues. */
const MAX_PER_ROUND = 500

export interface UnassignedVideo {
  folder: string
  folderName: string
  video: string
  name: string
  added: string
}

/**
 * Videos of all players or of one, oldest first, that were added before a given time and that no session uses; withdrawn and declined
 * sessions do not count. A session also uses a video that replaced one of its own, and one that a review shows in a comparison. Videos of a
 * folder with a pending approval request are left out, because the request contains all videos of the folder that are in no session.
 */
export const unassignedVideos = (sql: Sql, { before, player }: { before: Date; player?: string }) => sql<UnassignedVideo[]>`
  select f.folder, f.name as "folderName", c ->> 'id' as video, c ->> 'name' as name, c ->> 'added' as added
  from ${sql(tableOf(folders))} f, jsonb_array_elements(f.clips) c
  where (c ->> 'added')::timestamptz < ${before} ${player === undefined ? sql`` : sql`and f.player = ${player}`}
    and not exists (
      select 1 from ${sql(tableOf(assignments))} s
      where s.folder = f.folder ${player === undefined ? sql`` : sql`and s.player = ${player}`} and s.status <> 'ended'
        and s.videos ?| (array[c ->> 'id'] || array(select jsonb_array_elements_text(coalesce(c -> 'replaces', '[]'))))
    )
    and not exists (
      select 1 from ${sql(tableOf(assignments))} s
      where s.player = f.player and s.review @> jsonb_build_object('comparisons', jsonb_build_array(
        jsonb_build_object('sides', jsonb_build_array(jsonb_build_object('folder', f.folder, 'video', c ->> 'id')))))
    )
    and not exists (select 1 from ${sql(tableOf(approvals))} r where r.folder = f.folder and r.status = 'pending')
  order by added, video limit ${MAX_PER_ROUND}`

/** How many support requests a person has, and the time of the oldest; null if there are none. */
export async function supportRequestCountOfPerson(sql: Sql, asker: string): Promise<{ count: number; oldest: string } | null> {
  const [row] = await sql<{ count: number; oldest: string | null }[]>`
    select count(*)::int as count, min(asked) as oldest from ${sql(tableOf(supportRequests))} where asker = ${asker}`
  return row?.oldest ? { count: row.count, oldest: row.oldest } : null
}

/** Ids of the support requests that were made before a given time, oldest first. */
export async function oldSupportRequestIds(sql: Sql, before: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select request as id from ${sql(tableOf(supportRequests))} where asked < ${before} order by asked limit ${MAX_PER_ROUND}`
  return rows.map(row => row.id)
}
