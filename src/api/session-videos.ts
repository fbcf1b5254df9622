import { countedFrames, isUnseen, mediaWork } from '../../modules/media/work.ts'
import type { Deps } from './deps.ts'

/** Ids of those of these videos that nobody can see. */
export const unseenVideos = async ({ sql }: Pick<Deps, 'sql'>, videos: { id: string }[]): Promise<string[]> =>
  [...(await mediaWork(sql).of(videos.map(v => v.id))).values()].filter(isUnseen).map(work => work.video)

/** How many frames each of these videos has, where they were counted here. */
export const countedFramesOf = async ({ sql }: Pick<Deps, 'sql'>, videos: { id: string }[]): Promise<Record<string, number>> =>
  Object.fromEntries(
    [...(await mediaWork(sql).of(videos.map(v => v.id))).values()].flatMap(work => {
      const frames = countedFrames(work)
      return frames === undefined ? [] : [[work.video, frames]]
    }),
  )
