import type postgres from 'postgres'
import type { Person, StoryEvent } from '../modules/folders/contract.ts'
import type { FolderEvent } from '../modules/folders/folder.ts'
import { createRowOrThrow, projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream, type RecordedEvent } from '../modules/kernel/store.ts'
import type { PaymentEvent } from '../modules/payments/payment.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import type { RatingEvent } from '../modules/ratings/rating.ts'
import { isUuid } from '../modules/uuid-validation.ts'

/** One entry of a folder's history as it is stored: people by id. */
interface StoredChapter {
  at: string
  type: string
  by: string
  detail: Record<string, unknown>
}
type Row = { folder: string; chapters: unknown } | null

const tell = (
  row: Row,
  e: Pick<RecordedEvent, 'stream' | 'at' | 'type' | 'meta'>,
  detail: StoredChapter['detail'] = {},
  folder = idOfStream(e.stream),
) => ({
  folder,
  chapters: [...((row?.chapters ?? []) as StoredChapter[]), { at: e.at, type: e.type, by: e.meta.actor, detail }],
})
const nameOf = (row: Row, video: string) => ((row?.chapters ?? []) as StoredChapter[]).find(c => c.detail.video === video)?.detail.name

/** The history of each folder: one row per folder, with its entries in the order in which the log has their events. */
export const story = projection<FolderEvent | PaymentEvent | RatingEvent | PersonForgotten>()({
  name: 'story',
  version: 7,
  row: { folder: 'uuid', chapters: 'jsonb' },
  key: e =>
    e.type === 'PersonForgotten'
      ? e.data.folders
      : 'folder' in e.data && typeof e.data.folder === 'string'
        ? e.data.folder
        : idOfStream(e.stream),
  on: {
    PersonForgotten: () => null,
    FolderCreated: (row, e) => createRowOrThrow(row, tell(row, e, { name: e.data.name })),
    FolderRenamed: (row, e) => tell(row, e, { name: e.data.name }),
    FolderArchived: (row, e) => tell(row, e),
    FolderRestored: (row, e) => tell(row, e),
    VideoAdded: (row, e) => tell(row, e, { video: e.data.video.id, name: e.data.video.name }),
    VideoRemoved: (row, e) => tell(row, e, { video: e.data.video, name: nameOf(row, e.data.video) }),
    VideoReplaced: (row, e) => tell(row, e, { video: e.data.by.id, name: e.data.by.name, replaced: nameOf(row, e.data.video) }),
    ApprovalRequested: (row, e) => tell(row, e, { assignment: e.data.assignment, instructor: e.data.instructor }),
    ApprovalGiven: (row, e) => tell(row, e, { assignment: e.data.assignment }),
    ApprovalDeclined: (row, e) => tell(row, e, { assignment: e.data.assignment, reason: e.data.reason }),
    ApprovalWithdrawn: (row, e) => tell(row, e, { assignment: e.data.assignment }),
    ApprovalLapsed: (row, e) => tell(row, e, { assignment: e.data.assignment, cause: e.data.cause }),
    FolderAssigned: (row, e) => {
      const { assignment, instructor, player } = e.data
      return tell(row, e, { assignment, instructor, isApproved: e.meta.actor !== player })
    },
    AssignmentWithdrawn: (row, e) =>
      tell(row, e, { assignment: e.data.assignment, ...(e.data.guardian !== undefined && { byGuardian: true }) }),
    AssignmentDeclined: (row, e) => tell(row, e, { assignment: e.data.assignment, reason: e.data.reason, cause: e.data.cause }),
    ReviewStarted: (row, e) => tell(row, e, { assignment: e.data.assignment }),
    FeedbackGiven: (row, e) => tell(row, e, { assignment: e.data.assignment, notes: e.data.review.notes.length }),
    ClarificationAsked: (row, e) => tell(row, e, { assignment: e.data.assignment, question: e.data.question }),
    ClarificationAnswered: (row, e) => tell(row, e, { assignment: e.data.assignment, answer: e.data.answer }),
    // Without the reason: only the card's owner and administrators may read it, and other people read this history too.
    PaymentFailed: (row, e) => tell(row, e, { assignment: idOfStream(e.stream) }, e.data.folder),
    PaymentSucceeded: (row, e) => tell(row, e, { assignment: idOfStream(e.stream), cents: e.data.amount }, e.data.folder),
    PaymentRefunded: (row, e) => tell(row, e, { assignment: idOfStream(e.stream), cents: e.data.amount }, e.data.folder),
    SessionRated: (row, e) => tell(row, e, { assignment: idOfStream(e.stream) }, e.data.folder),
    RatingAnswered: (row, e) => tell(row, e, { assignment: idOfStream(e.stream) }, e.data.folder),
  },
})

/** Types of entries that an instructor must not see: failed charges of the payer's card, and requests for a guardian's approval. */
const HIDDEN_FROM_INSTRUCTORS = new Set([
  'PaymentFailed',
  'ApprovalRequested',
  'ApprovalGiven',
  'ApprovalDeclined',
  'ApprovalWithdrawn',
  'ApprovalLapsed',
])

/** Limits a folder's history to what an instructor may see: no events of other sessions, and none of videos outside of `videos`. */
export interface InstructorScope {
  sessions: string[]
  videos: string[]
}
const isInInstructorScope = ({ detail, type }: StoredChapter, { sessions, videos }: InstructorScope) => {
  if (HIDDEN_FROM_INSTRUCTORS.has(type)) return false
  if ('assignment' in detail) return sessions.includes(String(detail.assignment))
  return !('video' in detail) || videos.includes(String(detail.video))
}

/** The history of a folder with the people in it: complete, or the part that one instructor may see. */
export async function folderStoryOf(sql: postgres.Sql, folder: string, scope?: InstructorScope): Promise<StoryEvent[]> {
  const [row] = await sql<{ chapters: StoredChapter[] }[]>`select chapters from ${sql(tableOf(story))} where folder = ${folder}`
  const chapters = (row?.chapters ?? []).filter(c => !scope || isInInstructorScope(c, scope))
  const ids = new Set(chapters.flatMap(c => [c.by, c.detail.instructor]).filter(isUuid))
  const people = await sql<Person[]>`
    select u.id, u.first_name || ' ' || u.last_name as name, u.picture, i.slug
    from users u left join instructors i on i.id = u.id where u.id = any(${[...ids] as string[]}::uuid[])`
  const byId = new Map(people.map(p => [p.id, p]))
  return chapters.map(({ at, type, by, detail }) => ({
    at,
    type,
    by: byId.get(by) ?? null,
    detail: 'instructor' in detail ? { ...detail, instructor: byId.get(detail.instructor as string)?.name ?? null } : detail,
  }))
}
