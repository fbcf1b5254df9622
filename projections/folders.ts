import type postgres from 'postgres'
import type { FolderStatus, Person } from '../modules/folders/contract.ts'
import type { FolderEvent, FolderReturnCauseOnPlayerSide, StoredVideo } from '../modules/folders/folder.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import { type PageOfRows, paginateRows, type TimeAndId } from '../modules/pagination.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import { olderThanKeySql } from './older-than-key-sql.ts'

/** `captureRate`: frames per second of real time, if somebody set it. `replaces`: ids of the videos that this one replaced. */
export type StoredClip = StoredVideo & { added: string; captureRate?: number; replaces?: string[] }
/** The last delivered session. */
interface Delivered {
  assignment: string
  instructor: string
}
/**
 * The last assignment, if the folder was returned without feedback. `cause`: how the guardian's consent was lost, or that an administrator
 * closed the player's account; null if the instructor declined, was suspended, or is leaving.
 */
interface Declined {
  assignment: string
  instructor: string
  reason: string
  cause: FolderReturnCauseOnPlayerSide | null
}

/** Folders as their players see them: one row per folder. Messages and reviews are in `assignments`. */
export const folders = projection<FolderEvent | PersonForgotten>()({
  name: 'folders',
  version: 6,
  row: {
    folder: 'uuid',
    player: 'uuid',
    name: 'text',
    status: 'text',
    /** The status that the folder returns to when it leaves the archive. */
    before: 'text?',
    /** The current assignment, otherwise the last delivered one, and its instructor. */
    assignment: 'uuid?',
    instructor: 'uuid?',
    declined: 'jsonb?',
    clips: 'jsonb',
    delivered: 'jsonb?',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
  index: ['player, updated desc', 'using gin (name gin_trgm_ops)'],
  key: e => (e.type === 'PersonForgotten' ? e.data.folders : idOfStream(e.stream)),
  on: {
    FolderCreated: (row, { stream, at, data }) =>
      createRowOrThrow(row, {
        folder: idOfStream(stream),
        player: data.player,
        name: data.name,
        status: 'open',
        before: null,
        assignment: null,
        instructor: null,
        declined: null,
        clips: [],
        delivered: null,
        created: at,
        updated: at,
      }),
    FolderRenamed: (row, { data, at }) => row && { ...row, name: data.name, updated: at },
    FolderArchived: (row, { at }) => row && { ...row, status: 'archived', before: row.status, updated: at },
    FolderRestored: (row, { at }) => row && { ...row, status: row.before ?? 'open', before: null, updated: at },
    VideoAdded: (row, { data, at }) =>
      row && { ...row, clips: [...(row.clips as StoredClip[]), { ...data.video, added: at }], updated: at },
    VideoRemoved: (row, { data, at }) =>
      row && { ...row, clips: (row.clips as StoredClip[]).filter(c => c.id !== data.video), updated: at },
    VideoReplaced: (row, { data: { video, by }, at }) =>
      row && {
        ...row,
        clips: (row.clips as StoredClip[]).map(c => (c.id === video ? { ...by, added: at, replaces: [...(c.replaces ?? []), c.id] } : c)),
        updated: at,
      },
    CaptureRateSet: (row, { data: { video, rate } }) =>
      row && { ...row, clips: (row.clips as StoredClip[]).map(c => (c.id === video ? { ...c, captureRate: rate } : c)) },
    FolderAssigned: (row, { data: { assignment, instructor }, at }) =>
      row && { ...row, status: 'assigned', assignment, instructor, declined: null, updated: at },
    AssignmentWithdrawn: (row, { at }) => row && { ...row, ...fallenBack(row.delivered as Delivered | null), updated: at },
    AssignmentDeclined: (row, { data, at }) =>
      row && {
        ...row,
        ...fallenBack(row.delivered as Delivered | null),
        declined: {
          assignment: data.assignment,
          instructor: row.instructor!,
          reason: data.reason,
          cause: data.cause ?? null,
        } satisfies Declined,
        updated: at,
      },
    ReviewStarted: (row, { at }) => row && { ...row, status: 'in-review', updated: at },
    FeedbackGiven: (row, { data: { assignment, instructor }, at }) =>
      row && { ...row, status: 'feedback-given', delivered: { assignment, instructor } satisfies Delivered, updated: at },
    ClarificationAsked: (row, { at }) => row && { ...row, updated: at },
    ClarificationAnswered: (row, { at }) => row && { ...row, updated: at },
    FolderPaid: (row, { at }) => row && { ...row, status: 'paid', updated: at },
    PersonForgotten: () => null,
  },
})

/** The folder's columns after a session was withdrawn or declined: `paid` with the last delivered session, or `open` if there is none. */
const fallenBack = (delivered: Delivered | null) => ({
  status: delivered ? 'paid' : 'open',
  assignment: delivered?.assignment ?? null,
  instructor: delivered?.instructor ?? null,
})

/** A folder's row, with the names and pictures of the people in it. */
export interface FolderRow {
  id: string
  name: string
  status: FolderStatus
  player: Person
  /** The instructor to whom the folder is assigned, otherwise the one who gave the last feedback. */
  instructor: Person | null
  assignment: string | null
  declined: { assignment: string; by: Person; reason: string; cause: FolderReturnCauseOnPlayerSide | null } | null
  clips: StoredClip[]
  created: string
  updated: string
}

/**
 * A person of table `u` (and their profile `i`) as JSON: `{ id, name, picture, slug }`. A person who has left keeps the id and gets the name
 * 'Someone who left'.
 */
export const personJsonSql = (db: postgres.ISql, id: postgres.PendingQuery<postgres.Row[]>, u: string, i: string) => db`
  json_build_object('id', ${id}, 'name', coalesce(${db(u)}.first_name || ' ' || ${db(u)}.last_name, 'Someone who left'),
    'picture', ${db(u)}.picture, 'slug', ${db(i)}.slug)`

const select = (sql: postgres.Sql) => sql`
  select f.folder as id, f.name, f.status, f.assignment, f.clips, f.created, f.updated,
    ${personJsonSql(sql, sql`f.player`, 'p', 'ip')} as player,
    case when f.instructor is not null then ${personJsonSql(sql, sql`f.instructor`, 'u', 'i')} end as instructor,
    case when f.declined is not null then f.declined || jsonb_build_object('by', ${personJsonSql(sql, sql`f.declined ->> 'instructor'`, 'd', 'id')}) end
      as declined
  from ${sql(tableOf(folders))} f
  left join users p on p.id = f.player left join instructors ip on ip.id = f.player
  left join users u on u.id = f.instructor left join instructors i on i.id = f.instructor
  left join users d on d.id = (f.declined ->> 'instructor')::uuid left join instructors id on id.id = d.id`

/** A player's folders, most recently changed first. */
export const foldersOfPlayer = (sql: postgres.Sql, player: string) =>
  sql<FolderRow[]>`${select(sql)} where f.player = ${player} order by f.updated desc, f.folder`

/** A page of a player's archived folders, or of all others, most recently changed first. */
export async function pageOfFolders(
  sql: postgres.Sql,
  player: string,
  { isArchived, before, limit }: { isArchived: boolean; before?: TimeAndId | undefined; limit: number },
): Promise<PageOfRows<FolderRow>> {
  const older = before ? sql`and ${olderThanKeySql(sql, sql`f.updated`, sql`f.folder`, before)}` : sql``
  const folderRows = await sql<FolderRow[]>`
    ${select(sql)} where f.player = ${player} and (f.status = 'archived') = ${isArchived} ${older}
    order by f.updated desc, f.folder limit ${limit + 1}`
  return paginateRows(folderRows, limit, f => [f.updated, f.id] satisfies TimeAndId)
}

export async function countCurrentAndArchivedFolders(sql: postgres.Sql, player: string): Promise<{ current: number; archived: number }> {
  const [row] = await sql<{ current: number; archived: number }[]>`
    select count(*) filter (where status <> 'archived')::int as current, count(*) filter (where status = 'archived')::int as archived
    from ${sql(tableOf(folders))} where player = ${player}`
  return row!
}

/** Maximum number of folders beyond the first page in which the server looks for something that the player should do. */
const MAX_FOLDERS_THAT_MAY_NEED_ACTION = 100

/**
 * Folders that are neither archived nor on `page`, but in which the player may still have something to do: those that are not paid, were
 * declined, or were changed after `changedSince`. Most recently changed first, at most 100.
 */
export const foldersThatMayNeedAction = (sql: postgres.Sql, player: string, page: FolderRow[], changedSince: Date) => sql<FolderRow[]>`
  ${select(sql)} where f.player = ${player} and f.status <> 'archived' and f.folder <> all(${page.map(row => row.id)}::uuid[])
    and (f.status <> 'paid' or f.declined is not null or f.updated > ${changedSince})
  order by f.updated desc, f.folder limit ${MAX_FOLDERS_THAT_MAY_NEED_ACTION}`

export const foldersWithIds = (sql: postgres.Sql, ids: string[]) => sql<FolderRow[]>`${select(sql)} where f.folder = any(${ids}::uuid[])`

export async function folderOf(sql: postgres.Sql, folder: string): Promise<FolderRow | undefined> {
  const [row] = await sql<FolderRow[]>`${select(sql)} where f.folder = ${folder}`
  return row
}
