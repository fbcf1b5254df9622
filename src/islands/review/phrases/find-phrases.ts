import type { Phrase } from '../../../../modules/phrases/contract.ts'
import { STARTER_PHRASES, type StarterPhrase } from './starter-phrases.ts'

const MAX_RESULTS = 8

/** A phrase that the finder offers: one of the instructor's own, or a starter phrase. */
export type OwnOrStarterPhrase = Phrase | StarterPhrase

export const isStarterPhrase = (phrase: OwnOrStarterPhrase): phrase is StarterPhrase => 'skill' in phrase

/** The starter phrases that are not among the instructor's own. */
export const unusedStarterPhrases = (own: readonly Phrase[]) => STARTER_PHRASES.filter(({ text }) => own.every(p => p.text !== text))

/** The instructor's own phrases, then the starter phrases, those of `skills` first. */
export function ownAndStarterPhrases(own: readonly Phrase[], skills: readonly string[]): OwnOrStarterPhrase[] {
  const starters = unusedStarterPhrases(own)
  const isOfSkills = ({ skill }: StarterPhrase) => skills.includes(skill)
  return [...own, ...starters.filter(isOfSkills), ...starters.filter(phrase => !isOfSkills(phrase))]
}

/** How well a phrase matches the typed text: 0 is best, undefined is no match. Its kind and its discipline also count as words. */
function rank(phrase: OwnOrStarterPhrase, typed: string): number | undefined {
  const lower = phrase.text.toLowerCase()
  if (lower.startsWith(typed)) return 0
  const words = [phrase.kind, ...(isStarterPhrase(phrase) ? [phrase.skill] : []), ...lower.split(/[^\p{L}\p{N}']+/u)]
  const parts = typed.split(/\s+/)
  if (parts.every(part => words.some(word => word.startsWith(part)))) return 1
  return parts.every(part => lower.includes(part)) ? 2 : undefined
}

/**
 * Returns up to eight phrases that match the typed text: first the instructor's own, then starter phrases, both sorted by how well they
 * match. If nothing is typed, all phrases match equally well.
 */
export function findPhrases(phrases: readonly OwnOrStarterPhrase[], typed: string): OwnOrStarterPhrase[] {
  const query = typed.trim().toLowerCase()
  return phrases
    .flatMap(phrase => {
      const phraseRank = rank(phrase, query)
      return phraseRank === undefined ? [] : [{ phrase, phraseRank, isStarter: isStarterPhrase(phrase) }]
    })
    .sort((a, b) => Number(a.isStarter) - Number(b.isStarter) || a.phraseRank - b.phraseRank)
    .slice(0, MAX_RESULTS)
    .map(({ phrase }) => phrase)
}
