import type { Note, NoteKind } from '../../modules/folders/contract.ts'

export const NOTE_KIND_DISPLAY: Record<NoteKind, { label: string; text: string; fill: string }> = {
  technique: { label: 'Technique', text: 'text-clay', fill: 'bg-clay' },
  tip: { label: 'Tip', text: 'text-sky', fill: 'bg-sky' },
  drill: { label: 'Drill', text: 'text-gold', fill: 'bg-gold' },
  praise: { label: 'Praise', text: 'text-field', fill: 'bg-field' },
}

/** The length of a note's range of frames: '+12 frames'. */
export const rangeLengthText = ({ frame = 0, until = frame }: Pick<Note, 'frame' | 'until'>) =>
  `+${until - frame} frame${until - frame === 1 ? '' : 's'}`

/** Sorts notes by clip in the order of the folder, then by time. */
export function sortNotes<N extends Pick<Note, 'video' | 'at'>>(notes: readonly N[], videos: readonly { id: string }[]): N[] {
  const place = (note: N) => videos.findIndex(v => v.id === note.video)
  return [...notes].sort((a, b) => place(a) - place(b) || a.at - b.at)
}

/**
 * The notes that playback reached between two positions in ms: after `from`, and up to and including `to`. A jump of more than a second, or
 * backward, reaches none.
 */
export const notesReachedBetween = <N extends Pick<Note, 'at'>>(notes: readonly N[], from: number, to: number): N[] =>
  to - from > 1000 || to < from ? [] : notes.filter(n => n.at > from && n.at <= to)
