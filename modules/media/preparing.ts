import type { Sql } from 'postgres'
import type { FolderEvent, StoredVideo } from '../folders/folder.ts'
import { errand, process } from '../kernel/process.ts'
import { idOf } from '../kernel/store.ts'
import { tableKey } from './keys.ts'
import type { Objects } from './objects.ts'
import type { Uploads } from './uploads.ts'
import { mediaWork } from './work.ts'

/** A video that came into a folder is to be prepared for watching. */
export const preparing = process<FolderEvent>({
  name: 'preparing',
  on: {
    VideoAdded: e => errand(e, 'media.prepare', { folder: idOf(e.stream), video: e.data.video.id }),
    VideoReplaced: e => errand(e, 'media.prepare', { folder: idOf(e.stream), video: e.data.by.id }),
  },
})

interface Preparing {
  sql: Sql
  objects: Objects
  uploads: Uploads
  /** Those in a folder now, by the log. One that has left meanwhile is not prepared. */
  videosOf(folder: string): Promise<StoredVideo[]>
}

export const preparingErrands = ({ sql, objects, uploads, videosOf }: Preparing) => ({
  'media.prepare': async (p: { folder: string; video: string }) => {
    const video = (await videosOf(p.folder)).find(v => v.id === p.video)
    const work = mediaWork(sql)
    if (!video || (await work.of([video.id])).size) return
    const inside = await uploads.inside(video.id)
    // Before anybody works on it, who finds the table himself.
    if (inside) await objects.put(tableKey(p.folder, video.id), 'application/json', Buffer.from(JSON.stringify(inside.table)))
    await work.add({ video: video.id, folder: p.folder, key: video.key, type: video.type, bytes: video.bytes, media: inside?.media })
  },
})
