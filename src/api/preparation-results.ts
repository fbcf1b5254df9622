import { frameCountOfReadyMediaJob, isMediaJobRefused, isMediaJobUnderWay, mediaJobQueue } from '../../modules/media/media-job-queue.ts'
import type { AppDependencies } from './app-dependencies.ts'

interface PreparationResults {
  /** The ids of the videos that preparation refused. No instructor can watch such a video. */
  refusedVideos: string[]
  /** The ids of the videos that preparation has not finished, so that no instructor can watch them yet. */
  unpreparedVideos: string[]
  /** The frame counts by video id, only for videos whose frames the server has counted. */
  frames: Record<string, number>
}

/** What preparation made of these videos. A video that has no job yet is in none of the results. */
export async function preparationResultsOf({ sql }: Pick<AppDependencies, 'sql'>, videos: { id: string }[]): Promise<PreparationResults> {
  const works = [...(await mediaJobQueue(sql).of(videos.map(v => v.id))).values()]
  return {
    refusedVideos: works.filter(isMediaJobRefused).map(work => work.video),
    unpreparedVideos: works.filter(isMediaJobUnderWay).map(work => work.video),
    frames: Object.fromEntries(
      works.flatMap(work => {
        const frames = frameCountOfReadyMediaJob(work)
        return frames === undefined ? [] : [[work.video, frames]]
      }),
    ),
  }
}
