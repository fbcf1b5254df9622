import { atom } from 'nanostores'
import { expect, test } from 'vitest'
import type { Draft } from '../../../modules/folders/contract.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import type { DraftStore } from '../../../src/draft/draft-store.ts'
import { createDrawn } from '../../../src/islands/review/drawn.ts'

const shape = (id: string): Shape => ({ id, tool: 'line', color: 0, width: 45, p: [1, 1, 5, 5], from: 0, hold: 1, fade: 0 })
const note = (id: string, video: string, text: string, ...shapes: Shape[]) => ({ id, video, at: 0, kind: 'tip' as const, text, shapes })
const draft = (...notes: Draft['notes']): Draft => ({ notes, summary: '', grades: [] })

test('the drawings of the clip on the stage by their age, then those of a voice; letters change nothing', () => {
  const [a, b, c, spoken] = [shape('1'), shape('2'), shape('3'), shape('0')]
  const $draft = atom(draft(note('n', 'v', '', b), note('m', 'v', '', a), note('o', 'w', '', c)))
  const [$clipId, $spoken] = [atom('v'), atom<readonly Shape[]>([])]
  const $drawn = createDrawn({ draftStore: { $draft } as unknown as DraftStore, $clipId }, $spoken)
  const told: (readonly Shape[])[] = []
  $drawn.listen(shapes => void told.push(shapes))
  expect($drawn.get()).toEqual([a, b])

  $draft.set(draft(note('n', 'v', 'Hips', b), note('m', 'v', 'first', a), note('o', 'w', '', c)))
  expect(told).toEqual([])
  $spoken.set([spoken])
  $clipId.set('w')
  $draft.set(draft(note('o', 'w', '')))
  expect(told).toEqual([[a, b, spoken], [c, spoken], [spoken]])
})
