import { z } from 'zod'
import { PlayerTraits, Skill } from '../accounts/contract.ts'
import { hasHiddenCharacters, hasVisibleCharacter, hasWebAddress } from '../deceptive-text.ts'
import { defineEndpoints } from '../endpoint.ts'
import { PublicCheck } from '../instructors/contract.ts'
import { Rendition, VideoProperties } from '../media/contract.ts'
import { cursorParameter, pageLimitParameter, timeAndId } from '../pagination.ts'
import { SessionRating } from '../ratings/contract.ts'
import { ExternalSiteUrl, Goal, optionalReviewFields, Shapes, TechniquePosition, VoiceWithSignedUrl } from '../reviews/contract.ts'
import { MAX_GOAL_LENGTH, MAX_GOALS_PER_REVIEW } from '../reviews/policy.ts'
import { uuidSchema } from '../uuid-validation.ts'
import {
  FOLDERS_PER_PAGE,
  MAX_FOLDER_NAME_LENGTH,
  MAX_FOLDERS_PER_PAGE,
  MAX_NOTES_PER_REVIEW,
  MAX_SESSION_TEXT_LENGTH,
  VIDEO_TYPES,
} from './policy.ts'

const time = z.iso.datetime()
const name = z
  .string()
  .trim()
  .min(1, 'Give the folder a name')
  .max(MAX_FOLDER_NAME_LENGTH, `A name has at most ${MAX_FOLDER_NAME_LENGTH} characters`)
  // The name appears in the subjects of letters.
  .refine(value => !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(value) && !hasWebAddress(value), 'Use one line and no web address')
  .refine(value => !hasHiddenCharacters(value) && hasVisibleCharacter(value), 'Use visible letters and numbers')
const text = (missing: string) =>
  z.string().trim().min(1, missing).max(MAX_SESSION_TEXT_LENGTH, `At most ${MAX_SESSION_TEXT_LENGTH} characters`)

export const SessionStatus = z.enum(['assigned', 'in-review', 'feedback-given', 'paid'])
export type SessionStatus = z.infer<typeof SessionStatus>
export const FolderStatus = z.enum(['open', ...SessionStatus.options, 'archived'])
export type FolderStatus = z.infer<typeof FolderStatus>

export const Person = z.object({ id: uuidSchema, name: z.string(), picture: z.string().nullable(), slug: z.string().nullable() })
export type Person = z.infer<typeof Person>

/** A video with signed URLs that expire soon. Fetch the folder again once they have expired. */
export const Video = z.object({
  id: uuidSchema,
  name: z.string(),
  type: z.enum(VIDEO_TYPES),
  bytes: z.int(),
  milliseconds: z.int(),
  width: z.int(),
  height: z.int(),
  added: time,
  /**
   * The signed URL of the original file, whose metadata may reveal where it was filmed: only for its player, the player's guardian and
   * administrators. Null for everybody else.
   */
  url: z.string().nullable(),
  poster: z.string().nullable(),
  /** Absent until the server has read the file. */
  media: VideoProperties.optional(),
  /** Absent until the video is queued for preparation. */
  rendition: Rendition.optional(),
})
export type Video = z.infer<typeof Video>

export const NoteKind = z.enum(['technique', 'tip', 'drill', 'praise'])
export type NoteKind = z.infer<typeof NoteKind>

/**
 * A note pinned to a frame, or to the range from `frame` through `until`. `at` is the frame's time in milliseconds, rounded up; notes from
 * before frames were counted have only this time. A note can also have drawings, a voice-over and a link. `otherAngle` is the frame of
 * another clip of the session that shows the same moment.
 */
const note = z.strictObject({
  id: uuidSchema,
  video: uuidSchema,
  at: z.int().min(0),
  frame: z.int().min(0).optional(),
  until: z.int().min(0).optional(),
  kind: NoteKind,
  text: z.string().trim().max(MAX_SESSION_TEXT_LENGTH, `At most ${MAX_SESSION_TEXT_LENGTH} characters`),
  shapes: Shapes.optional(),
  voice: uuidSchema.optional(),
  link: ExternalSiteUrl.optional(),
  otherAngle: z.strictObject({ video: uuidSchema, frame: z.int().min(0) }).optional(),
})
/** Whether a note has any content: text, a drawing or a voice-over. */
const saysSomething = (n: z.infer<typeof note>) => n.text !== '' || !!n.shapes?.length || n.voice !== undefined
export const Note = note.refine(saysSomething, { path: ['text'], message: 'Write the note' })
export type Note = z.infer<typeof Note>

/** A moment of a video: milliseconds, rounded up, and the frame if its number is known. */
export const VideoMoment = z.strictObject({ video: uuidSchema, at: z.int().min(0), frame: z.int().min(0).optional() })
export type VideoMoment = z.infer<typeof VideoMoment>

/** Scouting scale: 20 to 80 in steps of 5. */
export const Grade = z.strictObject({ skill: Skill, grade: z.int().min(20).max(80).multipleOf(5) })

const notes = <N extends z.ZodType>(of: N) => z.array(of).max(MAX_NOTES_PER_REVIEW, `At most ${MAX_NOTES_PER_REVIEW} notes`)
export const Review = z.strictObject({
  notes: notes(Note),
  summary: text('Sum it up in a sentence or two'),
  grades: z.array(Grade).max(4),
  ...optionalReviewFields,
})
export type Review = z.infer<typeof Review>

/** A review that is being written: unlike in a `Review`, the summary, notes and goals may be empty. */
export const Draft = z.strictObject({
  notes: notes(note.extend({ text: z.string().max(MAX_SESSION_TEXT_LENGTH) })),
  summary: z.string().max(MAX_SESSION_TEXT_LENGTH),
  grades: z.array(Grade).max(4),
  ...optionalReviewFields,
  goals: z
    .array(Goal.extend({ text: z.string().max(MAX_GOAL_LENGTH) }))
    .max(MAX_GOALS_PER_REVIEW)
    .optional(),
})
export type Draft = z.infer<typeof Draft>

/** One line of an itemized price, in integer cents; a discount is negative. */
export const PriceItem = z.object({ label: z.string(), cents: z.int() })
/** The price before the review is written, in integer cents: `total` is the price without notes, `atMost` the most that it can become. */
export const Quote = z.object({ items: z.array(PriceItem), total: z.int(), atMost: z.int() })
export type Quote = z.infer<typeof Quote>

/** The state of the player's question. */
const clarification = z.enum(['none', 'asked', 'answered'])

/** A session in a list: one assignment of a folder and its outcome. Its id is also that of the assignment and the payment. */
export const SessionSummary = z.object({
  id: uuidSchema,
  status: SessionStatus,
  instructor: Person,
  videos: z.int(),
  assigned: time,
  /** When the feedback was delivered. */
  given: time.nullable(),
  grades: z.array(Grade),
  clarification,
  /** When the question was answered. */
  answered: time.nullable(),
})
export type SessionSummary = z.infer<typeof SessionSummary>

/** A video of another session, or a model clip (whose `name` is its title), that a review of this session uses in a comparison. */
export const OtherSessionOrModelVideo = Video.extend({
  folder: z.object({ id: uuidSchema, name: z.string() }),
  isModel: z.literal(true).optional(),
})
export type OtherSessionOrModelVideo = z.infer<typeof OtherSessionOrModelVideo>

/** A session of an instructor, with the clips that the instructor may use in comparisons. */
export const ComparableSession = z.object({
  id: uuidSchema,
  folder: z.object({ id: uuidSchema, name: z.string() }),
  assigned: time,
  given: time.nullable(),
  clips: z.array(Video),
  /** The technique positions that the session's review set on these clips, and the review's grades. */
  checkpoints: z.array(TechniquePosition),
  grades: z.array(Grade),
})
export type ComparableSession = z.infer<typeof ComparableSession>

/** The technique positions of one discipline in an earlier session, with the clips that they were set on. */
export const EarlierTechniquePositions = z.object({
  skill: Skill,
  session: uuidSchema,
  folder: uuidSchema,
  instructor: Person,
  given: time,
  checkpoints: z.array(TechniquePosition),
  clips: z.array(Video),
})
export type EarlierTechniquePositions = z.infer<typeof EarlierTechniquePositions>

/** How old a player is and how they bat, throw and compete; null if that is not known. */
export const PlayerTraitsAndAge = PlayerTraits.extend({ age: z.int().nullable() })
export type PlayerTraitsAndAge = z.infer<typeof PlayerTraitsAndAge>

/**
 * A delivery that is not final yet, or was refused; only the instructor sees it. `until`: when it can no longer be undone. `undoMs`: the
 * time left when the server replied, because the device's clock may be wrong. `refusal`: why the server refused it after that time.
 */
export const HeldDelivery = z.object({ until: time.nullable(), undoMs: z.int().min(0), refusal: z.string().nullable() })
export type HeldDelivery = z.infer<typeof HeldDelivery>

/**
 * `unavailable`: an administrator has suspended or declined the instructor, so players cannot reach them; `gone`: the instructor has
 * deleted the account.
 */
export const InstructorAccountStatus = z.enum(['active', 'unavailable', 'gone'])
export type InstructorAccountStatus = z.infer<typeof InstructorAccountStatus>

/** A session as its player and its instructor see it. */
export const Session = SessionSummary.extend({
  message: z.string().nullable(),
  clips: z.array(Video),
  review: Review.nullable(),
  /** Videos of other sessions, and model clips, that the review uses in comparisons. */
  compared: z.array(OtherSessionOrModelVideo),
  question: z.string().nullable(),
  /** The moment that the question is about. */
  about: VideoMoment.nullable(),
  answer: z.string().nullable(),
  /** The rating by the player or the guardian; null if there is none, and for people who opened a private link. */
  rating: SessionRating.nullable(),
  /** The voice-overs of the review, or of its draft for the instructor who is writing it. */
  voices: z.array(VoiceWithSignedUrl),
  delivery: HeldDelivery.optional(),
  /** Whether the instructor can answer; present only for the player and the guardian. */
  instructorStatus: InstructorAccountStatus.optional(),
  /** Our checks of the instructor that are valid today; present only for the player's guardian. */
  checks: z.array(PublicCheck).optional(),
  /** The traits and age of the player in the videos; present only for the instructor. */
  player: PlayerTraitsAndAge.optional(),
})
export type Session = z.infer<typeof Session>

/** A folder in a list. To an instructor, it shows the state of their own latest session. */
export const FolderSummary = z.object({
  id: uuidSchema,
  name: z.string(),
  status: FolderStatus,
  videos: z.int(),
  /** How many videos are waiting for preparation or being prepared. */
  preparing: z.int(),
  /** How many videos preparation has refused. */
  unseen: z.int(),
  poster: z.string().nullable(),
  player: Person,
  instructor: Person.nullable(),
  /** The id of the open session, or else of the last delivered one; null if there is neither. */
  assignment: uuidSchema.nullable(),
  clarification,
  created: time,
  updated: time,
})
export type FolderSummary = z.infer<typeof FolderSummary>

/**
 * Why the last assignment ended without feedback, or null. `by`: the instructor; `cause`: null unless the reason is on the player's side.
 */
const declined = z
  .object({
    assignment: uuidSchema,
    by: Person,
    reason: z.string(),
    cause: z.enum(['consent-withdrawn', 'guardian-changed', 'account-closed']).nullable(),
  })
  .nullable()

/** A minor's request for approval: a session with its price as the player saw it. Its id is that of the assignment. */
export const ApprovalRequest = z.object({
  id: uuidSchema,
  folder: uuidSchema,
  folderName: z.string(),
  status: z.enum(['pending', 'approved', 'declined', 'withdrawn', 'lapsed']),
  player: Person,
  instructor: Person,
  message: z.string().nullable(),
  quote: Quote,
  videos: z.int(),
  /** The guardian's reason for declining, or why the request ended without an answer. */
  reason: z.string().nullable(),
  asked: time,
  answered: time.nullable(),
})
export type ApprovalRequest = z.infer<typeof ApprovalRequest>

/** A session in its instructor's queue. `question` is the player's unanswered question, or null. */
export const QueuedSession = FolderSummary.extend({
  assigned: time,
  /** When the feedback was delivered. */
  given: time.nullable(),
  message: z.string().nullable(),
  question: z.string().nullable(),
})
export type QueuedSession = z.infer<typeof QueuedSession>

/** A folder in its player's list, with its sessions, newest first. */
export const OwnFolderSummary = FolderSummary.extend({
  declined,
  /** A minor's latest approval request for this folder, if it is pending, declined or lapsed and the folder has not been assigned since. */
  approval: ApprovalRequest.nullable(),
  sessions: z.array(SessionSummary),
})
export type OwnFolderSummary = z.infer<typeof OwnFolderSummary>

/** One line of a folder's story: FolderCreated, VideoAdded, FolderAssigned, FeedbackGiven, PaymentSucceeded … */
export const StoryEvent = z.object({ at: time, type: z.string(), by: Person.nullable(), detail: z.record(z.string(), z.unknown()) })
export type StoryEvent = z.infer<typeof StoryEvent>

export const Folder = OwnFolderSummary.extend({
  /** Videos that are not in a session yet; always empty for an instructor. */
  clips: z.array(Video),
  /** The requested session, or the newest. */
  session: Session.nullable(),
  story: z.array(StoryEvent),
})
export type Folder = z.infer<typeof Folder>

const folderListQuery = z.strictObject({
  archived: z.literal('true').optional(),
  before: cursorParameter(timeAndId).optional(),
  limit: pageLimitParameter({ default: FOLDERS_PER_PAGE, max: MAX_FOLDERS_PER_PAGE }),
})
const FolderList = z.object({
  folders: z.array(OwnFolderSummary),
  /** The number of folders on all pages of this list, and the number of archived folders. */
  total: z.int(),
  archived: z.int(),
  /** The `before` parameter of the next page; null on the last page. */
  next: z.string().nullable(),
})
/** The sort key of a session in the queue: the position of its assignment in the event log. */
const LogPosition = z.tuple([z.string().regex(/^\d{1,18}$/)])
/** How many sessions a list has on all its pages, and the cursor of the next page, which is null on the last page. */
const SessionPaging = z.object({ total: z.int(), next: z.string().nullable() })

const inFolder = z.strictObject({ folder: uuidSchema })
/** Selects a session of a folder; by default the caller's latest one. */
const inSession = z.strictObject({ session: uuidSchema.optional() })
const owner = ['player'] as const
const reviewer = ['instructor'] as const

export const foldersContract = defineEndpoints({
  'GET /api/folders': {
    summary: 'Folders of the player, archived or not, most recently changed first; `before` requests the next page',
    access: owner,
    query: folderListQuery,
    /** `unfinished` (first page only): folders from later pages that may still need something from the player. */
    reply: FolderList.extend({ unfinished: z.array(OwnFolderSummary) }),
  },
  'POST /api/folders': {
    summary: 'Create a folder',
    access: owner,
    body: z.strictObject({ id: uuidSchema, name }),
    reply: z.object({ id: uuidSchema }),
    status: 201,
  },
  'GET /api/folders/{folder}': {
    summary:
      'A folder with its sessions, one of them in full, and its history (for its player and admins; instructors get only their own sessions)',
    access: 'signed-in',
    params: inFolder,
    query: inSession,
    reply: Folder,
  },
  'PATCH /api/folders/{folder}': { summary: 'Rename', access: owner, params: inFolder, body: z.strictObject({ name }), status: 204 },
  'POST /api/folders/{folder}/archive': { summary: 'Archive', access: owner, params: inFolder, status: 204 },
  'POST /api/folders/{folder}/restore': { summary: 'Restore from the archive', access: owner, params: inFolder, status: 204 },
  'DELETE /api/folders/{folder}/videos/{video}': {
    summary: 'Remove a video',
    access: owner,
    params: z.strictObject({ folder: uuidSchema, video: uuidSchema }),
    status: 204,
  },
  'GET /api/folders/{folder}/videos/{video}/original': {
    summary: 'A signed URL for downloading a video as it was uploaded, under its own name',
    access: owner,
    params: z.strictObject({ folder: uuidSchema, video: uuidSchema }),
    reply: z.object({ url: z.string() }),
  },
  'PUT /api/folders/{folder}/videos/{video}/capture-rate': {
    summary: 'Set the capture rate of a video in frames per second (by its player or its instructor)',
    access: ['player', 'instructor'],
    params: z.strictObject({ folder: uuidSchema, video: uuidSchema }),
    body: z.strictObject({ rate: z.number().min(1, 'At least 1 frame per second').max(10_000, 'At most 10,000 frames per second') }),
    status: 204,
  },
  'GET /api/folders/{folder}/quote': { summary: 'What feedback on this folder will cost', access: owner, params: inFolder, reply: Quote },
  'POST /api/folders/{folder}/assign': {
    summary: 'Assign to an instructor; needs a saved card',
    access: owner,
    params: inFolder,
    body: z.strictObject({
      assignment: uuidSchema,
      instructor: uuidSchema,
      message: z.string().trim().max(MAX_SESSION_TEXT_LENGTH, `At most ${MAX_SESSION_TEXT_LENGTH} characters`).optional(),
      /** The price that the player saw. If it has changed, the server refuses the request, so that the player sees the new price first. */
      seen: Quote.pick({ total: true, atMost: true }).strict(),
    }),
    status: 204,
  },
  'POST /api/folders/{folder}/withdraw': {
    summary: 'Withdraw the assignment before the review starts',
    access: owner,
    params: inFolder,
    /** The session or approval request that the page shows. If another one is open by now, the server refuses. */
    query: inSession,
    status: 204,
  },
  'POST /api/folders/{folder}/question': {
    summary: 'Ask the one free question about the feedback of a session',
    access: owner,
    params: inFolder,
    query: inSession,
    body: z.strictObject({ question: text('Write your question'), about: VideoMoment.optional() }),
    status: 204,
  },
  'GET /api/queue': {
    summary:
      'The sessions that the instructor reviews or has to answer, and the first page of those that wait and of those that were delivered',
    access: reviewer,
    reply: z.object({ folders: z.array(QueuedSession), waiting: SessionPaging, delivered: SessionPaging }),
  },
  'GET /api/queue/waiting': {
    summary: 'A page of the sessions that wait for the instructor, oldest first; `after` requests the next page',
    access: reviewer,
    query: z.strictObject({ after: cursorParameter(LogPosition) }),
    reply: SessionPaging.extend({ folders: z.array(QueuedSession) }),
  },
  'GET /api/queue/delivered': {
    summary: 'A page of the sessions that the instructor has delivered, newest first; `before` requests the next page',
    access: reviewer,
    query: z.strictObject({ before: cursorParameter(LogPosition).optional() }),
    reply: SessionPaging.extend({ folders: z.array(QueuedSession) }),
  },
  'POST /api/folders/{folder}/review': {
    summary: 'Start the review',
    access: reviewer,
    params: inFolder,
    query: inSession,
    status: 204,
  },
  'POST /api/folders/{folder}/decline': {
    summary: 'Decline with a reason',
    access: reviewer,
    params: inFolder,
    query: inSession,
    body: z.strictObject({ reason: text('Tell the player why') }),
    status: 204,
  },
  'GET /api/folders/{folder}/draft': {
    summary: 'The draft of the review',
    access: reviewer,
    params: inFolder,
    query: inSession,
    reply: z.object({ revision: z.int(), draft: Draft.nullable() }),
  },
  'PUT /api/folders/{folder}/draft': {
    summary: 'Save the draft, which starts the review; `revision` is the one that was changed (409 if another tab has saved since)',
    access: reviewer,
    params: inFolder,
    query: inSession,
    body: z.strictObject({ revision: z.int().min(0), draft: Draft }),
    reply: z.object({ revision: z.int() }),
  },
  'GET /api/folders/{folder}/comparable': {
    summary: "Clips of this folder’s player that the instructor may compare: those of the instructor's own sessions, newest first",
    access: reviewer,
    params: inFolder,
    reply: z.object({ sessions: z.array(ComparableSession) }),
  },
  'GET /api/folders/{folder}/technique': {
    summary:
      'For each discipline, the latest earlier session with positions of it: of the same player, for instructors only their own sessions',
    access: 'signed-in',
    params: inFolder,
    query: inSession,
    reply: z.object({ before: z.array(EarlierTechniquePositions) }),
  },
  'POST /api/folders/{folder}/answer': {
    summary: "Answer the player's question",
    access: reviewer,
    params: inFolder,
    query: inSession,
    body: z.strictObject({ answer: text('Write your answer') }),
    status: 204,
  },
})

export const deliveriesContract = defineEndpoints({
  'POST /api/folders/{folder}/feedback': {
    summary: 'Deliver the review immediately and finally',
    access: reviewer,
    params: inFolder,
    query: inSession,
    body: Review,
    status: 204,
  },
  'POST /api/folders/{folder}/delivery': {
    summary: 'Deliver the review when the undo period has passed (`undoMs`; 0: it is delivered)',
    access: reviewer,
    params: inFolder,
    query: inSession,
    body: Review,
    reply: z.object({ undoMs: z.int() }),
  },
  'DELETE /api/folders/{folder}/delivery': {
    summary: 'Undo a delivery while it can be undone',
    access: reviewer,
    params: inFolder,
    query: inSession,
    status: 204,
  },
})

/** An instructor to whom a child has sent a session, and our checks of them that are valid today. */
export const ChildInstructorWithChecks = z.object({ id: uuidSchema, name: z.string(), checks: z.array(PublicCheck) })
export type ChildInstructorWithChecks = z.infer<typeof ChildInstructorWithChecks>

/** Calls with which guardians read what their children see. The only thing they can do besides reading is take a folder back. */
export const familyFoldersContract = defineEndpoints({
  'GET /api/family/children/{child}/folders': {
    summary: "A child's folders for the guardian, most recently changed first; `before` requests the next page",
    access: 'guardian',
    params: z.strictObject({ child: uuidSchema }),
    query: folderListQuery,
    /** `reviewers`: all instructors to whom the child has sent a session; `instructors`: their names, for pages of the previous release. */
    reply: FolderList.extend({ instructors: z.array(z.string()), reviewers: z.array(ChildInstructorWithChecks) }),
  },
  'GET /api/family/folders/{folder}': {
    summary: "A child's folder for the guardian, as the child sees it",
    access: 'guardian',
    params: inFolder,
    query: inSession,
    reply: Folder,
  },
  'POST /api/family/folders/{folder}/withdraw': {
    summary: "Take a child's folder back from the instructor before the review starts",
    access: 'guardian',
    params: inFolder,
    /** The session that the page shows. If another one is open by now, the server refuses. */
    query: inSession,
    status: 204,
  },
})
