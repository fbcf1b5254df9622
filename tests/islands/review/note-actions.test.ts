import { atom } from 'nanostores'
import { expect, test, vi } from 'vitest'
import type { Draft } from '../../../modules/folders/contract.ts'
import type { Shape, Voice } from '../../../modules/reviews/contract.ts'
import { createAutosavedDraft } from '../../../src/draft/autosaved-draft.ts'
import { createNoteActions } from '../../../src/islands/review/note-actions.ts'
import type { StudioDrawing } from '../../../src/islands/review/studio-drawing.ts'
import type { StudioStore } from '../../../src/islands/review/studio-store.ts'
import { toast } from '../../../src/ui/toast.ts'

vi.mock('../../../src/ui/toast.ts', () => ({ toast: vi.fn() }))

type Note = Draft['notes'][number]
const note = (id: string, more: Partial<Note> = {}): Note => ({
  id,
  video: 'v1',
  at: 300,
  frame: 30,
  kind: 'tip',
  text: `Note ${id}`,
  ...more,
})
const voice = (id: string): Voice => ({ id, video: 'v1', frame: 30, milliseconds: 900, bytes: 9, type: 'audio/webm', actions: [] })
const line = (from: number): Shape => ({ id: `line ${from}`, tool: 'line', color: 0, width: 9, p: [1, 1, 2, 2], from, hold: 10, fade: 0 })

/** Creates the note actions of a studio that shows frame 30 of clip v1, which has 120 frames of 10 ms each. */
async function studio(draft: Partial<Draft>) {
  const autosavedDraft = createAutosavedDraft({
    fetchDraft: async () => ({ revision: 1, draft: { notes: [], summary: '', grades: [], ...draft } }),
    saveDraft: async revision => ({ revision: revision + 1 }),
    loadCopies: async () => [],
    writeCopy: () => {},
    announceRevision: () => {},
    schedule: () => () => {},
  })
  await autosavedDraft.load()
  const [$frame, $clipId] = [atom(30), atom('v1')]
  const replay = { $voice: atom<Voice | null>(null), close: vi.fn() }
  const deleteVoice = vi.fn(async () => {})
  const acts = createNoteActions(
    {
      autosavedDraft,
      player: {
        $frame,
        $frames: atom(120),
        notePosition: () => ({ at: $frame.get() * 10, frame: $frame.get() }),
        frameOf: (n: Note) => n.frame ?? n.at / 10,
      },
      $clipId,
      showNote: () => {},
      editNoteText: () => {},
    } as unknown as StudioStore,
    {} as StudioDrawing,
    { replay, division: { $voice: atom<Voice | undefined>(undefined), end() {} }, deleteVoice } as unknown as Parameters<
      typeof createNoteActions
    >[2],
  )
  const notes = () => autosavedDraft.$draft.get().notes
  return { acts, autosavedDraft, notes, voices: () => autosavedDraft.$draft.get().voices, $frame, $clipId, replay, deleteVoice }
}

test('deleting a note deletes its voice-over, and restoring brings back both', async () => {
  const { acts, notes, voices, replay, deleteVoice } = await studio({
    notes: [note('1', { voice: 'a' }), note('2', { voice: 'b' })],
    voices: [voice('a'), voice('b')],
  })
  replay.$voice.set(voice('a'))
  acts.onRemove('1')
  expect([notes(), voices()]).toEqual([[note('2', { voice: 'b' })], [voice('b')]])
  expect(replay.close).toHaveBeenCalledOnce()
  expect(deleteVoice).not.toHaveBeenCalled()
  acts.onRestore()
  expect([notes(), voices()]).toEqual([
    [note('2', { voice: 'b' }), note('1', { voice: 'a' })],
    [voice('b'), voice('a')],
  ])
  expect(acts.$deletedNote.get()).toBeUndefined()
})

test('only the note that was deleted last can be restored', async () => {
  const { acts, notes, deleteVoice } = await studio({ notes: [note('1', { voice: 'a' }), note('2')], voices: [voice('a')] })
  acts.onRemove('1')
  acts.onRemove('2')
  // The first note can no longer be restored, so its recording is deleted.
  expect(deleteVoice).toHaveBeenCalledExactlyOnceWith('a')
  acts.onRestore()
  expect(notes()).toEqual([note('2')])
})

test('a voice-over that another device brought back outlives the next deletion', async () => {
  const { acts, autosavedDraft, notes, voices, deleteVoice } = await studio({
    notes: [note('1', { voice: 'a' }), note('2')],
    voices: [voice('a')],
  })
  acts.onRemove('1')
  const back = note('1', { voice: 'a', text: 'Changed on the tablet' })
  autosavedDraft.change(d => ({ ...d, notes: [...d.notes, back], voices: [voice('a')] }))
  acts.onRemove('2')
  expect([notes(), voices(), deleteVoice.mock.calls]).toEqual([[back], [voice('a')], []])
})

test('an empty note is deleted without an offer to restore it', async () => {
  const { acts, notes } = await studio({ notes: [note('1', { text: '' })] })
  acts.onRemove('1')
  expect([notes(), acts.$deletedNote.get()]).toEqual([[], undefined])
})

test('a moved note takes its range and its drawings along', async () => {
  const { acts, notes, $frame } = await studio({ notes: [note('1', { until: 40, shapes: [line(30), line(36)] })] })
  const moved = () => notes().map(n => [n.at, n.frame, n.until, n.shapes?.map(s => s.from)])
  $frame.set(5)
  acts.onPin('1')
  expect(moved()).toEqual([[50, 5, 15, [5, 11]]])
  $frame.set(115)
  acts.onPin('1')
  // The range and the drawings end at the last frame of the video.
  expect(moved()).toEqual([[1150, 115, 119, [115, 119]]])
})

test('a note without drawings moves to another video, and its range stays behind', async () => {
  const { acts, notes, $frame, $clipId } = await studio({ notes: [note('1', { until: 40 })] })
  $clipId.set('v2')
  $frame.set(7)
  acts.onPin('1')
  expect(notes()).toEqual([note('1', { video: 'v2', at: 70, frame: 7 })])
})

test('a note with drawings does not move to another video, and a toast says so', async () => {
  const { acts, notes, $clipId } = await studio({ notes: [note('1', { shapes: [line(30)] })] })
  $clipId.set('v2')
  acts.onPin('1')
  expect(notes()[0]!.video).toBe('v1')
  expect(toast).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ title: 'This note has drawings' }))
})

test('a note ends at the frame shown, but keeps its end while another video is shown', async () => {
  vi.mocked(toast).mockClear()
  const { acts, notes, $frame, $clipId } = await studio({ notes: [note('1')] })
  $frame.set(50)
  acts.onEnd('1')
  expect(notes()).toEqual([note('1', { until: 50 })])
  $clipId.set('v2')
  $frame.set(90)
  acts.onEnd('1')
  expect(notes()).toEqual([note('1', { until: 50 })])
  expect(toast).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ title: 'The note is on the other video' }))
  // A note that would end before it begins has no range.
  $clipId.set('v1')
  $frame.set(30)
  acts.onEnd('1')
  expect(notes()).toEqual([note('1')])
})
