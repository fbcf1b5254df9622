import { expect, it } from 'vitest'
import type { Phrase } from '../../../modules/phrases/contract.ts'
import { findPhrases } from '../../../src/islands/review/phrases/find-phrases.ts'

const phrase = (text: string, kind: Phrase['kind'] = 'tip'): Phrase => ({ id: text, text, kind, link: null })
const all = [
  phrase('Hips before hands.'),
  phrase('Ten slow swings off the tee.', 'drill'),
  phrase('Stay back on the hip.'),
  phrase('Whip it.'),
]
const texts = (typed: string) => findPhrases(all, typed).map(p => p.text)

it('findPhrases ranks the start of a phrase before other words and other matches', () => {
  expect(texts('hip')).toEqual(['Hips before hands.', 'Stay back on the hip.', 'Whip it.'])
})
it('findPhrases matches words in any order and case, including the kind', () => {
  expect(texts('TEE slow')).toEqual(['Ten slow swings off the tee.'])
  expect(texts('drill te')).toEqual(['Ten slow swings off the tee.'])
  expect(texts('tee hip')).toEqual([])
})
it('findPhrases returns at most eight phrases, even if nothing is typed', () => {
  expect(texts(' ')).toEqual(all.map(p => p.text))
  const many = Array.from({ length: 200 }, (_, i) => phrase(`Phrase ${i}`))
  expect(findPhrases(many, 'phrase').map(p => p.text)).toEqual(many.slice(0, 8).map(p => p.text))
})
