import { atom } from 'nanostores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Video } from '../../../modules/folders/contract.ts'
import { createDraftStore, type DeviceCopy } from '../../../src/draft/draft-store.ts'
import { createDraw } from '../../../src/islands/review/drawing.ts'
import type { Desk } from '../../../src/islands/review/studio-store.ts'
import { listenDeferred } from '../../../src/ui/deferred-store.ts'

let frames: (() => void)[]
beforeEach(() => {
  frames = []
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => frames.push(then))
})
afterEach(async () => {
  // What is still to be told is told, as in a page that goes on.
  await vi.advanceTimersByTimeAsync(1000)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A desk with one clip, as much of it as a pencil needs; `copy` is what the device would have, were the tab killed now. */
function studio() {
  const device: { copy: DeviceCopy | null } = { copy: null }
  const draftStore = createDraftStore({
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
  const $current = atom<string | undefined>(undefined)
  const $frame = atom(0)
  const player = {
    ...{ $frame, $frames: atom(300), $duration: atom(10_000), pause: () => {} },
    notePosition: () => ({ at: $frame.get() * 33, frame: $frame.get() }),
    frameOf: (note: { frame?: number }) => note.frame,
  }
  const draw = createDraw({
    ...{ draftStore, player, $current, $clip: atom(clip), $clipId: atom('v'), $act: atom(null) },
    ...{ kind: () => 'technique', loading: () => false, isVisible: () => true, shown: (id: string) => $current.set(id) },
  } as unknown as Desk)
  /** What the list of notes shows: drawings of each. */
  const list: number[][] = []
  listenDeferred(draftStore.$draft, () => void list.push(drawings()))
  const drawings = () => draftStore.$draft.get().notes.map(n => n.shapes?.length ?? 0)
  const stroke = (y: number) => {
    draw.pencil.down({ x: 1000, y }, 0)
    draw.pencil.move([
      { x: 3000, y: y + 500 },
      { x: 5000, y },
    ])
    draw.pencil.up()
  }
  draw.pencil.choose('pen')
  return { ...{ draw, stroke, drawings, list, $frame }, kept: () => device.copy?.current.notes.map(n => n.shapes?.length ?? 0) ?? [] }
}

test('a stroke is in the draft, and goes to the device, as it is lifted; the list follows after a frame', async () => {
  const { stroke, drawings, kept, list } = studio()
  stroke(1000)
  expect([drawings(), kept(), list]).toEqual([[1], [1], []])
  // The next one belongs to the note that the first has made, whatever the list shows.
  stroke(3000)
  expect([drawings(), kept(), list]).toEqual([[2], [2], []])
  await vi.advanceTimersByTimeAsync(100)
  expect(list).toEqual([[2]])
})

test('what is taken back, and done again, between two frames keeps its order', async () => {
  const { draw, stroke, drawings, kept, list, $frame } = studio()
  stroke(1000)
  $frame.set(20)
  stroke(3000)
  stroke(5000)
  draw.acts.undo()
  draw.acts.undo()
  draw.acts.undo()
  expect([drawings(), kept()]).toEqual([[], []])
  draw.acts.redo()
  draw.acts.redo()
  stroke(7000)
  draw.acts.redo()
  expect([drawings(), kept(), list]).toEqual([[1, 2], [1, 2], []])
  await vi.advanceTimersByTimeAsync(100)
  expect(list).toEqual([[1, 2]])
})

test('a drawing that is changed or deleted is so at once', () => {
  const { draw, stroke, drawings, kept } = studio()
  stroke(1000)
  draw.pencil.choose('select')
  draw.pencil.down({ x: 1000, y: 1000 }, 100)
  draw.pencil.move([{ x: 1500, y: 1500 }])
  draw.pencil.up()
  draw.acts.recolor(2)
  draw.acts.undo()
  draw.acts.undo()
  draw.acts.redo()
  expect(kept()).toEqual([1])
  draw.acts.remove()
  expect([drawings(), kept()]).toEqual([[], []])
})
