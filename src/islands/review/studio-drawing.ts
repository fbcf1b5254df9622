import { atom } from 'nanostores'
import { useState } from 'react'
import { v7 } from 'uuid'
import type { Draft } from '../../../modules/folders/contract.ts'
import { MAX_NOTES_PER_REVIEW } from '../../../modules/folders/policy.ts'
import { realTimeOfFrames } from '../../../modules/progress/real-time-of-frames.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { MAX_SHAPE_HOLD_FRAMES } from '../../../modules/reviews/policy.ts'
import type { ToolbarTool } from '../../drawing/current-tool.ts'
import { createDrawingToolbarCommands } from '../../drawing/drawing-toolbar-commands.ts'
import { createFollowToolKeyframeStore } from '../../drawing/follow-tool-keyframe-state.ts'
import type { Point } from '../../drawing/point-encoding-and-simplification.ts'
import { reviewShapeLimitMessage } from '../../drawing/review-shape-limit.ts'
import { lastChangeFrameOf } from '../../drawing/shape-at-frame.ts'
import { createShapeEditor } from '../../drawing/shape-editor.ts'
import { addKeyboardToShapeEditor } from '../../drawing/shape-editor-keyboard-cursor.ts'
import { shapeOpacityAtFrame, shapesOfNotesOnVideo } from '../../drawing/shape-geometry.ts'
import { measureShapeText } from '../../drawing/shape-text-font-and-size.ts'
import { applyChangeToShapes, createUndoHistory, type ShapeChange } from '../../drawing/undo-history.ts'
import { aspectRatioOf } from '../../player/aspect-ratio-of-clip.ts'
import { toast } from '../../ui/toast.ts'
import { isEmptyNote } from './review-completeness.ts'
import { DEFAULT_NOTE_KIND, focusWhenRendered, type StudioStore, showNoteLimitToast } from './studio-store.ts'

type Note = Draft['notes'][number]
type NoteChange = ShapeChange & { note: string }
export type StudioDrawing = ReturnType<typeof createStudioDrawing>

/**
 * Creates the studio's drawing tools. During a recording, a new shape is added to the voice-over; otherwise to the current note if it
 * covers the current frame, or to a new note. Undoing or deleting the last shape of such a new note also removes the note, unless it has
 * text or a voice-over.
 */
export function createStudioDrawing({ autosavedDraft, player, ...studio }: StudioStore) {
  /** Where a text shape is being typed, in picture units. */
  const $textPosition = atom<Point | undefined>(undefined)
  let lastInstrument: ToolbarTool = 'pen'
  /** Notes created for a drawing, in their initial state. */
  const notesMadeByDrawing = new Map<string, Note>()
  const createNote = (id: string): Note => ({
    id,
    video: studio.$clipId.get(),
    ...player.notePosition(),
    kind: DEFAULT_NOTE_KIND,
    text: '',
  })
  const noteIdOf = (shape: string) => autosavedDraft.$draft.get().notes.find(n => n.shapes?.some(s => s.id === shape))?.id

  const applyToDraft = (change: NoteChange) =>
    autosavedDraft.change(d => {
      const isInDraft = d.notes.some(n => n.id === change.note)
      const newNote = notesMadeByDrawing.get(change.note)
      const notes = isInDraft || !newNote || !change.after ? d.notes : [...d.notes, newNote]
      return {
        ...d,
        notes: notes.flatMap(n => {
          if (n.id !== change.note) return [n]
          const { shapes: before = [], ...rest } = n
          const shapes = applyChangeToShapes(before, change)
          if (!shapes.length && notesMadeByDrawing.has(n.id) && isEmptyNote(rest)) return []
          return [shapes.length ? { ...rest, ...rangeForShape(rest, change.after), shapes } : rest]
        }),
      }
    })
  const history = createUndoHistory(applyToDraft)

  function noteIdForDrawing(): string | undefined {
    const [clip, current] = [studio.$clip.get(), studio.$currentNoteId.get()]
    const { notes } = autosavedDraft.$draft.get()
    const frame = player.$frame.get()
    const note = notes.find(n => n.id === current)
    if (note && note.video === clip?.id) {
      const from = player.frameOf(note)
      if (frame >= from && frame <= (note.until ?? from)) return note.id
    }
    if (!studio.requirePicture()) return undefined
    if (!clip) return undefined
    if (notes.length >= MAX_NOTES_PER_REVIEW) {
      showNoteLimitToast()
      return undefined
    }
    const id = v7()
    notesMadeByDrawing.set(id, createNote(id))
    studio.showNote(id)
    return id
  }
  const stageRecorder = () => studio.$stageRecorder.get()
  /** Whether the review can have one more drawing; if not, a toast says why. */
  function hasRoomForShape(): boolean {
    const shapeLimit = reviewShapeLimitMessage(autosavedDraft.$draft.get(), stageRecorder()?.shapes().length)
    if (shapeLimit) toast({ title: 'Limit reached', description: `${shapeLimit} Delete one first.` })
    return !shapeLimit
  }
  const add = (shape: Shape): boolean => {
    if (!hasRoomForShape()) return false
    const recorder = stageRecorder()
    if (recorder) {
      recorder.add(shape)
      return true
    }
    const note = noteIdForDrawing()
    if (note) history.do({ note, before: null, after: shape })
    return !!note
  }
  const change = (before: Shape, after: Shape): Shape => {
    const recorder = stageRecorder()
    // Changing a drawing of the recording creates a new drawing, because the recording also keeps the old one.
    if (recorder?.hasShape(before.id)) return hasRoomForShape() ? recorder.change(before, after) : before
    const note = noteIdOf(before.id)
    if (note) history.do({ note, before, after })
    return after
  }
  const shapesOfClip = () => {
    const video = studio.$clipId.get()
    return [...shapesOfNotesOnVideo(autosavedDraft.$draft.get().notes, video), ...(stageRecorder()?.shapesOn(video) ?? [])]
  }
  const visible = () => shapesOfClip().filter(s => shapeOpacityAtFrame(s, player.$frame.get()) > 0)
  function realTime(from: number, to: number) {
    const media = studio.$clip.get()?.media ?? null
    if (player.notePosition().frame === undefined) return null
    const start = realTimeOfFrames({ media }) ?? (frame => player.frameStart(frame) * 1000)
    return start(to) - start(from)
  }

  const { acts, $shapeDuration, $copied, newShapeDuration } = createDrawingToolbarCommands({
    shapeEditor: () => shapeEditor,
    shown: visible,
    add,
    change,
    frame: () => player.$frame.get(),
    showFrame: player.showFrame,
    remove(shape) {
      const note = noteIdOf(shape.id)
      stageRecorder()?.erase(shape.id)
      if (note) history.do({ note, before: shape, after: null })
    },
    undo: () => (stageRecorder() ? stageRecorder()!.undo() : history.undo()),
    redo: history.redo,
    asOneStep: history.asOneStep,
    length: () => [player.$frames.get(), player.$duration.get(), MAX_SHAPE_HOLD_FRAMES],
  })
  const shapeEditor = createShapeEditor({
    aspect: () => aspectRatioOf(studio.$clip.get()),
    frame: () => player.$frame.get(),
    stay: newShapeDuration,
    shapes: visible,
    labelSize: shape => measureShapeText(shape, aspectRatioOf(studio.$clip.get())),
    make: add,
    change,
    allShapes: shapesOfClip,
    realTime,
    advance: () => player.step(1),
    begin: player.pause,
    write: at => $textPosition.set(at),
  })
  const $keyframes = createFollowToolKeyframeStore(
    [shapeEditor.$instrument, shapeEditor.$selected, autosavedDraft.$draft, player.$frame],
    () => ({
      shape: shapeEditor.followed(),
      frame: player.$frame.get(),
    }),
  )
  /** Whether the video fills the screen, as it does on phones and tablets while a drawing tool is chosen. */
  const $takesScreen = atom(false)
  // The text of a new note needs the rest of the screen, so a new note ends full-screen drawing.
  studio.$newNoteId.listen(id => id !== undefined && $takesScreen.get() && acts.done())
  shapeEditor.$instrument.listen(instrument => {
    $takesScreen.set(instrument !== null && matchMedia('(width < 64rem)').matches)
    // The next drawing starts with the tool that drew last, rather than with one that selects.
    if (instrument && instrument !== 'select' && instrument !== 'follow') lastInstrument = instrument
  })
  const focusPicture = () => focusWhenRendered('[role=application]', { preventScroll: true })
  /** Starts drawing with the last used tool, or stops drawing. */
  function toggleDrawing() {
    if (studio.isLoading()) return
    if (shapeEditor.$instrument.get()) acts.done()
    else {
      player.pause()
      shapeEditor.choose(lastInstrument)
    }
    // The drawing keys only work while the picture has the focus.
    setTimeout(focusPicture)
  }
  return {
    shapeEditor,
    acts,
    toggleDrawing,
    $takesScreen,
    $shapeDuration,
    $copied,
    $textPosition,
    $keyframes,
    stageDrawing: addKeyboardToShapeEditor(shapeEditor, acts),
    /** Moves the focus to the picture. If no drawing tool is chosen, chooses the last used one first. */
    drawOnPicture: () => (shapeEditor.$instrument.get() ? focusPicture() : toggleDrawing()),
  }
}

export function useStudioDrawing(studio: StudioStore): StudioDrawing {
  const [drawing] = useState(() => createStudioDrawing(studio))
  return drawing
}

/** Returns `until`, a later end of a note's range, if a drawing changes after the range, so that viewers see all of it; otherwise `{}`. */
const rangeForShape = ({ frame, until }: Pick<Note, 'frame' | 'until'>, shape: Shape | null) => {
  const last = shape && lastChangeFrameOf(shape)
  return frame !== undefined && last !== null && last > shape!.from && last > (until ?? frame) ? { until: last } : {}
}
