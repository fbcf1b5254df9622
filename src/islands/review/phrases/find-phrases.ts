import type { Phrase } from '../../../../modules/phrases/contract.ts'

const MAX_RESULTS = 8

/** How well a phrase matches the typed text: 0 is best, undefined is no match. The phrase's kind also counts as a word. */
function rank({ text, kind }: Phrase, typed: string): number | undefined {
  const lower = text.toLowerCase()
  if (lower.startsWith(typed)) return 0
  const words = [kind, ...lower.split(/[^\p{L}\p{N}']+/u)]
  const parts = typed.split(/\s+/)
  if (parts.every(part => words.some(word => word.startsWith(part)))) return 1
  return parts.every(part => lower.includes(part)) ? 2 : undefined
}

/** Up to eight phrases that match the typed text, best first; the first eight of the list if nothing is typed. */
export function findPhrases(phrases: readonly Phrase[], typed: string): Phrase[] {
  const query = typed.trim().toLowerCase()
  return phrases
    .flatMap(phrase => {
      const phraseRank = rank(phrase, query)
      return phraseRank === undefined ? [] : [{ phrase, phraseRank }]
    })
    .sort((a, b) => a.phraseRank - b.phraseRank)
    .slice(0, MAX_RESULTS)
    .map(({ phrase }) => phrase)
}
