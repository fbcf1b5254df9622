import { atom } from 'nanostores'
import { expect, test, vi } from 'vitest'
import type { Draft } from '../../../modules/folders/contract.ts'
import { goToMissingReviewPart } from '../../../src/islands/review/go-to-missing-review-part.ts'

/** Creates a studio in which a comparison covers the stage. */
function studioWithOpenComparison() {
  const notes = [{ id: 'n', video: 'v', at: 0, kind: 'tip', text: '' }] as Draft['notes']
  return {
    autosavedDraft: { $draft: atom({ notes, summary: '', grades: [] }) },
    $clips: atom([{ id: 'v' }, { id: 'w' }]),
    $tab: atom('notes'),
    $comparing: atom<{ id: string } | undefined>({ id: 'c' }),
    goToMoment: vi.fn(),
    editNoteText: vi.fn(),
    selectClip: vi.fn(),
    openSummaryAt: vi.fn(),
  }
}
const goTo = (place: string) => {
  const studio = studioWithOpenComparison()
  const drawOnPicture = vi.fn()
  goToMissingReviewPart(place, studio as unknown as Parameters<typeof goToMissingReviewPart>[1], { drawOnPicture })
  return { ...studio, drawOnPicture }
}

test('going to an unopened video closes the comparison that covers it', () => {
  const { selectClip, $comparing } = goTo('w')
  expect(selectClip).toHaveBeenCalledExactlyOnceWith({ id: 'w' })
  expect($comparing.get()).toBeUndefined()
})

test('going to the missing drawing closes the comparison that covers the picture', () => {
  const { drawOnPicture, $comparing } = goTo('picture')
  expect(drawOnPicture).toHaveBeenCalledOnce()
  expect($comparing.get()).toBeUndefined()
})

test('going to a tab, a note or the summary leads there', () => {
  expect(goTo('technique').$tab.get()).toBe('technique')
  expect(goTo('n').editNoteText).toHaveBeenCalledExactlyOnceWith('n')
  const { openSummaryAt, $comparing } = goTo('summary')
  expect(openSummaryAt).toHaveBeenCalledExactlyOnceWith('#summary')
  expect($comparing.get()).toEqual({ id: 'c' })
})
