import { isDeepStrictEqual } from 'node:util'
import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import {
  assertContinuedGoalsExist,
  assertReviewValid,
  type ComparableClip,
  comparisonClipUnavailableRefusal,
} from '../reviews/assert-review-valid.ts'
import type { FolderStatus, Quote, Review, SessionStatus, VideoMoment } from './contract.ts'
import { MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER, MAX_CHANGES_PER_FOLDER, MAX_VIDEOS_PER_SESSION } from './policy.ts'

/** A video in the log; `key` and `poster` are object storage keys. */
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

/** An assignment with its price: what a player assigns, or what a minor asks the guardian to approve. */
export interface PricedAssignment {
  assignment: string
  instructor: string
  message: string | null
  quote: Quote
  terms: unknown
  videos: { id: string; bytes: number }[]
}
/** Why consent no longer covers an assigned folder, so that it is returned to the player. */
export type ConsentLossCause = 'consent-withdrawn' | 'guardian-changed'
/** Why a folder was returned, if the reason is on the player's side. `account-closed`: an administrator closed the player's account. */
export type FolderReturnCauseOnPlayerSide = ConsentLossCause | 'account-closed'

/**
 * Why an approval request ended without an answer. `videos`: the folder's videos changed; `archived`: the folder was archived; `consent`:
 * the guardian withdrew consent; `guardian`: another guardian took over; `of-age`: the player turned 18 and decides alone; `instructor`:
 * the instructor takes no sessions; `account-closed`: an administrator closed the player's account.
 */
export type ApprovalLapseCause = 'videos' | 'archived' | 'consent' | 'guardian' | 'of-age' | 'instructor' | 'account-closed'

/** The log keeps these forever: a name or a field may be added, never changed. The module that prices the assignment defines `terms`. */
export type FolderEvent =
  | { type: 'FolderCreated'; data: { player: string; name: string } }
  | { type: 'FolderRenamed'; data: { name: string } }
  | { type: 'FolderArchived'; data: object }
  | { type: 'FolderRestored'; data: object }
  | { type: 'VideoAdded'; data: { video: StoredVideo } }
  | { type: 'VideoRemoved'; data: { video: string } }
  /** `by` takes the place of `video`. If preparation had refused `video`, this is possible even while the folder is assigned. */
  | { type: 'VideoReplaced'; data: { video: string; by: StoredVideo } }
  /**
   * The capture rate in frames per second, as a person entered it: a slow-motion file that was exported at playback speed does not contain
   * it.
   */
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
  /** A minor asks the guardian to approve an assignment at the price that the player saw. The other fields are those of the assignment. */
  | { type: 'ApprovalRequested'; data: PricedAssignment & { player: string } }
  /** The guardian agreed; `FolderAssigned` follows in the same batch. */
  | { type: 'ApprovalGiven'; data: { assignment: string; guardian: string } }
  | { type: 'ApprovalDeclined'; data: { assignment: string; guardian: string; reason: string } }
  /** The player withdrew the request. */
  | { type: 'ApprovalWithdrawn'; data: { assignment: string } }
  | { type: 'ApprovalLapsed'; data: { assignment: string; cause: ApprovalLapseCause } }
  /** `assignment`: a session of another folder, whose feedback compares one of that session's videos with this video. */
  | { type: 'VideoCompared'; data: { video: string; assignment: string } }
  /** `guardian`: the minor's guardian who took the folder back; absent if the player or the server did, as when an account is closed. */
  | { type: 'AssignmentWithdrawn'; data: { assignment: string; guardian?: string } }
  | { type: 'AssignmentDeclined'; data: { assignment: string; reason: string; cause?: FolderReturnCauseOnPlayerSide } }
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
  /** `about`: the moment of a video that the question refers to. */
  | { type: 'ClarificationAsked'; data: { assignment: string; question: string; about?: VideoMoment } }
  | { type: 'ClarificationAnswered'; data: { assignment: string; answer: string } }
  | { type: 'FolderPaid'; data: { assignment: string } }

/** An assignment with its review, question and answer. `ended`: withdrawn or declined. */
export interface FolderSession {
  id: string
  instructor: string
  message: string | null
  videos: { id: string; bytes: number }[]
  terms: unknown
  status: SessionStatus | 'ended'
  review: Review | null
  question: string | null
  about: VideoMoment | null
  answer: string | null
}

export interface FolderState {
  /** Null while the folder does not exist. */
  player: string | null
  name: string
  archived: boolean
  videos: StoredVideo[]
  /** Ids of removed and replaced videos, which cannot be added again. */
  removed: string[]
  /** Ids of this folder's videos that reviews of other folders use in comparisons. */
  compared: string[]
  /** The capture rates that people have entered, by video. */
  captureRates: Record<string, number>
  /** How many changes count toward `MAX_CHANGES_PER_FOLDER`, and how often each person has entered a capture rate. */
  changes: number
  captureRateChanges: Record<string, number>
  /** All sessions, oldest first, including withdrawn and declined ones. Only the last one can be open. */
  sessions: FolderSession[]
  /** The request that the guardian has not answered yet, or null. */
  request: PricedAssignment | null
  /** Ids of requests that ended without an assignment. They can be neither requested nor assigned again. */
  endedRequests: string[]
}

/** The open session, otherwise the last delivered one. A follow-up session that ended without a review does not count. */
export const currentSession = (f: FolderState): FolderSession | undefined => f.sessions.findLast(s => s.status !== 'ended')
const lastDelivered = (f: FolderState) => f.sessions.findLast(s => s.review)
/** Whether this video was in a session whose review was delivered. Such a video cannot be removed. */
const isReviewed = (f: FolderState, video: string) => f.sessions.some(s => s.review && s.videos.some(v => v.id === video))
/** @throws CommandRefused if the feedback of its session was delivered, or if feedback in another folder compares a video with it */
const assertRemovable = (f: FolderState, video: string) => {
  if (isReviewed(f, video))
    throw new CommandRefused("The feedback of this video's session was delivered, so it stays in the folder.", 'reviewed')
  if (f.compared.includes(video))
    throw new CommandRefused('Feedback compares this video with another, so it stays in the folder.', 'compared')
}
/** The event that ends the open approval request, or no event if no request is open. */
const lapse = (f: FolderState, cause: ApprovalLapseCause): FolderEvent[] =>
  f.request ? [{ type: 'ApprovalLapsed', data: { assignment: f.request.assignment, cause } }] : []
const requestEnded = (f: FolderState, assignment: string): FolderState => ({
  ...f,
  request: null,
  endedRequests: [...f.endedRequests, assignment],
})
const unreviewedVideos = (f: FolderState) => f.videos.filter(v => !isReviewed(f, v.id))

export const folderStatusOf = (f: FolderState): FolderStatus => {
  if (f.archived) return 'archived'
  const now = currentSession(f)
  return now && now.status !== 'ended' ? now.status : 'open'
}

/**
 * Videos of the next session: those without a review, or if there are none, those of the last delivered session again, except the ones that
 * preparation has refused, which can no longer be replaced or removed. `refusedVideos`: the ids of the folder's refused videos.
 */
export const nextSessionVideos = (f: FolderState, refusedVideos: string[] = []) => {
  const fresh = unreviewedVideos(f)
  const again = () => f.videos.filter(v => lastDelivered(f)?.videos.some(d => d.id === v.id) && !refusedVideos.includes(v.id))
  const next = fresh.length ? fresh : again()
  return next.map(({ id, bytes }) => ({ id, bytes }))
}

const assertExists = (f: FolderState) => {
  if (f.player === null) throw new CommandRefused('We could not find that folder.', 'no-folder')
}
const assertNotArchived = (f: FolderState) => {
  assertExists(f)
  if (f.archived) throw new CommandRefused('This folder is archived. Restore it first.', 'archived')
}
/** @throws CommandRefused if the folder has been changed so often that loading it would take too long */
const assertBelowChangeLimit = (f: FolderState) => {
  if (f.changes < MAX_CHANGES_PER_FOLDER) return
  const most = MAX_CHANGES_PER_FOLDER.toLocaleString('en-US')
  throw new CommandRefused(`This folder has been changed ${most} times, which is the limit. Start a new folder.`, 'too-many-changes')
}
/** @throws CommandRefused if the folder is archived, or between an assignment and its payment, when the videos must stay as they are */
const assertNotAssigned = (f: FolderState) => {
  assertNotArchived(f)
  switch (currentSession(f)?.status) {
    case 'assigned':
      throw new CommandRefused('This folder is with your instructor. Take it back first, then change it.', 'assigned')
    case 'in-review':
      throw new CommandRefused('Your instructor is reviewing this folder. You can change it once you have the feedback.', 'in-review')
    case 'feedback-given':
      throw new CommandRefused('The feedback on this folder has not been paid for yet. It has to be paid for first.', 'payment-due')
  }
}

/** Whether this video is in the folder, or was until it was removed. */
export const hasOrHadVideo = ({ videos, removed }: Pick<FolderState, 'videos' | 'removed'>, video: string) =>
  videos.some(v => v.id === video) || removed.includes(video)

/** @throws CommandRefused if the videos may not change now, or there is no room for one more besides `coming` uploads in progress */
export const assertRoomForVideo = (f: FolderState, coming = 0) => {
  assertNotAssigned(f)
  assertBelowChangeLimit(f)
  if (unreviewedVideos(f).length + coming < MAX_VIDEOS_PER_SESSION) return
  throw new CommandRefused(
    coming
      ? `A session can have up to ${MAX_VIDEOS_PER_SESSION} videos, including unfinished uploads. Finish or cancel one of them first.`
      : `A session can have up to ${MAX_VIDEOS_PER_SESSION} videos. Remove one first, or start another folder.`,
    'too-many-videos',
  )
}

/** @throws CommandRefused if this video may not be replaced. While the folder is assigned, only an unplayable one (`isRefused`) may be. */
export const assertVideoReplaceable = (f: FolderState, video: string, isRefused: boolean) => {
  assertNotArchived(f)
  assertBelowChangeLimit(f)
  if (!f.videos.some(v => v.id === video)) throw new CommandRefused('That video is not in this folder anymore.', 'no-video')
  assertRemovable(f, video)
  const status = currentSession(f)?.status
  if (!(isRefused && (status === 'assigned' || status === 'in-review'))) assertNotAssigned(f)
}

/** This instructor's session with the id `session`, or by default their latest one; ended sessions do not count. */
export const folderSessionOfInstructor = (f: FolderState, instructor: string, session?: string): FolderSession | undefined =>
  f.sessions.findLast(s => s.instructor === instructor && s.status !== 'ended' && (session === undefined || s.id === session))

/** The folder's videos that were assigned to this instructor, in a session that was not withdrawn or declined. */
export const videosFromSessionsWithInstructor = (f: FolderState, instructor: string): StoredVideo[] => {
  const sessionVideos = f.sessions.filter(s => s.instructor === instructor && s.status !== 'ended').flatMap(s => s.videos)
  return f.videos.filter(v => sessionVideos.some(of => of.id === v.id))
}

/** The session that an instructor's command refers to: by default, their latest one. */
interface Reviewing {
  instructor: string
  session?: string
}
/** A review that is to be delivered, with facts from other modules. */
interface Delivering extends Reviewing {
  review: Review
  /** Ids of videos that preparation has refused; they cost nothing. */
  refusedVideos?: string[]
  /** Ids of videos that the instructor could not watch, because they were still being prepared; they cost nothing, either. */
  unpreparedVideos?: string[]
  /** How many frames each video has, if that is known. */
  frames?: Record<string, number>
  /** The clips that this instructor may use in comparisons. */
  comparable?: ComparableClip[]
  /** Ids of the goals that this instructor has given this player before. */
  goals?: string[]
}
interface QuestionInput {
  question: string
  session?: string
  about?: VideoMoment
  /** How many frames each video has, if that is known. */
  frames?: Record<string, number>
}
const sessionOf = (f: FolderState, { instructor, session }: Reviewing) => {
  const instructorSession = folderSessionOfInstructor(f, instructor, session)
  if (!instructorSession) throw new CommandRefused('This folder is not assigned to you anymore.', 'not-assigned')
  return instructorSession
}

/** Ids of the folder's videos that preparation has refused. */
interface WithRefusedVideos {
  refusedVideos?: string[]
}
/** A player's request for feedback. `videos`: those that the player saw when sending it. */
type Assigning = Pick<PricedAssignment, 'assignment' | 'instructor' | 'message' | 'videos'> & WithRefusedVideos
/**
 * Whether this assignment is new. False if the folder has already been assigned in exactly this way, or the guardian has already been asked
 * about it, as when the browser repeats a request.
 * @throws CommandRefused if the folder may not be assigned, or its videos have changed since the player saw them
 */
export const isNewAssignmentOrThrow = (
  f: FolderState,
  { assignment: id, instructor, message, videos, refusedVideos }: Assigning,
): boolean => {
  const now = currentSession(f)
  const same = now?.id === id ? now : f.request?.assignment === id ? f.request : undefined
  if (same?.instructor === instructor && same.message === message) return false
  if (same || f.sessions.some(s => s.id === id) || f.endedRequests.includes(id)) {
    throw new CommandRefused('This was already assigned. Reload the page and try again.', 'assigned-before')
  }
  if (now?.status === 'assigned' || now?.status === 'in-review') {
    throw new CommandRefused('This folder is already with an instructor. Only one can review it at a time.', 'assigned')
  }
  assertNotAssigned(f)
  assertBelowChangeLimit(f)
  if (f.request) {
    const ask = 'Your parent or guardian has been asked about this folder already. Take the request back to ask again.'
    throw new CommandRefused(ask, 'approval-pending')
  }
  const session = nextSessionVideos(f, refusedVideos)
  if (!session.length) throw new CommandRefused('Add a video first, then assign this folder.', 'no-videos')
  if (!isDeepStrictEqual(session, videos)) {
    throw new CommandRefused('The videos have changed. Check the new price, then assign the folder.', 'quote-changed')
  }
  return true
}

const changed = (f: FolderState, session: string, change: Partial<FolderSession>): FolderState => ({
  ...f,
  sessions: f.sessions.map(s => (s.id === session ? { ...s, ...change } : s)),
})

const withCountedChange = (f: FolderState): FolderState => ({ ...f, changes: f.changes + 1 })

const assigned = (f: FolderState, { assignment, instructor, message, quote, terms, videos }: PricedAssignment): FolderEvent => ({
  type: 'FolderAssigned',
  data: { assignment, player: f.player!, instructor, message, quote, terms, follows: lastDelivered(f)?.id ?? null, videos },
})

/** @throws CommandRefused if this request is not waiting for an answer */
function openRequest(f: FolderState, assignment: string): PricedAssignment {
  if (f.request?.assignment === assignment) return f.request
  throw new CommandRefused(
    'This request is no longer open: it was answered, taken back or changed. Reload the page to see it.',
    'request-over',
  )
}

/** A folder: its videos, who it is assigned to, the feedback on it. */
export const folderDecider = decider<FolderState, FolderEvent>()({
  stream: 'folder',
  initial: {
    player: null,
    name: '',
    archived: false,
    videos: [],
    removed: [],
    compared: [],
    captureRates: {},
    changes: 0,
    captureRateChanges: {},
    sessions: [],
    request: null,
    endedRequests: [],
  },

  evolve: {
    FolderCreated: (f, { player, name }) => ({ ...f, player, name }),
    FolderRenamed: (f, { name }) => ({ ...withCountedChange(f), name }),
    FolderArchived: f => ({ ...withCountedChange(f), archived: true }),
    FolderRestored: f => ({ ...withCountedChange(f), archived: false }),
    VideoAdded: (f, { video }) => ({ ...withCountedChange(f), videos: [...f.videos, video] }),
    VideoRemoved: (f, { video }) => ({
      ...withCountedChange(f),
      videos: f.videos.filter(v => v.id !== video),
      removed: [...f.removed, video],
    }),
    VideoReplaced: (f, { video, by }) => ({
      ...withCountedChange(f),
      videos: f.videos.map(v => (v.id === video ? by : v)),
      removed: [...f.removed, video],
      sessions: f.sessions.map(s => ({
        ...s,
        // A larger replacement does not raise the price that the player agreed to.
        videos: s.videos.map(v => (v.id === video ? { id: by.id, bytes: Math.min(v.bytes, by.bytes) } : v)),
      })),
    }),
    CaptureRateSet: (f, { video, rate, by }) => ({
      ...f,
      captureRates: { ...f.captureRates, [video]: rate },
      captureRateChanges: { ...f.captureRateChanges, [by]: (f.captureRateChanges[by] ?? 0) + 1 },
    }),
    VideoCompared: (f, { video }) => ({ ...f, compared: [...f.compared, video] }),
    ApprovalRequested: (f, { player: _, ...request }) => ({ ...withCountedChange(f), request }),
    // `FolderAssigned` follows in the same batch.
    ApprovalGiven: f => ({ ...f, request: null }),
    ApprovalDeclined: (f, { assignment }) => requestEnded(f, assignment),
    ApprovalWithdrawn: (f, { assignment }) => requestEnded(withCountedChange(f), assignment),
    ApprovalLapsed: (f, { assignment }) => requestEnded(f, assignment),
    FolderAssigned: (f, { assignment: id, instructor, message, videos, terms }) => ({
      ...withCountedChange(f),
      sessions: [
        ...f.sessions,
        { id, instructor, message, videos, terms, status: 'assigned', review: null, question: null, about: null, answer: null },
      ],
    }),
    AssignmentWithdrawn: (f, e) => changed(withCountedChange(f), e.assignment, { status: 'ended' }),
    AssignmentDeclined: (f, e) => changed(f, e.assignment, { status: 'ended' }),
    ReviewStarted: (f, e) => changed(f, e.assignment, { status: 'in-review' }),
    FeedbackGiven: (f, e) => changed(f, e.assignment, { status: 'feedback-given', review: e.review }),
    ClarificationAsked: (f, e) => changed(f, e.assignment, { question: e.question, about: e.about ?? null }),
    ClarificationAnswered: (f, e) => changed(f, e.assignment, { answer: e.answer }),
    FolderPaid: (f, e) => changed(f, e.assignment, { status: 'paid' }),
  },

  decide: {
    create: (f, { player, name }: { player: string; name: string }) => {
      if (f.player === player && f.name === name) return []
      if (f.player !== null) throw new CommandRefused('This folder already exists. Reload the page to see it.', 'exists')
      return { type: 'FolderCreated', data: { player, name } }
    },

    rename: (f, { name }: { name: string }) => {
      assertNotArchived(f)
      if (f.name === name) return []
      assertBelowChangeLimit(f)
      return { type: 'FolderRenamed', data: { name } }
    },

    archive: f => {
      if (f.archived) return []
      assertNotAssigned(f)
      assertBelowChangeLimit(f)
      return [{ type: 'FolderArchived', data: {} }, ...lapse(f, 'archived')]
    },

    restore: f => {
      assertExists(f)
      return f.archived ? { type: 'FolderRestored', data: {} } : []
    },

    addVideo: (f, { video }: { video: StoredVideo }) => {
      if (f.videos.some(v => v.id === video.id)) return []
      if (f.removed.includes(video.id)) throw new CommandRefused('This video was removed. Upload it again if you want it back.', 'removed')
      assertRoomForVideo(f)
      return [{ type: 'VideoAdded', data: { video } }, ...lapse(f, 'videos')]
    },

    removeVideo: (f, { video }: { video: string }) => {
      assertExists(f)
      if (f.removed.includes(video)) return []
      if (!f.videos.some(v => v.id === video)) throw new CommandRefused('That video is not in this folder.', 'no-video')
      assertNotAssigned(f)
      assertRemovable(f, video)
      return [{ type: 'VideoRemoved', data: { video } }, ...lapse(f, 'videos')]
    },

    /**
     * Removes a video that has gone unassigned for a long time, even from an archived folder. A video in an open approval request, in a
     * comparison, or in a session that was not withdrawn or declined stays.
     */
    expireVideo: (f, { video }: { video: string }) => {
      const isInSession = f.sessions.some(s => s.status !== 'ended' && s.videos.some(v => v.id === video))
      const isRequested = f.request?.videos.some(v => v.id === video)
      const isUnused = f.videos.some(v => v.id === video) && !isInSession && !isRequested && !f.compared.includes(video)
      return isUnused ? { type: 'VideoRemoved', data: { video } } : []
    },

    /** `isRefused`: preparation has refused the replaced video, so it may be replaced even while the folder is assigned. */
    replaceVideo: (f, { video, by, isRefused }: { video: string; by: StoredVideo; isRefused: boolean }) => {
      if (f.videos.some(v => v.id === by.id)) return []
      if (f.removed.includes(by.id)) throw new CommandRefused('This video was removed. Upload it again if you want it back.', 'removed')
      assertVideoReplaceable(f, video, isRefused)
      return [{ type: 'VideoReplaced', data: { video, by } }, ...lapse(f, 'videos')]
    },

    setCaptureRate: (f, { video, rate, by }: { video: string; rate: number; by: string }) => {
      assertExists(f)
      if (!f.videos.some(v => v.id === video)) throw new CommandRefused('That video is not in this folder.', 'no-video')
      if (f.captureRates[video] === rate) return []
      if ((f.captureRateChanges[by] ?? 0) < MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER)
        return { type: 'CaptureRateSet', data: { video, rate, by } }
      throw new CommandRefused(
        `You have set the frame rate ${MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER} times in this folder, which is the limit.`,
        'too-many-changes',
      )
    },

    /** `videos` are those for which the player was quoted a price. If the folder's videos have changed since, the assignment is refused. */
    assign: (f, c: PricedAssignment & WithRefusedVideos) => (isNewAssignmentOrThrow(f, c) ? assigned(f, c) : []),

    /** Asks the guardian first; the folder stays with its player until the guardian agrees. */
    requestApproval: (f, c: PricedAssignment & WithRefusedVideos) => {
      if (!isNewAssignmentOrThrow(f, c)) return []
      const { assignment, instructor, message, quote, terms, videos } = c
      return { type: 'ApprovalRequested', data: { assignment, player: f.player!, instructor, message, quote, terms, videos } }
    },

    /** Assigns the folder as requested, at the requested price. `terms`: those of the request plus what the approval adds. */
    approve: (f, c: { assignment: string; guardian: string; terms: unknown }) => {
      if (f.sessions.some(s => s.id === c.assignment)) return []
      const { assignment, ...asked } = openRequest(f, c.assignment)
      return [{ type: 'ApprovalGiven', data: { assignment, guardian: c.guardian } }, assigned(f, { ...asked, assignment, terms: c.terms })]
    },

    declineApproval: (f, c: { assignment: string; guardian: string; reason: string }) => {
      const { assignment } = openRequest(f, c.assignment)
      return { type: 'ApprovalDeclined', data: { ...c, assignment } }
    },

    /** Ends the open request, if there is one, because it can no longer be answered. */
    lapse: (f, { cause }: { cause: ApprovalLapseCause }) => lapse(f, cause),

    /**
     * `session`: the id of the session or request that the page showed; older pages do not send it. `guardian`: set if a minor's guardian
     * takes the session back. A guardian cannot withdraw a request, only answer it.
     */
    withdraw: (f, { session, guardian }: { session?: string | undefined; guardian?: string }) => {
      assertNotArchived(f)
      const now = currentSession(f)
      const open = f.request?.assignment ?? (now?.review ? undefined : now?.id)
      if (session && open && session !== open)
        throw new CommandRefused('This folder was sent again in the meantime. Reload the page to see it.', 'sent-again')
      if (f.request && guardian)
        throw new CommandRefused('This folder is not with an instructor. Approve or decline the request instead.', 'request-open')
      if (f.request) return { type: 'ApprovalWithdrawn', data: { assignment: f.request.assignment } }
      if (!now) return []
      switch (now.status) {
        case 'assigned':
          return { type: 'AssignmentWithdrawn', data: { assignment: now.id, ...(guardian && { guardian }) } }
        case 'in-review':
          throw new CommandRefused(
            `${guardian ? 'The' : 'Your'} instructor has started the review, so it cannot be taken back anymore.`,
            'in-review',
          )
        default:
          throw new CommandRefused('The feedback has already arrived, so there is nothing to take back.', 'delivered')
      }
    },

    decline: (f, c: Reviewing & { reason: string; cause?: FolderReturnCauseOnPlayerSide }) => {
      const { id, review } = sessionOf(f, c)
      if (review) throw new CommandRefused('You have given feedback on this folder, so it cannot be declined anymore.', 'delivered')
      return { type: 'AssignmentDeclined', data: { assignment: id, reason: c.reason, ...(c.cause && { cause: c.cause }) } }
    },

    startReview: (f, c: Reviewing) => {
      const { id, status } = sessionOf(f, c)
      return status === 'assigned' ? { type: 'ReviewStarted', data: { assignment: id } } : []
    },

    /** An instructor's review of another folder compares with a video of this one, so the video is kept from now on. */
    compare: (f, { video, instructor, assignment }: { video: string; instructor: string; assignment: string }) => {
      if (!videosFromSessionsWithInstructor(f, instructor).some(v => v.id === video)) throw comparisonClipUnavailableRefusal()
      return f.compared.includes(video) ? [] : { type: 'VideoCompared', data: { video, assignment } }
    },

    deliver: (f, c: Delivering) => {
      const { id, instructor, status, videos, terms, review: given } = sessionOf(f, c)
      const { review, refusedVideos = [], unpreparedVideos = [], frames = {} } = c
      if (given) {
        if (isDeepStrictEqual(given, review)) return []
        throw new CommandRefused('This feedback was already delivered and is final. Your player has that version.', 'delivered')
      }
      const filmed = f.videos.filter(v => videos.some(of => of.id === v.id))
      assertReviewValid(
        filmed.map(({ id }) => ({ id, frames: frames[id] })),
        review,
        c.comparable,
      )
      assertContinuedGoalsExist(review, c.goals)
      const playable = videos.filter(v => !refusedVideos.includes(v.id))
      if (!playable.length) {
        throw new CommandRefused(
          'None of the videos in this folder can be played. Wait until your player replaces one, or decline the folder.',
          'unseen',
        )
      }
      const watchable = playable.filter(v => !unpreparedVideos.includes(v.id))
      if (!watchable.length) {
        throw new CommandRefused(
          'No video in this folder can be watched yet. Wait until one is prepared, then deliver the feedback.',
          'unprepared',
        )
      }
      const billable = { videos: watchable.length, bytes: watchable.reduce((sum, v) => sum + v.bytes, 0), notes: review.notes.length }
      return [
        ...(status === 'assigned' ? [{ type: 'ReviewStarted' as const, data: { assignment: id } }] : []),
        { type: 'FeedbackGiven', data: { assignment: id, player: f.player!, instructor, review, billable, terms } },
      ]
    },

    /** Asks about the feedback of `session`, by default the current one, even while the folder is assigned to somebody else. */
    ask: (f, { question, session, about, frames = {} }: QuestionInput) => {
      assertNotArchived(f)
      const of = session === undefined ? currentSession(f) : f.sessions.find(s => s.id === session)
      if (!of?.review) throw new CommandRefused('You can ask a question once you have the feedback.', 'no-feedback')
      if (of.question === question && isDeepStrictEqual(of.about, about ?? null)) return []
      if (of.question !== null) throw new CommandRefused('You have already asked your one question about this feedback.', 'asked')
      if (!about) return { type: 'ClarificationAsked', data: { assignment: of.id, question } }
      const shown = of.videos.some(v => v.id === about.video) && f.videos.some(v => v.id === about.video)
      const past = about.frame !== undefined && about.frame >= (frames[about.video] ?? Number.POSITIVE_INFINITY)
      if (!shown || past) {
        throw new CommandRefused(
          'That moment is not in any video of this session. Choose it again, or ask without it.',
          'question-moment',
          'about',
        )
      }
      return { type: 'ClarificationAsked', data: { assignment: of.id, question, about } }
    },

    answer: (f, c: Reviewing & { answer: string }) => {
      const { id, question, answer: given } = sessionOf(f, c)
      const { answer } = c
      if (question === null) throw new CommandRefused('There is no question to answer.', 'no-question')
      if (given === answer) return []
      if (given !== null) throw new CommandRefused('You already answered this question. Your player has that answer.', 'answered')
      return { type: 'ClarificationAnswered', data: { assignment: id, answer } }
    },

    paid: (f, { assignment }: { assignment: string }) => {
      const session = f.sessions.find(s => s.id === assignment)
      if (!session) throw new CommandRefused('We could not find that assignment in this folder.', 'no-assignment')
      if (session.status === 'paid') return []
      if (session.status !== 'feedback-given') throw new CommandRefused('There is no feedback to pay for yet.', 'no-feedback')
      return { type: 'FolderPaid', data: { assignment } }
    },
  },
})
