import { atom } from 'nanostores'
import { afterAll, expect, test, vi } from 'vitest'
import type { Video } from '../../../modules/folders/contract.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { MAX_SHAPES_PER_REVIEW } from '../../../modules/reviews/policy.ts'
import { createAutosavedDraft, type UnsavedDraft } from '../../../src/draft/autosaved-draft.ts'
import { createStudioDrawing } from '../../../src/islands/review/studio-drawing.ts'
import type { StudioStore } from '../../../src/islands/review/studio-store.ts'
import { toast } from '../../../src/ui/toast.ts'

vi.mock('../../../src/ui/toast.ts', () => ({ toast: vi.fn() }))
// A desktop-sized screen, on which drawing mode does not change the layout.
vi.stubGlobal('matchMedia', () => ({ matches: false }))
afterAll(() => void vi.unstubAllGlobals())

/**
 * Creates the drawing tools of a studio with one clip. `drawings` returns the number of drawings in each note of the draft;
 * `drawingsOnDevice` does so for the draft's copy on the device.
 */
function studio() {
  const device: { copy: UnsavedDraft | null } = { copy: null }
  const autosavedDraft = createAutosavedDraft({
    fetchDraft: async () => ({ revision: 0, draft: null }),
    saveDraft: async revision => ({ revision: revision + 1 }),
    loadCopies: async () => [],
    writeCopy: copy => {
      device.copy = copy
    },
    announceRevision: () => {},
    schedule: () => () => {},
  })
  const clip = { id: 'v', width: 100, height: 100 } as Video
  const $currentNoteId = atom<string | undefined>(undefined)
  const $frame = atom(0)
  const player = {
    $frame,
    $frames: atom(300),
    $duration: atom(10_000),
    pause: () => {},
    notePosition: () => ({ at: $frame.get() * 33, frame: $frame.get() }),
    frameOf: (note: { frame?: number }) => note.frame,
  }
  const $stageRecorder = atom<unknown>(null)
  const drawing = createStudioDrawing({
    autosavedDraft,
    player,
    $currentNoteId,
    $newNoteId: atom(undefined),
    $clip: atom(clip),
    $clipId: atom('v'),
    $stageRecorder,
    isLoading: () => false,
    requirePicture: () => true,
    showNote: (id: string) => $currentNoteId.set(id),
  } as unknown as StudioStore)
  const drawings = () => autosavedDraft.$draft.get().notes.map(n => n.shapes?.length ?? 0)
  const stroke = (y: number) => {
    drawing.shapeEditor.down({ x: 1000, y }, 0)
    drawing.shapeEditor.move([
      { x: 3000, y: y + 500 },
      { x: 5000, y },
    ])
    drawing.shapeEditor.up()
  }
  drawing.shapeEditor.choose('pen')
  return {
    drawing,
    stroke,
    drawings,
    $frame,
    autosavedDraft,
    $stageRecorder,
    drawingsOnDevice: () => device.copy?.current.notes.map(n => n.shapes?.length ?? 0) ?? [],
  }
}

test('a finished stroke is saved in the draft and on the device', () => {
  const { stroke, drawings, drawingsOnDevice } = studio()
  stroke(1000)
  expect([drawings(), drawingsOnDevice()]).toEqual([[1], [1]])
  // The second stroke is added to the note that the first one created.
  stroke(3000)
  expect([drawings(), drawingsOnDevice()]).toEqual([[2], [2]])
})

test('undo and redo keep strokes in their order', () => {
  const { drawing, stroke, drawings, drawingsOnDevice, $frame } = studio()
  stroke(1000)
  $frame.set(20)
  stroke(3000)
  stroke(5000)
  drawing.acts.undo()
  drawing.acts.undo()
  drawing.acts.undo()
  expect([drawings(), drawingsOnDevice()]).toEqual([[], []])
  drawing.acts.redo()
  drawing.acts.redo()
  stroke(7000)
  drawing.acts.redo()
  expect([drawings(), drawingsOnDevice()]).toEqual([
    [1, 2],
    [1, 2],
  ])
})

test('a changed or deleted drawing is saved on the device immediately', () => {
  const { drawing, stroke, drawings, drawingsOnDevice } = studio()
  stroke(1000)
  drawing.shapeEditor.choose('select')
  drawing.shapeEditor.down({ x: 1000, y: 1000 }, 100)
  drawing.shapeEditor.move([{ x: 1500, y: 1500 }])
  drawing.shapeEditor.up()
  drawing.acts.setColor(2)
  drawing.acts.undo()
  drawing.acts.undo()
  drawing.acts.redo()
  expect(drawingsOnDevice()).toEqual([1])
  drawing.acts.remove()
  expect([drawings(), drawingsOnDevice()]).toEqual([[], []])
})

test('undoing the drawing that made a note keeps the note if it has a voice-over', () => {
  const { drawing, stroke, autosavedDraft } = studio()
  stroke(1000)
  const notes = () => autosavedDraft.$draft.get().notes.map(n => ({ voice: n.voice, drawings: n.shapes?.length ?? 0 }))
  autosavedDraft.change(d => ({ ...d, notes: d.notes.map(n => ({ ...n, voice: 'a' })) }))
  drawing.acts.undo()
  expect(notes()).toEqual([{ voice: 'a', drawings: 0 }])
  drawing.acts.redo()
  expect(notes()).toEqual([{ voice: 'a', drawings: 1 }])
})

test('the current note and a recording take no drawing beyond the limit', () => {
  const { stroke, drawings, autosavedDraft, $stageRecorder } = studio()
  stroke(1000)
  /** Replaces the note's drawings with `count` copies of the first one. */
  const fill = (count: number) =>
    autosavedDraft.change(d => ({
      ...d,
      notes: d.notes.map(n => ({ ...n, shapes: Array.from({ length: count }, (_, i) => ({ ...n.shapes![0]!, id: `s${i}` })) })),
    }))
  fill(MAX_SHAPES_PER_REVIEW - 1)
  stroke(3000)
  stroke(5000)
  expect(drawings()).toEqual([MAX_SHAPES_PER_REVIEW])
  expect(toast).toHaveBeenCalledExactlyOnceWith({
    title: 'Limit reached',
    description: 'A review has at most 200 drawings. Delete one first.',
  })

  fill(MAX_SHAPES_PER_REVIEW - 1)
  const recorded: Shape[] = []
  $stageRecorder.set({ shapes: () => recorded, shapesOn: () => recorded, add: (shape: Shape) => recorded.push(shape) })
  stroke(3000)
  stroke(5000)
  expect(recorded).toHaveLength(1)
})
