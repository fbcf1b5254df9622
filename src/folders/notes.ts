import type { NoteKind } from '../../modules/folders/contract.ts'
import type { Shape } from '../../modules/reviews/contract.ts'

export interface PinnedNote {
  id: string
  video: string
  at: number
  /** Missing in old notes, which were pinned to a time only. */
  frame?: number | undefined
  /** Last frame of a range. */
  until?: number | undefined
  kind: NoteKind
  text: string
  shapes?: Shape[] | undefined
  /** Id of its voice-over. */
  voice?: string | undefined
  link?: string | undefined
}

export const NOTE_KINDS: Record<NoteKind, { label: string; text: string; fill: string }> = {
  technique: { label: 'Technique', text: 'text-clay', fill: 'bg-clay' },
  tip: { label: 'Tip', text: 'text-sky', fill: 'bg-sky' },
  drill: { label: 'Drill', text: 'text-gold', fill: 'bg-gold' },
  praise: { label: 'Praise', text: 'text-field', fill: 'bg-field' },
}

/** The length of a note on a range of frames: '+12 frames'. */
export const rangeLength = ({ frame = 0, until = frame }: Pick<PinnedNote, 'frame' | 'until'>) =>
  `+${until - frame} frame${until - frame === 1 ? '' : 's'}`

/** Sorts notes clip by clip in the order of the folder, then by time. */
export function sortNotes<N extends Pick<PinnedNote, 'video' | 'at'>>(notes: readonly N[], videos: readonly { id: string }[]): N[] {
  const place = (note: N) => videos.findIndex(v => v.id === note.video)
  return [...notes].sort((a, b) => place(a) - place(b) || a.at - b.at)
}

/** The notes between two times of playback, in ms: after `from` and not after `to`. A jump of more than a second reaches none. */
export const notesBetween = <N extends Pick<PinnedNote, 'at'>>(notes: readonly N[], from: number, to: number): N[] =>
  to - from > 1000 || to < from ? [] : notes.filter(n => n.at > from && n.at <= to)
