import { type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'
import { mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import { readStoredFrameTable } from '../../modules/media/read-stored-frame-table.ts'
import {
  progressContract as contract,
  familyProgressContract as familyContract,
  type Progress,
  type ProgressSession,
  type VideoTechniquePositions,
} from '../../modules/progress/contract.ts'
import { goalThreads } from '../../modules/progress/goals.ts'
import { type CaptureRateFacts, needsFrameTable, realTimeOfFrames } from '../../modules/progress/real-time-of-frames.ts'
import { sessionsOfSkillWithVideo } from '../../modules/progress/sessions-of-skill-with-video.ts'
import { SKILLS } from '../../modules/reviews/policy.ts'
import { foldersWithIds } from '../../projections/folders.ts'
import { type DeliveredSessionRow, deliveredSessionsOfPlayer, hasOpenOrDeliveredSession } from '../../projections/progress.ts'
import { childWithPastConsent } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'
import { posterKeyOf } from './clip-presenter.ts'
import { isClipOfSession } from './folder-presenter.ts'
import { assertFound } from './problem.ts'
import { routesOfContract, withCaughtUpReadModels } from './routing.ts'

/**
 * How many sessions' frame tables are in memory at once. A table may take megabytes, and a player may have any number of sessions.
 */
const SESSIONS_AT_ONCE = 2

/** Presentation times of a video's frames; null if there is no frame table or the object store is unavailable. */
async function timesOf({ objects }: AppDependencies, folder: string, video: string): Promise<FrameTimeline | null> {
  const table = await readStoredFrameTable(objects, folder, video).catch(() => null)
  return table && frameTimeline(table)
}

/**
 * Groups the technique positions of a session by video and skill, in the order of their frames. `after`: the real time in ms since the
 * first position of the group; null if the times of the video's frames are unknown.
 */
const swingsOf = (
  { checkpoints }: Pick<DeliveredSessionRow, 'checkpoints'>,
  filmings: Map<string, CaptureRateFacts>,
): VideoTechniquePositions[] =>
  [...Map.groupBy(checkpoints, c => `${c.video} ${c.skill}`).values()].map(points => {
    const [{ video, skill }] = points as [(typeof points)[number]]
    const ordered = points.toSorted((a, b) => a.frame - b.frame)
    const at = realTimeOfFrames(filmings.get(video)!)
    const positions = ordered.map(({ name, frame }) => ({ name, frame, after: at && at(frame) - at(ordered[0]!.frame) }))
    return { video, skill, positions }
  })

/**
 * Ids of the sessions that screens show with a still: the first and the newest of each skill. A signed URL is the largest part of a
 * session, so the others get none.
 */
const idsOfSessionsWithStill = (sessions: readonly ProgressSession[]) =>
  new Set(
    SKILLS.flatMap(skill => {
      const about = sessionsOfSkillWithVideo(sessions, skill)
      return [about[0], about.at(-1)].flatMap(s => s?.id ?? [])
    }),
  )

/** The progress that these sessions show, with real times, and with a still for some of them (`idsOfSessionsWithStill`). */
async function presentProgress(deps: AppDependencies, steps: DeliveredSessionRow[]): Promise<Progress> {
  const rows = new Map((await foldersWithIds(deps.sql, [...new Set(steps.map(s => s.folder))])).map(row => [row.id, row]))
  // The projections run independently, so a session may appear a moment before its folder.
  const stepsWithFolder = steps.filter(s => rows.has(s.folder))
  const clips = [...rows.values()].flatMap(row => row.clips)
  const works = await mediaJobQueue(deps.sql).of(clips.map(c => c.id))

  async function filming(folder: string, video: string): Promise<[string, CaptureRateFacts]> {
    const timing = { captureRate: clips.find(c => c.id === video)?.captureRate, media: works.get(video)?.media ?? null }
    return [video, needsFrameTable(timing) ? { ...timing, times: await timesOf(deps, folder, video) } : timing]
  }
  const stepOf = async ({ id, folder, instructor, given, grades, videos, checkpoints }: DeliveredSessionRow): Promise<ProgressSession> => {
    const { name, clips } = rows.get(folder)!
    const first = clips.find(c => isClipOfSession(c, { videos }))
    const filmings = new Map(await Promise.all([...new Set(checkpoints.map(c => c.video))].map(video => filming(folder, video))))
    return {
      id,
      folder,
      name,
      instructor,
      given,
      grades,
      swings: swingsOf({ checkpoints }, filmings),
      video: first?.id ?? null,
      poster: null,
    }
  }
  const withStill = async (s: ProgressSession): Promise<ProgressSession> => {
    const still = posterKeyOf(clips.find(c => c.id === s.video)!, works.get(s.video!))
    return { ...s, poster: still ? await deps.objects.signPlayback(still, deps.clock()) : null }
  }
  const sessions: ProgressSession[] = []
  for (let i = 0; i < stepsWithFolder.length; i += SESSIONS_AT_ONCE)
    sessions.push(...(await Promise.all(stepsWithFolder.slice(i, i + SESSIONS_AT_ONCE).map(stepOf))))
  const shown = idsOfSessionsWithStill(sessions)
  return {
    sessions: await Promise.all(sessions.map(s => (shown.has(s.id) ? withStill(s) : s))),
    goals: goalThreads(stepsWithFolder, by => by.id),
  }
}

const reads = ['progress', 'folders']

export const progressRoutes = routesOfContract(contract, {
  'GET /api/progress': withCaughtUpReadModels(reads, async ({ deps, user }) =>
    presentProgress(deps, await deliveredSessionsOfPlayer(deps.sql, user.id)),
  ),

  'GET /api/players/{player}/progress': withCaughtUpReadModels(reads, async ({ deps, user, params }) => {
    const only = user.role === 'admin' ? undefined : user.id
    assertFound(await hasOpenOrDeliveredSession(deps.sql, params.player, only))
    return presentProgress(deps, await deliveredSessionsOfPlayer(deps.sql, params.player, only))
  }),
})

export const familyProgressRoutes = routesOfContract(familyContract, {
  'GET /api/family/children/{child}/progress': withCaughtUpReadModels(reads, async ctx => {
    const child = await childWithPastConsent(ctx, ctx.params.child)
    return presentProgress(ctx.deps, await deliveredSessionsOfPlayer(ctx.deps.sql, child.id))
  }),
})
