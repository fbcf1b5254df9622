import type { Sql } from 'postgres'
import type { Folder, FolderEvent } from '../folders/folder.ts'
import { errand, process } from '../kernel/process.ts'
import { idOf } from '../kernel/store.ts'
import { mediaWork } from './media-work.ts'
import { deliveredVoiceKey, frameTableKey } from './object-keys.ts'
import type { ObjectStore } from './object-store.ts'
import type { Uploads } from './uploads.ts'

/** Schedules the preparation of added videos for watching, and of delivered voice-overs for every browser. */
export const mediaPreparationProcess = process<FolderEvent>({
  name: 'preparing',
  startsFrom: 'beginning',
  on: {
    VideoAdded: e => errand(e, 'media.prepare', { folder: idOf(e.stream), video: e.data.video.id }),
    VideoReplaced: e => errand(e, 'media.prepare', { folder: idOf(e.stream), video: e.data.by.id }),
    FeedbackGiven: e =>
      e.data.review.voices?.length ? errand(e, 'voices.prepare', { folder: idOf(e.stream), assignment: e.data.assignment }) : [],
  },
})

interface Preparing {
  sql: Sql
  objects: ObjectStore
  uploads: Uploads
  /** A folder as it is now, by the log. A video that has left it meanwhile is not prepared. */
  folderOf(folder: string): Promise<Pick<Folder, 'player' | 'videos' | 'sessions'>>
}

export const preparationErrands = ({ sql, objects, uploads, folderOf }: Preparing) => ({
  'media.prepare': async (p: { folder: string; video: string }) => {
    const { player, videos } = await folderOf(p.folder)
    const video = videos.find(v => v.id === p.video)
    const work = mediaWork(sql)
    if (!video || (await work.of([video.id])).size) return
    const inside = await uploads.inside(video.id)
    // The browser's findings are stored before the worker starts, which then finds its own.
    if (inside) await objects.put(frameTableKey(p.folder, video.id), 'application/json', Buffer.from(JSON.stringify(inside.table)))
    await work.add({
      kind: 'rendition',
      video: video.id,
      folder: p.folder,
      player,
      key: video.key,
      type: video.type,
      bytes: video.bytes,
      media: inside?.media,
    })
  },
  'voices.prepare': async (p: { folder: string; assignment: string }) => {
    const { player, sessions } = await folderOf(p.folder)
    const review = sessions.find(s => s.id === p.assignment)?.review
    for (const { id, type, bytes } of review?.voices ?? [])
      await mediaWork(sql).add({
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
