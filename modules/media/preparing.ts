import type { FolderEvent, StoredVideo } from '../folders/folder.ts'
import { errand, process } from '../kernel/process.ts'
import { idOf } from '../kernel/store.ts'
import type { MediaWork } from './work.ts'

/** A video that came into a folder is to be prepared for watching. */
export const preparing = process<FolderEvent>({
  name: 'preparing',
  on: {
    VideoAdded: e => errand(e, 'media.prepare', { folder: idOf(e.stream), video: e.data.video.id }),
    VideoReplaced: e => errand(e, 'media.prepare', { folder: idOf(e.stream), video: e.data.by.id }),
  },
})

/** `videosOf`: those in a folder now, by the log. One that has left meanwhile is not prepared. */
export const preparingErrands = (work: MediaWork, videosOf: (folder: string) => Promise<StoredVideo[]>) => ({
  'media.prepare': async (p: { folder: string; video: string }) => {
    const video = (await videosOf(p.folder)).find(v => v.id === p.video)
    if (video) await work.add({ video: video.id, folder: p.folder, key: video.key, type: video.type, bytes: video.bytes })
  },
})
