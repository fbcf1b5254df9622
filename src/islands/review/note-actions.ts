import { atom } from 'nanostores'
import type { Draft } from '../../../modules/folders/contract.ts'
import { MAX_NOTES_PER_REVIEW } from '../../../modules/folders/policy.ts'
import type { Voice } from '../../../modules/reviews/contract.ts'
import { MAX_VOICES_PER_REVIEW } from '../../../modules/reviews/policy.ts'
import { shiftShapeToStartFrame } from '../../drawing/animated-shape-edits.ts'
import { toast } from '../../ui/toast.ts'
import { isEmptyNote } from './review-completeness.ts'
import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'
import type { StudioVoice } from './voice/studio-voice.ts'

type Note = Draft['notes'][number]

/** A deleted note, and the voice-over that was deleted with it, if any. */
export interface DeletedNote {
  note: Note
  voice: Voice | undefined
}

/** Whether a deleted note can be restored without exceeding a limit of the review. */
export const hasRoomForDeletedNote = ({ notes, voices = [] }: Draft, { voice }: DeletedNote) =>
  notes.length < MAX_NOTES_PER_REVIEW && (!voice || voices.length < MAX_VOICES_PER_REVIEW)

/** Creates the actions of the note cards, which change the draft and the stage. */
export function createNoteActions(
  { autosavedDraft, player, $clipId, ...studio }: StudioStore,
  drawing: Pick<StudioDrawing, 'drawOnPicture'>,
  studioVoice: Pick<StudioVoice, 'replay' | 'division' | 'deleteVoice'>,
) {
  /** The most recently deleted note that was not empty, until it is restored. */
  const $deletedNote = atom<DeletedNote | undefined>(undefined)
  const put = (id: string, change: (note: Note) => Note) =>
    autosavedDraft.change(d => ({ ...d, notes: d.notes.map(n => (n.id === id ? change(n) : n)) }))

  /** Returns the note moved to the current frame of its own clip, with its range and its drawings moved by the same number of frames. */
  function movedWithinClip({ frame, until, shapes, ...note }: Note): Note {
    const position = player.notePosition()
    const by = player.$frame.get() - (frame ?? player.frameOf(note))
    const frames = player.$frames.get()
    const clamp = (moved: number) => Math.max(0, Math.min(moved, frames ? frames - 1 : Number.POSITIVE_INFINITY))
    const end = clamp((until ?? 0) + by)
    return {
      ...note,
      ...position,
      ...(until !== undefined && position.frame !== undefined && end > position.frame && { until: end }),
      ...(shapes && { shapes: shapes.map(shape => shiftShapeToStartFrame(shape, clamp(shape.from + by), frames)) }),
    }
  }

  const noteOf = (id: string) => autosavedDraft.$draft.get().notes.find(n => n.id === id)

  return {
    $deletedNote,
    onChange(id: string, change: Partial<Note>) {
      put(id, n => ({ ...n, ...change }))
    },
    /** Deletes a note with its voice-over. The device keeps the recording until another note is deleted, in case this one is restored. */
    onRemove(id: string) {
      const { notes, voices = [] } = autosavedDraft.$draft.get()
      const note = notes.find(n => n.id === id)
      if (!note) return
      const voice = voices.find(v => v.id === note.voice)
      const isVoice = (other: Voice | null | undefined) => voice !== undefined && other?.id === voice.id
      if (isVoice(studioVoice.replay.$voice.get())) studioVoice.replay.close()
      if (isVoice(studioVoice.division.$voice.get())) studioVoice.division.end()
      autosavedDraft.change(({ voices: all, ...d }) => ({
        ...d,
        notes: d.notes.filter(n => n.id !== id),
        ...(all && { voices: all.filter(v => !isVoice(v)) }),
      }))
      if (isEmptyNote(note)) return
      const replaced = $deletedNote.get()?.voice
      $deletedNote.set({ note, voice })
      // Another device that changed the previously deleted note has brought it back with its voice-over, which then stays.
      const isBack = voices.some(v => v.id === replaced?.id)
      if (replaced && !isBack) void studioVoice.deleteVoice(replaced.id)
    },
    onRestore() {
      const deleted = $deletedNote.get()
      if (!deleted || !hasRoomForDeletedNote(autosavedDraft.$draft.get(), deleted)) return
      const { note, voice } = deleted
      $deletedNote.set(undefined)
      autosavedDraft.change(d => ({
        ...d,
        notes: [...d.notes.filter(n => n.id !== note.id), note],
        ...(voice && { voices: [...(d.voices ?? []).filter(v => v.id !== voice.id), voice] }),
      }))
      studio.showNote(note.id)
      studio.editNoteText(note.id)
    },
    onGo(id: string) {
      const note = noteOf(id)
      if (note) studio.goToMoment(note)
    },
    onPin(id: string) {
      const video = $clipId.get()
      const note = noteOf(id)
      if (note?.shapes?.length && note.video !== video) {
        toast({ title: 'This note has drawings', description: 'They belong to the other video. Delete them first, or add a note here.' })
        return
      }
      // The second angle belongs to the note's previous moment, so it is removed.
      put(id, ({ otherAngle: _, ...n }) => {
        if (n.video === video) return movedWithinClip(n)
        const { frame: __, until: ___, ...rest } = n
        return { ...rest, ...player.notePosition(), video }
      })
    },
    onEnd(id: string) {
      const note = noteOf(id)
      if (note && note.video !== $clipId.get()) {
        toast({
          title: 'The note is on the other video',
          description: "Go to the note's frame first, and then to the frame where it ends.",
        })
        return
      }
      const shown = player.$frame.get()
      put(id, ({ until: _, ...n }) => (n.frame !== undefined && shown > n.frame ? { ...n, until: shown } : n))
    },
    onDraw: drawing.drawOnPicture,
    onPhrases: () => studio.$dialog.set('phrases'),
  }
}
export type NoteActions = ReturnType<typeof createNoteActions>
