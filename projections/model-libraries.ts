import type postgres from 'postgres'
import { projection, tableOf } from '../modules/kernel/projection.ts'
import { idOfStream } from '../modules/kernel/store.ts'
import type { ModelClipDetails } from '../modules/model-clips/contract.ts'
import type { ModelLibraryEvent } from '../modules/model-clips/model-library.ts'
import type { PersonForgotten } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import type { StoredClip } from './folders.ts'

/**
 * `isRemoved`: the instructor removed the clip or deleted the account, but delivered reviews still show the clip. `reviews`: how many
 * delivered reviews show it.
 */
export type StoredModelClip = ModelClipDetails & {
  video: StoredClip
  rightsConfirmed: string | null
  reviews: number
  isRemoved: boolean
}

/** The title and file name of a clip whose instructor has deleted their account: the real ones were deleted with it. */
const UNNAMED = 'Model clip'

const clipsIn = (row: { clips: unknown } | null) => (row?.clips ?? []) as StoredModelClip[]
const changed = (row: { clips: unknown } | null, id: string, change: (clip: StoredModelClip) => Partial<StoredModelClip>) =>
  clipsIn(row).map(c => (c.video.id === id ? { ...c, ...change(c) } : c))
/** Of these clips, which are being removed, returns those that delivered reviews still show, marked as removed. */
const retired = (clips: StoredModelClip[]) => clips.filter(c => c.reviews > 0).map(c => ({ ...c, isRemoved: true }))

/** Instructors' libraries of model clips: one row per instructor who has added one. */
export const modelLibraries = projection<ModelLibraryEvent | PersonForgotten>()({
  name: 'model_libraries',
  version: 1,
  row: { instructor: 'uuid', clips: 'jsonb' },
  // `PersonForgotten` is in the stream of the instructor's account, which has the same id.
  key: e => idOfStream(e.stream),
  on: {
    ModelClipAdded: (row, { stream, at, data: { video, ...details } }) => ({
      instructor: idOfStream(stream),
      clips: [...clipsIn(row), { ...details, video: { ...video, added: at }, rightsConfirmed: null, reviews: 0, isRemoved: false }],
    }),
    ModelClipRightsConfirmed: (row, { at, data: { clip } }) =>
      row && { ...row, clips: changed(row, clip, () => ({ rightsConfirmed: at })) },
    ModelClipDescribed: (row, { data: { clip, ...details } }) => row && { ...row, clips: changed(row, clip, () => details) },
    ModelClipShown: (row, { data: { clip } }) => row && { ...row, clips: changed(row, clip, ({ reviews }) => ({ reviews: reviews + 1 })) },
    ModelClipRemoved: (row, { data: { clip: id, everywhere } }) =>
      row && {
        ...row,
        clips: clipsIn(row).flatMap(c => (c.video.id !== id ? c : everywhere ? [] : retired([c]))),
      },
    PersonForgotten: row =>
      row && { ...row, clips: retired(clipsIn(row)).map(c => ({ ...c, title: UNNAMED, video: { ...c.video, name: UNNAMED } })) },
  },
})

/** All clips of an instructor, newest first, including removed ones that delivered reviews still show. */
export async function modelClipsOf(sql: postgres.Sql, instructor: string): Promise<StoredModelClip[]> {
  const [row] = await sql<{ clips: unknown }[]>`select clips from ${sql(tableOf(modelLibraries))} where instructor = ${instructor}`
  return clipsIn(row ?? null).toReversed()
}
