import { playerTraitsWithAgeOf } from '../../modules/accounts/player-traits-table.ts'
import type {
  ComparableSession,
  FolderSummary,
  OtherSessionOrModelVideo,
  OwnFolderSummary,
  Session,
  SessionSummary,
} from '../../modules/folders/contract.ts'
import { heldDeliveriesByAssignment } from '../../modules/folders/held-deliveries.ts'
import { draftOf } from '../../modules/folders/review-drafts.ts'
import { isMediaJobRefused, isMediaJobUnderWay, mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import type { TechniquePosition } from '../../modules/reviews/contract.ts'
import { latestUnapprovedRequestsOfFolders } from '../../projections/approvals.ts'
import { reviewAndQuestionOfSession, type SessionRow } from '../../projections/assignments.ts'
import { type FolderRow, foldersWithIds, type StoredClip } from '../../projections/folders.ts'
import { instructorChecksAndAvailability } from '../../projections/instructor-queries.ts'
import { modelClipsOf } from '../../projections/model-libraries.ts'
import { ratingOfSession } from '../../projections/ratings.ts'
import type { FolderViewerRole } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { clipPresenter, isOriginalHiddenFrom, posterKeyOf, presentClips } from './clip-presenter.ts'
import { deliveredVoiceSources, retainAndSignDraftVoices } from './voice-over-upload-and-playback-urls.ts'

const sessionSummaryOf = ({ folder: _, message: __, waiting: ___, position: ____, videos, ...line }: SessionRow): SessionSummary => ({
  ...line,
  videos: videos.length,
})
/** Whether a video belongs to a session, or has replaced one that did. */
export const isClipOfSession = ({ id, replaces = [] }: StoredClip, { videos }: Pick<SessionRow, 'videos'>) =>
  [id, ...replaces].some(of => videos.includes(of))
const clipsOf = ({ clips }: FolderRow, s: SessionRow) => clips.filter(c => isClipOfSession(c, s))

/** Ids of a session's videos, including replaced ones. */
export const videoIdsOfSession = (row: FolderRow, s: SessionRow) => [...s.videos, ...clipsOf(row, s).map(c => c.id)]

/** The folder reduced to one session, because that session is all that its instructor may see. */
export const folderLimitedToSession = (row: FolderRow, s: SessionRow): FolderRow => ({
  ...row,
  status: s.status,
  instructor: s.instructor,
  assignment: s.id,
  clips: clipsOf(row, s),
  declined: null,
  updated: s.given ?? s.assigned,
})

/**
 * Returns functions that convert these folders and their sessions to the API's format, with signed URLs and the state of media processing.
 * Instructors and guests get no URL of an original, because its metadata may reveal where it was filmed.
 */
export async function folderPresenter(deps: AppDependencies, rows: FolderRow[], viewer: FolderViewerRole) {
  const works = await mediaJobQueue(deps.sql).of(rows.flatMap(row => row.clips.map(c => c.id)))
  // Requests for a guardian's approval are private to the family.
  const requests = isOriginalHiddenFrom(viewer)
    ? []
    : await latestUnapprovedRequestsOfFolders(
        deps.sql,
        rows.map(row => row.id),
      )
  const signPlayback = (key: string | null) => (key === null ? null : deps.objects.signPlayback(key, deps.clock()))
  const isRefused = (clip: StoredClip) => isMediaJobRefused(works.get(clip.id))
  const clips = (of: StoredClip[]) => Promise.all(of.map(clipPresenter(deps, works, viewer)))

  /** A folder in a list. `countsAsUnseen`: whether a refused video counts as a problem. */
  async function summary(
    row: FolderRow,
    clarification: SessionSummary['clarification'] = 'none',
    countsAsUnseen: (refused: StoredClip) => boolean = () => true,
  ): Promise<FolderSummary> {
    const { id, name, status, player, instructor, assignment, created, updated } = row
    // The newest clip that has a poster, either from its rendition or from the browser.
    const still = row.clips.findLast(c => works.get(c.id)?.state === 'ready' || c.poster)
    return {
      id,
      name,
      status,
      player,
      instructor,
      assignment,
      clarification,
      created,
      updated,
      videos: row.clips.length,
      preparing: row.clips.filter(c => isMediaJobUnderWay(works.get(c.id))).length,
      unseen: row.clips.filter(c => isRefused(c) && countsAsUnseen(c)).length,
      poster: still ? await signPlayback(posterKeyOf(still, works.get(still.id))) : null,
    }
  }

  return {
    /** A folder in its player's list, with its sessions. A refused video of a delivered session can no longer be replaced, so it does not count. */
    own: async (row: FolderRow, sessions: SessionRow[]): Promise<OwnFolderSummary> => ({
      ...(await summary(row, sessions[0]?.clarification, c => !sessions.some(s => s.given && isClipOfSession(c, s)))),
      declined: row.declined,
      approval: requests.find(r => r.folder === row.id) ?? null,
      sessions: sessions.map(sessionSummaryOf),
    }),

    /** A session in its instructor's queue. */
    queued: async (row: FolderRow, s: SessionRow) => ({
      ...(await summary(folderLimitedToSession(row, s), s.clarification)),
      assigned: s.assigned,
      given: s.given,
      message: s.message,
      question: s.waiting,
    }),

    /** A session with its clips, review, question and answer. Also retains the voice-overs of the viewing instructor's draft. */
    async session(row: FolderRow, s: SessionRow): Promise<Session> {
      const [text, shown, rating] = await Promise.all([
        reviewAndQuestionOfSession(deps.sql, s.id),
        clips(clipsOf(row, s)),
        viewer === 'guest' ? null : ratingOfSession(deps.sql, s.id),
      ])
      const { review } = text!
      const ownDraft = viewer === 'instructor' ? await draftOf(deps.sql, { assignment: s.id, instructor: s.instructor.id }) : null
      const voices = review
        ? await deliveredVoiceSources(deps, s.id, review.voices ?? [], viewer)
        : await retainAndSignDraftVoices(deps, s.id, ownDraft?.draft?.voices ?? [])
      const delivery = ownDraft && !review ? (await heldDeliveriesByAssignment(deps.sql, [s.id])).get(s.id) : undefined
      const player = viewer === 'instructor' ? await playerTraitsWithAgeOf(deps.sql, row.player.id, deps.clock()) : undefined
      const by =
        viewer === 'player' || viewer === 'guardian'
          ? await instructorChecksAndAvailability(deps.sql, s.instructor.id, deps.clock())
          : undefined
      const compared = await comparedIn(deps, { row, instructor: s.instructor.id, review, own: shown, viewer })
      return {
        ...sessionSummaryOf(s),
        message: s.message,
        clips: shown,
        compared,
        voices,
        rating,
        ...text!,
        ...(delivery && { delivery }),
        ...(by && { instructorStatus: by.status }),
        ...(by && viewer === 'guardian' && { checks: by.checks }),
        ...(player && { player }),
      }
    },

    /** A session whose clips the instructor may use in a comparison. */
    async comparable(row: FolderRow, s: SessionRow, checkpoints: TechniquePosition[] = []): Promise<ComparableSession> {
      const { id, assigned, given } = s
      return {
        id,
        folder: { id: row.id, name: row.name },
        assigned,
        given,
        clips: await clips(clipsOf(row, s)),
        checkpoints,
        grades: s.grades,
      }
    },

    videos: (row: FolderRow, ids: string[]) => clips(row.clips.filter(c => ids.includes(c.id))),

    /** Videos that are not part of any session yet. */
    unassigned: (row: FolderRow, sessions: SessionRow[]) => clips(row.clips.filter(c => !sessions.some(s => isClipOfSession(c, s)))),
  }
}

interface ReadReview {
  row: FolderRow
  instructor: string
  review: Session['review']
  /** The session's own videos. */
  own: { id: string }[]
  viewer: FolderViewerRole
}

/**
 * The videos of other sessions, and the instructor's model clips, that appear in a review's comparisons. Permission to show them was
 * checked at delivery.
 */
async function comparedIn(
  deps: AppDependencies,
  { row: of, instructor, review, own, viewer }: ReadReview,
): Promise<OtherSessionOrModelVideo[]> {
  const sides = (review?.comparisons ?? []).flatMap(c => c.sides).filter(({ video }) => !own.some(c => c.id === video))
  if (!sides.length) return []
  const ids = sides.map(side => side.video)
  const rows = await foldersWithIds(deps.sql, [...new Set(sides.map(side => side.folder))])
  const foldersOfPlayer = rows.filter(row => row.player.id === of.player.id)
  const view = await folderPresenter(deps, foldersOfPlayer, viewer)
  const comparableSessions = foldersOfPlayer.map(async row => {
    const folder = { id: row.id, name: row.name }
    return (await view.videos(row, ids)).map(video => ({ ...video, folder }))
  })
  const models = sides.filter(side => side.folder === instructor).map(side => side.video)
  return [...(await Promise.all(comparableSessions)).flat(), ...(models.length ? await modelsIn(deps, instructor, models) : [])]
}

/** An instructor's model clips with these ids, named by their titles, without URLs of the originals. */
async function modelsIn(deps: AppDependencies, instructor: string, ids: string[]): Promise<OtherSessionOrModelVideo[]> {
  const clips = (await modelClipsOf(deps.sql, instructor)).filter(c => ids.includes(c.video.id))
  const videos = await presentClips(
    deps,
    clips.map(c => ({ ...c.video, name: c.title })),
    'guest',
  )
  return videos.map(video => ({ ...video, isModel: true, folder: { id: instructor, name: video.name } }))
}
