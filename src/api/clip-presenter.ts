import type { Video } from '../../modules/folders/contract.ts'
import { type MediaJob, mediaJobQueue, presentRendition } from '../../modules/media/media-job-queue.ts'
import { parseVideoKey, posterKey } from '../../modules/media/object-keys.ts'
import type { StoredClip } from '../../projections/folders.ts'
import type { FolderViewerRole } from './access.ts'
import type { AppDependencies } from './app-dependencies.ts'

/** Object key of a video's poster: from the rendition if it is ready, otherwise the one that the browser made, or null. */
export const posterKeyOf = ({ key, poster }: StoredClip, work: MediaJob | undefined) => {
  const videoIds = work?.state === 'ready' ? parseVideoKey(key) : null
  return videoIds ? posterKey(videoIds.folder, videoIds.video) : poster
}

/** Whether the original's URL is withheld from this viewer: only the player, the guardian and administrators get it. */
export const isOriginalHiddenFrom = (viewer: FolderViewerRole) => viewer === 'instructor' || viewer === 'guest'

/**
 * Returns a function that converts a clip to the API's format, with signed URLs and the state of its preparation. The size that the worker
 * measured replaces the one that the browser reported; a capture rate that a person set replaces the detected one. Instructors and guests
 * get no URL of an original, because its metadata may reveal where it was filmed.
 */
export function clipPresenter(
  { objects, clock }: Pick<AppDependencies, 'objects' | 'clock'>,
  works: ReadonlyMap<string, MediaJob>,
  viewer: FolderViewerRole,
) {
  const signPlayback = (key: string | null) => (key === null ? null : objects.signPlayback(key, clock()))
  return async (stored: StoredClip): Promise<Video> => {
    const { key, poster: _, captureRate, replaces: __, ...video } = stored
    const work = works.get(stored.id)
    return {
      ...video,
      ...(work?.media && {
        width: work.media.width,
        height: work.media.height,
        // `video.milliseconds` is 0 if neither the uploading browser nor the file's header gave a length.
        milliseconds: video.milliseconds || work.media.milliseconds,
        media: captureRate ? { ...work.media, captureRate: { rate: captureRate, by: 'person' as const } } : work.media,
      }),
      type: video.type as 'video/mp4',
      url: isOriginalHiddenFrom(viewer) ? null : await signPlayback(key),
      poster: await signPlayback(posterKeyOf(stored, work)),
      ...(work && { rendition: await presentRendition(work, async its => (await signPlayback(its))!) }),
    }
  }
}

/** Converts clips that are in no folder to the API's format for this viewer. */
export async function presentClips(
  deps: Pick<AppDependencies, 'sql' | 'objects' | 'clock'>,
  clips: StoredClip[],
  viewer: FolderViewerRole,
): Promise<Video[]> {
  const works = await mediaJobQueue(deps.sql).of(clips.map(c => c.id))
  return Promise.all(clips.map(clipPresenter(deps, works, viewer)))
}
