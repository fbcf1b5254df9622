import type postgres from 'postgres'
import { type FolderRow, person } from './folders.ts'

/** Paid folders that the queue still lists, without those that ask something; what is older is found through earnings. */
const PAID_MOST = 200

export type Queued = Omit<FolderRow, 'declined' | 'delivered'> & { assigned: string }

/** What an instructor has to do, has delivered, and was paid for lately: oldest first. */
export const queueOf = (sql: postgres.Sql, instructor: string) => sql<Queued[]>`
  with mine as (
    (select * from folders where instructor = ${instructor} and (status in ('assigned', 'in-review', 'feedback-given') or clarification = 'asked'))
    union all
    (select * from folders where instructor = ${instructor} and status in ('paid', 'archived') and clarification <> 'asked'
      order by assigned desc limit ${PAID_MOST})
  )
  select f.folder as id, f.name, f.status, f.assignment, f.assigned, f.message, f.clarification, f.clips, f.created, f.updated,
    ${person(sql, sql`f.player`, 'p', 'ip')} as player, ${person(sql, sql`f.instructor`, 'u', 'i')} as instructor
  from mine f
  left join users p on p.id = f.player left join instructors ip on ip.id = f.player
  left join users u on u.id = f.instructor left join instructors i on i.id = f.instructor
  order by f.assigned, f.folder`
