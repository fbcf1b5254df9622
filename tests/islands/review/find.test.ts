import { expect, it } from 'vitest'
import type { Phrase } from '../../../modules/phrases/contract.ts'
import { find } from '../../../src/islands/review/phrases/find.ts'

const phrase = (text: string, kind: Phrase['kind'] = 'tip'): Phrase => ({ id: text, text, kind, link: null })
const all = [
  phrase('Hips before hands.'),
  phrase('Ten slow swings off the tee.', 'drill'),
  phrase('Stay back on the hip.'),
  phrase('Whip it.'),
]
const texts = (typed: string) => find(all, typed).map(p => p.text)

it('begins with the words typed, then has words that begin so, then has them somewhere', () => {
  expect(texts('hip')).toEqual(['Hips before hands.', 'Stay back on the hip.', 'Whip it.'])
})
it('takes the words in any order, in capitals or not, and the kind for one of them', () => {
  expect(texts('TEE slow')).toEqual(['Ten slow swings off the tee.'])
  expect(texts('drill te')).toEqual(['Ten slow swings off the tee.'])
  expect(texts('tee hip')).toEqual([])
})
it('shows the latest where nothing is typed, and no more than one looks over', () => {
  expect(texts(' ')).toEqual(all.map(p => p.text))
  const many = Array.from({ length: 200 }, (_, i) => phrase(`Phrase ${i}`))
  expect(find(many, 'phrase').map(p => p.text)).toEqual(many.slice(0, 8).map(p => p.text))
})
