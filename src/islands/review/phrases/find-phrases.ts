import type { Phrase } from '../../../../modules/phrases/contract.ts'

/** As many as one looks over at a glance. */
const MAX_RESULTS = 8

/** How well a phrase answers what was typed, 0 best; none where it does not. Its kind counts as one of its words. */
function rank({ text, kind }: Phrase, typed: string): number | undefined {
  const lower = text.toLowerCase()
  if (lower.startsWith(typed)) return 0
  const words = [kind, ...lower.split(/[^\p{L}\p{N}']+/u)]
  const wanted = typed.split(/\s+/)
  if (wanted.every(part => words.some(word => word.startsWith(part)))) return 1
  return wanted.every(part => lower.includes(part)) ? 2 : undefined
}

/** The phrases that somebody who types this may mean, best first; the latest where nothing is typed. */
export function findPhrases(phrases: readonly Phrase[], typed: string): Phrase[] {
  const wanted = typed.trim().toLowerCase()
  return phrases
    .flatMap(phrase => {
      const fits = rank(phrase, wanted)
      return fits === undefined ? [] : [{ phrase, fits }]
    })
    .sort((a, b) => a.fits - b.fits)
    .slice(0, MAX_RESULTS)
    .map(({ phrase }) => phrase)
}
