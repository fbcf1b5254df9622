import type { Sql } from 'postgres'
import type { FolderEvent, FolderState, StoredVideo } from '../folders/folder.ts'
import { errand, eventProcess } from '../kernel/process.ts'
import { idOfStream } from '../kernel/store.ts'
import type { ModelLibrary, ModelLibraryEvent } from '../model-clips/model-library.ts'
import { mediaJobQueue } from './media-job-queue.ts'
import type { VideoUploads } from './multipart-video-uploads.ts'
import { deliveredVoiceKey, frameTableKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Schedules the preparation of added videos and model clips, so that they can be watched, and of delivered voice-overs, so that every
 * browser plays them.
 */
export const preparationSchedulingProcess = eventProcess<FolderEvent | ModelLibraryEvent>({
  name: 'preparing',
  startsFrom: 'beginning',
  on: {
    VideoAdded: e => errand(e, 'media.prepare', { folder: idOfStream(e.stream), video: e.data.video.id }),
    VideoReplaced: e => errand(e, 'media.prepare', { folder: idOfStream(e.stream), video: e.data.by.id }),
    ModelClipAdded: e => errand(e, 'media.prepare-model-clip', { instructor: idOfStream(e.stream), clip: e.data.video.id }),
    FeedbackGiven: e =>
      e.data.review.voices?.length ? errand(e, 'voices.prepare', { folder: idOfStream(e.stream), assignment: e.data.assignment }) : [],
  },
})

interface Preparing {
  sql: Sql
  objects: ObjectStore
  uploads: VideoUploads
  /** The current state of a folder, from the log, so that a video that has been removed since is not prepared. */
  folderOf(folder: string): Promise<Pick<FolderState, 'player' | 'videos' | 'sessions'>>
  /** The current state of an instructor's library of model clips, from the log. */
  libraryOf(instructor: string): Promise<Pick<ModelLibrary, 'clips'>>
}

/**
 * Queues the preparation of a video, unless it was queued before.
 * @param owner the player or instructor whose video it is; owners take turns in the queue
 */
async function prepareVideo(
  { sql, objects, uploads }: Pick<Preparing, 'sql' | 'objects' | 'uploads'>,
  { video, folder, owner }: { video: StoredVideo; folder: string; owner: string | null },
) {
  const work = mediaJobQueue(sql)
  const { id, key, type, bytes } = video
  if ((await work.of([id])).size) return
  const inside = await uploads.browserFindings(id)
  // The browser's frame table is available immediately. The worker later replaces it with its own.
  if (inside) await objects.put(frameTableKey(folder, id), 'application/json', Buffer.from(JSON.stringify(inside.table)))
  await work.add({ kind: 'rendition', video: id, folder, player: owner, key, type, bytes, media: inside?.media })
}

export const preparationErrandHandlers = ({ sql, objects, uploads, folderOf, libraryOf }: Preparing) => ({
  'media.prepare': async (p: { folder: string; video: string }) => {
    const { player, videos } = await folderOf(p.folder)
    const video = videos.find(v => v.id === p.video)
    if (video) await prepareVideo({ sql, objects, uploads }, { video, folder: p.folder, owner: player })
  },
  'media.prepare-model-clip': async ({ instructor, clip }: { instructor: string; clip: string }) => {
    const modelClip = (await libraryOf(instructor)).clips.find(c => c.video.id === clip)
    if (modelClip) await prepareVideo({ sql, objects, uploads }, { video: modelClip.video, folder: instructor, owner: instructor })
  },
  'voices.prepare': async (p: { folder: string; assignment: string }) => {
    const { player, sessions } = await folderOf(p.folder)
    const review = sessions.find(s => s.id === p.assignment)?.review
    for (const { id, type, bytes } of review?.voices ?? [])
      await mediaJobQueue(sql).add({
        kind: 'voice',
        video: id,
        folder: p.folder,
        player,
        key: deliveredVoiceKey(p.assignment, id),
        type,
        bytes,
      })
  },
})
