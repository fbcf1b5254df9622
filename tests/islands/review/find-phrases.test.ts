import { describe, expect, it } from 'vitest'
import type { Phrase } from '../../../modules/phrases/contract.ts'
import { MAX_PHRASE_LENGTH } from '../../../modules/phrases/policy.ts'
import { SKILLS } from '../../../modules/reviews/policy.ts'
import { findPhrases, ownAndStarterPhrases } from '../../../src/islands/review/phrases/find-phrases.ts'
import { STARTER_PHRASES } from '../../../src/islands/review/phrases/starter-phrases.ts'

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

describe('starter phrases', () => {
  const starters = (skill: string) => STARTER_PHRASES.filter(p => p.skill === skill)

  it.each(SKILLS)('exist for %s: technique, a tip, a drill and praise', skill => {
    const kinds = starters(skill).map(p => p.kind)
    for (const kind of ['technique', 'tip', 'drill', 'praise']) expect(kinds).toContain(kind)
  })
  it('are short and all different', () => {
    const texts = STARTER_PHRASES.map(p => p.text)
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(MAX_PHRASE_LENGTH)
  })
  it("for the clip's discipline come right after the instructor's own phrases", () => {
    const found = findPhrases(ownAndStarterPhrases(all, ['pitching']), '')
    expect(found.slice(0, 4)).toEqual(all)
    expect(found.slice(4)).toEqual(starters('pitching').slice(0, 4))
  })
  it('are found by their discipline and kind', () => {
    const found = findPhrases(ownAndStarterPhrases(all, []), 'catching drill')
    expect(found).toEqual(starters('catching').filter(p => p.kind === 'drill'))
  })
  it("come after the instructor's own phrases, even if they match better", () => {
    const own = phrase('Keep your hands drift-free.')
    expect(findPhrases(ownAndStarterPhrases([own], ['hitting']), 'your hands')[0]).toBe(own)
  })
  it('are offered only once, even if an instructor has added them', () => {
    const added = phrase(starters('hitting')[0]!.text, 'technique')
    expect(findPhrases(ownAndStarterPhrases([added], ['hitting']), added.text.toLowerCase())).toEqual([added])
  })
})
