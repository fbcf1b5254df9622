import { frameCountOfReadyMediaJob, isMediaJobRefused, mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import type { AppDependencies } from './app-dependencies.ts'

/** The ids of the videos that preparation refused. No instructor can watch such a video. */
export const refusedVideoIds = async ({ sql }: Pick<AppDependencies, 'sql'>, videos: { id: string }[]): Promise<string[]> =>
  [...(await mediaJobQueue(sql).of(videos.map(v => v.id))).values()].filter(isMediaJobRefused).map(work => work.video)

/**
 * The ids of the videos that nobody can watch: those that preparation refused, and those that it has not finished. A video without a job
 * counts as neither.
 */
export async function unwatchableVideoIds(
  { sql }: Pick<AppDependencies, 'sql'>,
  videos: { id: string }[],
): Promise<{ refusedVideos: string[]; unpreparedVideos: string[] }> {
  const works = [...(await mediaJobQueue(sql).of(videos.map(v => v.id))).values()]
  const unprepared = works.filter(work => work.state === 'waiting' || work.state === 'preparing')
  return { refusedVideos: works.filter(isMediaJobRefused).map(work => work.video), unpreparedVideos: unprepared.map(work => work.video) }
}

/** The frame counts by video id, only for videos whose frames the server has counted. */
export const serverCountedFramesByVideoId = async (
  { sql }: Pick<AppDependencies, 'sql'>,
  videos: { id: string }[],
): Promise<Record<string, number>> =>
  Object.fromEntries(
    [...(await mediaJobQueue(sql).of(videos.map(v => v.id))).values()].flatMap(work => {
      const frames = frameCountOfReadyMediaJob(work)
      return frames === undefined ? [] : [[work.video, frames]]
    }),
  )
