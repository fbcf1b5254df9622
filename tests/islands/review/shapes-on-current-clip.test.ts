import { atom } from 'nanostores'
import { expect, test } from 'vitest'
import type { Draft } from '../../../modules/folders/contract.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import type { AutosavingDraftStore } from '../../../src/draft/autosaved-draft.ts'
import { createShapesToPaintOnCurrentClipStore } from '../../../src/islands/review/shapes-to-paint-on-current-clip.ts'

const shape = (id: string): Shape => ({ id, tool: 'line', color: 0, width: 45, p: [1, 1, 5, 5], from: 0, hold: 1, fade: 0 })
const note = (id: string, video: string, text: string, ...shapes: Shape[]) => ({ id, video, at: 0, kind: 'tip' as const, text, shapes })
const draft = (...notes: Draft['notes']): Draft => ({ notes, summary: '', grades: [] })

test('the stage has the shapes of notes by age, then those of the voice-over', () => {
  const [a, b, c, voiceShape] = [shape('1'), shape('2'), shape('3'), shape('0')]
  const $draft = atom(draft(note('n', 'v', '', b), note('m', 'v', '', a), note('o', 'w', '', c)))
  const [$clipId, $voiceShapes, $spokenShapes] = [atom('v'), atom<readonly Shape[]>([]), atom<readonly Shape[]>([])]
  const $drawn = createShapesToPaintOnCurrentClipStore(
    { autosavedDraft: { $draft } as unknown as AutosavingDraftStore, $clipId },
    $voiceShapes,
    $spokenShapes,
  )
  const changes: (readonly Shape[])[] = []
  $drawn.listen(shapes => void changes.push(shapes))
  expect($drawn.get()).toEqual([a, b])

  $draft.set(draft(note('n', 'v', 'Hips', b), note('m', 'v', 'first', a), note('o', 'w', '', c)))
  expect(changes).toEqual([])
  $voiceShapes.set([voiceShape])
  $clipId.set('w')
  $draft.set(draft(note('o', 'w', '')))
  expect(changes).toEqual([[a, b, voiceShape], [c, voiceShape], [voiceShape]])
})

test('the stage does not repeat shapes that the playing voice-over draws itself', () => {
  const [drawn, copy, other] = [shape('0'), shape('1'), { ...shape('2'), from: 9 }]
  const [$clipId, $voiceShapes, $spokenShapes] = [atom('v'), atom<readonly Shape[]>([]), atom<readonly Shape[]>([drawn])]
  const autosavedDraft = { $draft: atom(draft(note('n', 'v', '', copy, other))) } as unknown as AutosavingDraftStore
  const $drawn = createShapesToPaintOnCurrentClipStore({ autosavedDraft, $clipId }, $voiceShapes, $spokenShapes)
  $drawn.listen(() => {})
  expect($drawn.get()).toEqual([other])
  $voiceShapes.set([drawn])
  expect($drawn.get()).toEqual([other, drawn])
  $spokenShapes.set([])
  $voiceShapes.set([])
  expect($drawn.get()).toEqual([copy, other])
})
