import type { Sql } from 'postgres'
import type { ApprovalRequest } from '../modules/folders/contract.ts'
import type { FolderEvent } from '../modules/folders/folder.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import type { ApprovalRequestWithInstructorChecks } from '../modules/payments/contract.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import { assignments } from './assignments.ts'
import { folders, personJsonSql } from './folders.ts'
import { publicChecksSql } from './instructor-queries.ts'
import { vettings } from './vetting.ts'

type ApprovalEvent = Extract<FolderEvent, { type: `Approval${string}` }>

/** Requests for a guardian's approval and their outcomes: one row per request. */
export const approvals = projection<ApprovalEvent | PersonForgotten>()({
  name: 'approvals',
  version: 2,
  row: {
    assignment: 'uuid',
    folder: 'uuid',
    player: 'uuid',
    instructor: 'uuid',
    status: 'text',
    message: 'text?',
    /** The price as it was quoted to the player. */
    quote: 'jsonb',
    videos: 'int',
    /** The reason that the guardian gave for declining, or why the request lapsed. */
    reason: 'text?',
    asked: 'timestamptz',
    answered: 'timestamptz?',
  },
  index: ['folder, asked desc', 'player, asked desc', 'instructor, status'],
  key: e => (e.type === 'PersonForgotten' ? e.data.assignments : e.data.assignment),
  on: {
    ApprovalRequested: (row, { stream, at, data: { assignment, player, instructor, message, quote, videos } }) =>
      createRowOrThrow(row, {
        assignment,
        folder: idOfStream(stream),
        player,
        instructor,
        status: 'pending',
        message,
        quote,
        videos: videos.length,
        reason: null,
        asked: at,
        answered: null,
      }),
    ApprovalGiven: (row, { at }) => row && { ...row, status: 'approved', answered: at },
    ApprovalDeclined: (row, { at, data }) => row && { ...row, status: 'declined', reason: data.reason, answered: at },
    ApprovalWithdrawn: (row, { at }) => row && { ...row, status: 'withdrawn', answered: at },
    ApprovalLapsed: (row, { at, data }) => row && { ...row, status: 'lapsed', reason: data.cause, answered: at },
    PersonForgotten: () => null,
  },
})

const select = (sql: Sql, now?: Date) => sql`
  select r.assignment as id, r.folder, coalesce(f.name, 'A folder') as "folderName", r.status, r.message, r.quote, r.videos, r.reason, r.asked,
    r.answered, ${personJsonSql(sql, sql`r.player`, 'p', 'ip')} as player, ${personJsonSql(sql, sql`r.instructor`, 'u', 'i')} as instructor
    ${now ? sql`, ${publicChecksSql(sql, now)} as checks` : sql``}
  from ${sql(tableOf(approvals))} r left join ${sql(tableOf(vettings))} v on v.instructor = r.instructor
  left join ${sql(tableOf(folders))} f on f.folder = r.folder
  left join users p on p.id = r.player left join instructors ip on ip.id = r.player
  left join users u on u.id = r.instructor left join instructors i on i.id = r.instructor`

/** The pending requests of these players, oldest first. */
export const pendingApprovalRequestsOfPlayers = (sql: Sql, players: string[], now: Date) =>
  sql<
    ApprovalRequestWithInstructorChecks[]
  >`${select(sql, now)} where r.player = any(${players}::uuid[]) and r.status = 'pending' order by r.asked, r.assignment`

/** The latest request for each of these folders, if it is pending, declined or lapsed and the folder has not been assigned since. */
export const latestUnapprovedRequestsOfFolders = (sql: Sql, folders: string[]) => sql<ApprovalRequest[]>`
  ${select(sql)} where r.assignment in (
    select distinct on (folder) assignment from ${sql(tableOf(approvals))} where folder = any(${folders}::uuid[]) order by folder, asked desc, assignment desc
  ) and r.status in ('pending', 'declined', 'lapsed')
    and not exists (select 1 from ${sql(tableOf(assignments))} a where a.folder = r.folder and a.assigned > r.asked)`

export async function approvalRequestOfAssignment(sql: Sql, assignment: string): Promise<ApprovalRequest | undefined> {
  const [row] = await sql<ApprovalRequest[]>`${select(sql)} where r.assignment = ${assignment}`
  return row
}

/** Ids of the folders with a pending request, of one player or to one instructor. */
export async function folderIdsWithPendingApproval(sql: Sql, of: 'player' | 'instructor', id: string): Promise<string[]> {
  const rows = await sql<
    { folder: string }[]
  >`select folder from ${sql(tableOf(approvals))} where ${sql(of)} = ${id} and status = 'pending'`
  return rows.map(row => row.folder)
}
