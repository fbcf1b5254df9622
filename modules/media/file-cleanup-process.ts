import type { Sql } from 'postgres'
import type { FolderEvent } from '../folders/folder.ts'
import { errand, eventProcess } from '../kernel/process.ts'
import { idOfStream } from '../kernel/store.ts'
import type { ModelLibraryEvent } from '../model-clips/model-library.ts'
import { deleteRenditionJobAndFiles } from './media-job-queue.ts'
import type { VideoUploads } from './multipart-video-uploads.ts'
import type { ObjectStore } from './object-store.ts'
import { voiceUploads } from './voice-uploads.ts'

/**
 * Deletes the files of videos and model clips that were removed or replaced, the uploads and draft copies of recordings when their
 * assignment ends (delivered copies stay), and review videos that show a clip whose capture rate was corrected.
 */
export const fileCleanupProcess = eventProcess<FolderEvent | ModelLibraryEvent>({
  name: 'clearing',
  startsFrom: 'beginning',
  on: {
    VideoRemoved: e => errand(e, 'media.forget', { folder: idOfStream(e.stream), video: e.data.video }),
    VideoReplaced: e => errand(e, 'media.forget', { folder: idOfStream(e.stream), video: e.data.video }),
    ModelClipRemoved: e => errand(e, 'media.forget-model-clip', { instructor: idOfStream(e.stream), clip: e.data.clip }),
    CaptureRateSet: e =>
      errand(e, 'media.forget-review-videos', { folder: idOfStream(e.stream), video: e.data.video, position: `${e.position}` }),
    AssignmentWithdrawn: e => errand(e, 'voices.forget', { assignment: e.data.assignment }),
    AssignmentDeclined: e => errand(e, 'voices.forget', { assignment: e.data.assignment }),
    FeedbackGiven: e => errand(e, 'voices.forget', { assignment: e.data.assignment }),
  },
})

export const cleanupErrandHandlers = ({ sql, objects }: { sql: Sql; objects: ObjectStore }, uploads: VideoUploads) => ({
  'media.forget': async (p: { folder: string; video: string }) => {
    // Delete the job first, so that its worker notices that the result is not needed.
    await deleteRenditionJobAndFiles(sql, objects, p.folder, p.video)
    await uploads.forget(p.folder, p.video)
  },
  'voices.forget': (p: { assignment: string }) => voiceUploads(objects).forget(p.assignment),
})
