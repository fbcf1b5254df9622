import { isDeepStrictEqual } from 'node:util'
import { decider } from '../kernel/decider.ts'
import { Refused } from '../kernel/store.ts'
import { checkReview } from '../reviews/check.ts'
import type { FolderStatus, Quote, Review } from './contract.ts'
import { VIDEOS_PER_FOLDER } from './policy.ts'

/** A video as the log keeps it: `key` and `poster` are where the bytes lie in object storage. */
export interface StoredVideo {
  id: string
  name: string
  type: string
  bytes: number
  milliseconds: number
  width: number
  height: number
  key: string
  poster: string | null
}

/** The log keeps these for ever: a name or a field may be added, never changed. `terms` belongs to whoever prices the assignment. */
export type FolderEvent =
  | { type: 'FolderCreated'; data: { player: string; name: string } }
  | { type: 'FolderRenamed'; data: { name: string } }
  | { type: 'FolderArchived'; data: object }
  | { type: 'FolderRestored'; data: object }
  | { type: 'VideoAdded'; data: { video: StoredVideo } }
  | { type: 'VideoRemoved'; data: { video: string } }
  /** Nobody could see `video`, so `by` takes its place, with an instructor or not. */
  | { type: 'VideoReplaced'; data: { video: string; by: StoredVideo } }
  /** Frames a second of real time, as a person says: the file of flattened slow motion knows only how it is played. */
  | { type: 'CaptureRateSet'; data: { video: string; rate: number; by: string } }
  | {
      type: 'FolderAssigned'
      data: {
        assignment: string
        player: string
        instructor: string
        message: string | null
        quote: Quote
        terms: unknown
        follows: string | null
        videos: { id: string; bytes: number }[]
      }
    }
  | { type: 'AssignmentWithdrawn'; data: { assignment: string } }
  | { type: 'AssignmentDeclined'; data: { assignment: string; reason: string } }
  | { type: 'ReviewStarted'; data: { assignment: string } }
  | {
      type: 'FeedbackGiven'
      data: {
        assignment: string
        player: string
        instructor: string
        review: Review
        billable: { videos: number; bytes: number; notes: number }
        terms: unknown
      }
    }
  | { type: 'ClarificationAsked'; data: { assignment: string; question: string } }
  | { type: 'ClarificationAnswered'; data: { assignment: string; answer: string } }
  | { type: 'FolderPaid'; data: { assignment: string } }

export interface Assignment {
  id: string
  instructor: string
  message: string | null
  videos: { id: string; bytes: number }[]
  terms: unknown
  status: Exclude<FolderStatus, 'open' | 'archived'>
  review: Review | null
  question: string | null
  answer: string | null
}

export interface Folder {
  /** Null: there is no such folder yet. */
  player: string | null
  name: string
  archived: boolean
  videos: StoredVideo[]
  /** Videos that were here once; they do not come back. */
  removed: string[]
  /** Frames a second of real time that somebody has set, by video. */
  captureRates: Record<string, number>
  /** Videos that feedback was given on; they stay. */
  reviewed: string[]
  /** Every assignment there ever was. */
  assignments: string[]
  /** The one under way; else the last that was delivered. */
  assignment: Assignment | null
  /** The last that was delivered: what a withdrawn or declined follow-up falls back to. */
  delivered: Assignment | null
}

export const statusOf = (f: Folder): FolderStatus => (f.archived ? 'archived' : (f.assignment?.status ?? 'open'))

/** Videos of the next session: those nobody has reviewed yet; where there is nothing new, those of the last session again. */
export const nextSession = (f: Folder) => {
  const fresh = f.videos.filter(v => !f.reviewed.includes(v.id))
  const next = fresh.length ? fresh : f.videos.filter(v => f.delivered?.videos.some(d => d.id === v.id))
  return next.map(({ id, bytes }) => ({ id, bytes }))
}

const existing = (f: Folder) => {
  if (f.player === null) throw new Refused('We could not find that folder.', 'no-folder')
}
const inUse = (f: Folder) => {
  existing(f)
  if (f.archived) throw new Refused('This folder is in the archive. Restore it first.', 'archived')
}
/** Nothing about the videos changes between an assignment and its payment. */
const notAssigned = (f: Folder) => {
  inUse(f)
  switch (f.assignment?.status) {
    case 'assigned':
      throw new Refused('This folder is with your instructor. Take it back first, then change it.', 'assigned')
    case 'in-review':
      throw new Refused('Your instructor is reviewing this folder. You can change it when the feedback is here.', 'in-review')
    case 'feedback-given':
      throw new Refused('The feedback on this folder has not been paid yet. Pay for it first.', 'payment-due')
  }
}

/** @throws Refused where one more video cannot be added, counting `coming` uploads on their way */
export const roomFor = (f: Folder, coming = 0) => {
  notAssigned(f)
  const waiting = f.videos.filter(v => !f.reviewed.includes(v.id)).length
  if (waiting + coming < VIDEOS_PER_FOLDER) return
  throw new Refused(
    coming
      ? `A session takes up to ${VIDEOS_PER_FOLDER} videos, and unfinished uploads count. Finish or cancel one of them first.`
      : `A session takes up to ${VIDEOS_PER_FOLDER} videos. Remove one first, or start another folder.`,
    'too-many-videos',
  )
}

/** @throws Refused where this video may not be replaced */
export const replaceable = (f: Folder, video: string, unseen: boolean) => {
  inUse(f)
  if (!f.videos.some(v => v.id === video)) throw new Refused('That video is not in this folder anymore.', 'no-video')
  if (f.reviewed.includes(video)) throw new Refused('This video has feedback on it, so it stays in the folder.', 'reviewed')
  const away = f.assignment?.status === 'assigned' || f.assignment?.status === 'in-review'
  if (!(unseen && away)) notAssigned(f)
}

/** The assignment under way or delivered, if it is this instructor's. */
const assignmentOf = (f: Folder, instructor: string) => {
  if (f.assignment?.instructor !== instructor) throw new Refused('This folder is not assigned to you anymore.', 'not-assigned')
  return f.assignment
}

const during = (f: Folder, change: Partial<Assignment>): Folder => ({ ...f, assignment: { ...f.assignment!, ...change } })
const afterDelivery = (f: Folder, change: Partial<Assignment>): Folder => {
  const next = during(f, change)
  return { ...next, delivered: next.assignment }
}

/** A folder: its videos, who it is assigned to, the feedback on it. */
export const folder = decider<Folder, FolderEvent>()({
  stream: 'folder',
  initial: {
    player: null,
    name: '',
    archived: false,
    videos: [],
    removed: [],
    captureRates: {},
    reviewed: [],
    assignments: [],
    assignment: null,
    delivered: null,
  },

  evolve: {
    FolderCreated: (f, { player, name }) => ({ ...f, player, name }),
    FolderRenamed: (f, { name }) => ({ ...f, name }),
    FolderArchived: f => ({ ...f, archived: true }),
    FolderRestored: f => ({ ...f, archived: false }),
    VideoAdded: (f, { video }) => ({ ...f, videos: [...f.videos, video] }),
    VideoRemoved: (f, { video }) => ({ ...f, videos: f.videos.filter(v => v.id !== video), removed: [...f.removed, video] }),
    VideoReplaced: (f, { video, by }) => ({
      ...f,
      videos: f.videos.map(v => (v.id === video ? by : v)),
      removed: [...f.removed, video],
      assignment: f.assignment && {
        ...f.assignment,
        // What the player agreed to pay for is never more because of it.
        videos: f.assignment.videos.map(v => (v.id === video ? { id: by.id, bytes: Math.min(v.bytes, by.bytes) } : v)),
      },
    }),
    CaptureRateSet: (f, { video, rate }) => ({ ...f, captureRates: { ...f.captureRates, [video]: rate } }),
    FolderAssigned: (f, { assignment: id, instructor, message, videos, terms }) => ({
      ...f,
      assignments: [...f.assignments, id],
      assignment: { id, instructor, message, videos, terms, status: 'assigned', review: null, question: null, answer: null },
    }),
    AssignmentWithdrawn: f => ({ ...f, assignment: f.delivered }),
    AssignmentDeclined: f => ({ ...f, assignment: f.delivered }),
    ReviewStarted: f => during(f, { status: 'in-review' }),
    FeedbackGiven: (f, { review }) => ({
      ...afterDelivery(f, { status: 'feedback-given', review }),
      reviewed: [...new Set([...f.reviewed, ...f.assignment!.videos.map(v => v.id)])],
    }),
    ClarificationAsked: (f, { question }) => afterDelivery(f, { question }),
    ClarificationAnswered: (f, { answer }) => afterDelivery(f, { answer }),
    FolderPaid: f => afterDelivery(f, { status: 'paid' }),
  },

  decide: {
    create: (f, { player, name }: { player: string; name: string }) => {
      if (f.player === player && f.name === name) return []
      if (f.player !== null) throw new Refused('This folder was created before. Reload the page to see it.', 'exists')
      return { type: 'FolderCreated', data: { player, name } }
    },

    rename: (f, { name }: { name: string }) => {
      inUse(f)
      return f.name === name ? [] : { type: 'FolderRenamed', data: { name } }
    },

    archive: f => {
      if (f.archived) return []
      notAssigned(f)
      return { type: 'FolderArchived', data: {} }
    },

    restore: f => {
      existing(f)
      return f.archived ? { type: 'FolderRestored', data: {} } : []
    },

    addVideo: (f, { video }: { video: StoredVideo }) => {
      if (f.videos.some(v => v.id === video.id)) return []
      if (f.removed.includes(video.id)) throw new Refused('This video was removed. Upload it again if you want it back.', 'removed')
      roomFor(f)
      return { type: 'VideoAdded', data: { video } }
    },

    removeVideo: (f, { video }: { video: string }) => {
      existing(f)
      if (f.removed.includes(video)) return []
      if (!f.videos.some(v => v.id === video)) throw new Refused('That video is not in this folder.', 'no-video')
      notAssigned(f)
      if (f.reviewed.includes(video)) throw new Refused('This video has feedback on it, so it stays in the folder.', 'reviewed')
      return { type: 'VideoRemoved', data: { video } }
    },

    /** `unseen`: nobody can see the one it replaces. Then it may change even while the folder is with an instructor. */
    replaceVideo: (f, { video, by, unseen }: { video: string; by: StoredVideo; unseen: boolean }) => {
      if (f.videos.some(v => v.id === by.id)) return []
      if (f.removed.includes(by.id)) throw new Refused('This video was removed. Upload it again if you want it back.', 'removed')
      replaceable(f, video, unseen)
      return { type: 'VideoReplaced', data: { video, by } }
    },

    setCaptureRate: (f, { video, rate, by }: { video: string; rate: number; by: string }) => {
      existing(f)
      if (!f.videos.some(v => v.id === video)) throw new Refused('That video is not in this folder.', 'no-video')
      return f.captureRates[video] === rate ? [] : { type: 'CaptureRateSet', data: { video, rate, by } }
    },

    /** `videos` are those the quote was made for: if they changed since, the price the player saw is not true anymore. */
    assign: (
      f,
      c: {
        assignment: string
        instructor: string
        message: string | null
        quote: Quote
        terms: unknown
        videos: { id: string; bytes: number }[]
      },
    ) => {
      const { assignment: id, instructor, message, quote, terms, videos } = c
      if (f.assignment?.id === id && f.assignment.instructor === instructor) return []
      if (f.assignments.includes(id)) throw new Refused('This was assigned before. Reload the page and try again.', 'assigned-before')
      if (f.assignment?.status === 'assigned' || f.assignment?.status === 'in-review') {
        throw new Refused('This folder is with an instructor already. One at a time.', 'assigned')
      }
      notAssigned(f)
      const session = nextSession(f)
      if (!session.length) throw new Refused('Add a video first, so that there is something to look at.', 'no-videos')
      if (!isDeepStrictEqual(session, videos)) {
        throw new Refused('The videos have changed. Look at the price again, then assign the folder.', 'quote-changed')
      }
      return {
        type: 'FolderAssigned',
        data: { assignment: id, player: f.player!, instructor, message, quote, terms, follows: f.delivered?.id ?? null, videos },
      }
    },

    withdraw: f => {
      inUse(f)
      if (!f.assignment) return []
      switch (f.assignment.status) {
        case 'assigned':
          return { type: 'AssignmentWithdrawn', data: { assignment: f.assignment.id } }
        case 'in-review':
          throw new Refused('Your instructor has started the review, so it cannot be taken back anymore.', 'in-review')
        default:
          throw new Refused('The feedback is here already, so there is nothing to take back.', 'delivered')
      }
    },

    decline: (f, { instructor, reason }: { instructor: string; reason: string }) => {
      const { id, review } = assignmentOf(f, instructor)
      if (review) throw new Refused('You have given feedback on this folder, so it cannot be declined anymore.', 'delivered')
      return { type: 'AssignmentDeclined', data: { assignment: id, reason } }
    },

    startReview: (f, { instructor }: { instructor: string }) => {
      const { id, status } = assignmentOf(f, instructor)
      return status === 'assigned' ? { type: 'ReviewStarted', data: { assignment: id } } : []
    },

    /** `unseen`: videos that nobody can see, which nobody pays for. */
    deliver: (f, { instructor, review, unseen = [] }: { instructor: string; review: Review; unseen?: string[] }) => {
      const { id, status, videos, terms, review: given } = assignmentOf(f, instructor)
      if (given) {
        if (isDeepStrictEqual(given, review)) return []
        throw new Refused('This feedback was delivered before and is final. Your player has the version you sent then.', 'delivered')
      }
      checkReview(f.videos, review)
      const seen = videos.filter(v => !unseen.includes(v.id))
      if (!seen.length) {
        throw new Refused('Nobody can see a video of this folder. Wait until your player has put in a new one, or decline it.', 'unseen')
      }
      const billable = { videos: seen.length, bytes: seen.reduce((sum, v) => sum + v.bytes, 0), notes: review.notes.length }
      return [
        ...(status === 'assigned' ? [{ type: 'ReviewStarted' as const, data: { assignment: id } }] : []),
        { type: 'FeedbackGiven', data: { assignment: id, player: f.player!, instructor, review, billable, terms } },
      ]
    },

    ask: (f, { question }: { question: string }) => {
      inUse(f)
      if (!f.assignment?.review) throw new Refused('You can ask when the feedback is here.', 'no-feedback')
      if (f.assignment.question === question) return []
      if (f.assignment.question !== null)
        throw new Refused('You have asked your question about this feedback. There is one for each.', 'asked')
      return { type: 'ClarificationAsked', data: { assignment: f.assignment.id, question } }
    },

    answer: (f, { instructor, answer }: { instructor: string; answer: string }) => {
      const { id, question, answer: given } = assignmentOf(f, instructor)
      if (question === null) throw new Refused('There is no question to answer.', 'no-question')
      if (given === answer) return []
      if (given !== null) throw new Refused('You have answered this question. Your player has the answer you sent then.', 'answered')
      return { type: 'ClarificationAnswered', data: { assignment: id, answer } }
    },

    paid: (f, { assignment }: { assignment: string }) => {
      if (f.assignment?.id !== assignment) {
        // A follow-up can only be assigned once the one before it is paid.
        if (f.assignments.includes(assignment)) return []
        throw new Refused('This folder knows no such assignment.', 'no-assignment')
      }
      if (f.assignment.status === 'paid') return []
      if (f.assignment.status !== 'feedback-given') throw new Refused('There is no feedback to pay for yet.', 'no-feedback')
      return { type: 'FolderPaid', data: { assignment } }
    },
  },
})
