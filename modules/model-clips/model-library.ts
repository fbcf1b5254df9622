import { isDeepStrictEqual } from 'node:util'
import type { StoredVideo } from '../folders/folder.ts'
import { decider } from '../kernel/decider.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { ModelClipDetails } from './contract.ts'
import { MAX_MODEL_CLIPS_PER_LIBRARY } from './policy.ts'

/** Stream `library-<instructor>`. The video's own name is that of the file; players never see it. */
export type ModelLibraryEvent =
  | { type: 'ModelClipAdded'; data: ModelClipDetails & { video: StoredVideo } }
  /** `statement`: the sentence that the instructor confirmed. */
  | { type: 'ModelClipRightsConfirmed'; data: { clip: string; statement: string } }
  | { type: 'ModelClipDescribed'; data: ModelClipDetails & { clip: string } }
  /** `assignment`: the session of `player` whose feedback is about to show this clip. */
  | { type: 'ModelClipShown'; data: { clip: string; assignment: string; player: string } }
  /** `everywhere`: also from reviews that were delivered with it. */
  | { type: 'ModelClipRemoved'; data: { clip: string; everywhere: boolean } }

export interface ModelClipState extends ModelClipDetails {
  video: StoredVideo
  /** The sentence with which the instructor confirmed the right to show this clip; null until it is confirmed. */
  statement: string | null
  /** The sessions whose feedback shows it. */
  shown: { assignment: string; player: string }[]
}

export interface ModelLibrary {
  clips: ModelClipState[]
  /** Clips that are no longer in the library, but that delivered feedback still shows. */
  retained: ModelClipState[]
  /** Ids of all clips that were removed from the library; they cannot be added again. */
  removed: string[]
}

const clipOf = (l: ModelLibrary, id: string) => l.clips.find(c => c.video.id === id)
/** Whether this clip is in the library, or was before it was deleted. */
export const hasOrHadClip = (l: ModelLibrary, id: string) => !!clipOf(l, id) || l.removed.includes(id)
const changed = (l: ModelLibrary, id: string, change: (clip: ModelClipState) => Partial<ModelClipState>): ModelLibrary => ({
  ...l,
  clips: l.clips.map(c => (c.video.id === id ? { ...c, ...change(c) } : c)),
})
const without = (clips: ModelClipState[], id: string) => clips.filter(c => c.video.id !== id)

const requireClip = (l: ModelLibrary, id: string): ModelClipState => {
  const clip = clipOf(l, id)
  if (!clip) throw new CommandRefused('That clip is not in your library anymore.', 'no-model-clip')
  return clip
}

/** @throws CommandRefused if there is no room for another clip, counting the `coming` uploads in progress */
export const assertRoomForModelClip = (l: ModelLibrary, coming = 0) => {
  if (l.clips.length + coming < MAX_MODEL_CLIPS_PER_LIBRARY) return
  throw new CommandRefused(
    `A library can have up to ${MAX_MODEL_CLIPS_PER_LIBRARY} model clips, including unfinished uploads. Delete one first.`,
    'too-many-model-clips',
  )
}

/** An instructor's own clips, which are compared with those of players. */
export const modelLibraryDecider = decider<ModelLibrary, ModelLibraryEvent>()({
  stream: 'library',
  initial: { clips: [], retained: [], removed: [] },

  evolve: {
    ModelClipAdded: (l, clip) => ({ ...l, clips: [...l.clips, { ...clip, statement: null, shown: [] }] }),
    ModelClipRightsConfirmed: (l, { clip, statement }) => changed(l, clip, () => ({ statement })),
    ModelClipDescribed: (l, { clip, ...details }) => changed(l, clip, () => details),
    ModelClipShown: (l, { clip, ...session }) => changed(l, clip, ({ shown }) => ({ shown: [...shown, session] })),
    ModelClipRemoved: (l, { clip: id, everywhere }) => {
      const clip = clipOf(l, id)
      const retained = without(l.retained, id)
      return {
        clips: without(l.clips, id),
        retained: !everywhere && clip?.shown.length ? [...retained, clip] : retained,
        removed: [...l.removed, id],
      }
    },
  },

  decide: {
    add: (l, { video, statement, ...details }: ModelClipDetails & { video: StoredVideo; statement: string }) => {
      if (clipOf(l, video.id)) return []
      if (l.removed.includes(video.id)) throw new CommandRefused('This clip was deleted. Upload it again if you want it back.', 'removed')
      assertRoomForModelClip(l)
      return [
        { type: 'ModelClipAdded', data: { video, ...details } },
        { type: 'ModelClipRightsConfirmed', data: { clip: video.id, statement } },
      ]
    },

    describe: (l, { clip: id, ...details }: ModelClipDetails & { clip: string }) => {
      const { title, skill, side, angle } = requireClip(l, id)
      return isDeepStrictEqual({ title, skill, side, angle }, details) ? [] : { type: 'ModelClipDescribed', data: { clip: id, ...details } }
    },

    /** Feedback of this session is about to show the clip, so the clip is kept for it from now on. */
    show: (l, { clip: id, assignment, player }: { clip: string; assignment: string; player: string }) => {
      const clip = clipOf(l, id)
      if (!clip) {
        const missingClipMessage = 'A model clip of a comparison is not in your library anymore. Choose another clip for it.'
        throw new CommandRefused(missingClipMessage, 'comparison-clip', 'comparisons')
      }
      return clip.shown.some(s => s.assignment === assignment) ? [] : { type: 'ModelClipShown', data: { clip: id, assignment, player } }
    },

    /** Removes a clip from the library; with `everywhere` also from delivered feedback, even if it is no longer in the library. */
    remove: (l, { clip: id, everywhere }: { clip: string; everywhere: boolean }) => {
      const isRetained = l.retained.some(c => c.video.id === id)
      if (l.removed.includes(id) && !(everywhere && isRetained)) return []
      if (!isRetained) requireClip(l, id)
      return { type: 'ModelClipRemoved', data: { clip: id, everywhere } }
    },
  },
})
