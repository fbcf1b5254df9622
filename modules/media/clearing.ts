import type { FolderEvent } from '../folders/folder.ts'
import { derivedId } from '../kernel/decider.ts'
import { process } from '../kernel/process.ts'
import { idOf } from '../kernel/store.ts'
import type { Uploads } from './uploads.ts'

/** A video that left its folder leaves the object store. */
export const clearing = process<FolderEvent>({
  name: 'clearing',
  on: {
    VideoRemoved: e => ({
      id: derivedId(e.id, 'media.forget'),
      kind: 'media.forget',
      payload: { folder: idOf(e.stream), video: e.data.video },
    }),
  },
})

export const mediaErrands = (uploads: Uploads) => ({
  'media.forget': (p: { folder: string; video: string }) => uploads.forget(p.folder, p.video),
})
