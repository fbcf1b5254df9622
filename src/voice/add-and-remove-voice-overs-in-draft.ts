import type { Draft } from '../../modules/folders/contract.ts'
import { MAX_SESSION_TEXT_LENGTH } from '../../modules/folders/policy.ts'
import type { Shape, Voice } from '../../modules/reviews/contract.ts'
import type { StoredRecording } from './recording-storage.ts'

/**
 * Adds a voice-over to a draft: to a note, or to the whole review if `note` is undefined. It replaces the voice-over `replacedId`, if
 * given, and the note's previous voice-over.
 */
export function draftWithVoiceOver(draft: Draft, { voice, note }: Pick<StoredRecording, 'voice' | 'note'>, replacedId?: string): Draft {
  const noteInDraft = note && draft.notes.find(n => n.id === note.id)
  const removedIds = [voice.id, replacedId, noteInDraft?.voice]
  const voices = [...(draft.voices ?? []).filter(v => !removedIds.includes(v.id)), voice]
  if (!note) return { ...draft, voices }
  const withVoiceId = { ...(noteInDraft ?? note), voice: voice.id }
  const notes = noteInDraft ? draft.notes.map(n => (n.id === note.id ? withVoiceId : n)) : [...draft.notes, withVoiceId]
  return { ...draft, voices, notes }
}

/**
 * A part of a voice-over that becomes a voice-over of its own; `from` and `to` are in ms from the start of the recording. `note`: the note
 * that it belongs to; undefined if it is about the whole review.
 */
export interface VoicePartForDraft {
  from: number
  to: number
  /** Another voice-over of the draft, which is used instead of the sound cut from this one. */
  retake?: Voice | undefined
  note: StoredRecording['note']
  /** The name and the drawings are added to the note, after its existing text and drawings. */
  name: string
  drawings: readonly Shape[]
}

/** Returns a note with a part's name and drawings added; the text is cut off at `MAX_SESSION_TEXT_LENGTH`. */
export function appendVoicePartTitleAndDrawingsToNote(
  note: Draft['notes'][number],
  { name, drawings }: Pick<VoicePartForDraft, 'name' | 'drawings'>,
) {
  const texts = [note.text.trim(), name.trim()].filter(text => text)
  const shapes = [...(note.shapes ?? []), ...drawings]
  return { ...note, text: texts.join('\n\n').slice(0, MAX_SESSION_TEXT_LENGTH), ...(shapes.length && { shapes }) }
}

/** Adds a part of a voice-over to a draft, with its name and drawings. */
export function draftWithVoicePart(draft: Draft, voice: Voice, part: VoicePartForDraft): Draft {
  const withVoice = draftWithVoiceOver(draft, { voice, note: part.note })
  return { ...withVoice, notes: withVoice.notes.map(n => (n.id === part.note?.id ? appendVoicePartTitleAndDrawingsToNote(n, part) : n)) }
}

/** Removes a voice-over from a draft, and its note too if the note has neither text nor drawings. */
export function draftWithoutVoiceOver(draft: Draft, id: string): Draft {
  const voices = (draft.voices ?? []).filter(v => v.id !== id)
  const notes = draft.notes.flatMap(n => {
    if (n.voice !== id) return [n]
    const { voice: _, ...rest } = n
    return rest.text.trim() || rest.shapes?.length ? [rest] : []
  })
  return { ...draft, notes, voices }
}

/** Detaches a voice-over from its note, and removes the note if it has no other content. */
export const draftWithDetachedVoiceOver = (draft: Draft, id: string): Draft => ({
  ...draftWithoutVoiceOver(draft, id),
  voices: draft.voices,
})
