/** The length that fits into an invitation, which quotes the sentence; in characters. */
const MAX_SENTENCE_LENGTH = 160

/** The first sentence of an instructor's description, cut after a word where it is too long; null where there is no description. */
export function firstSentenceOf(about: string): string | null {
  const line = about.replace(/\s+/g, ' ').trim()
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  if (!sentence) return null
  return sentence.length <= MAX_SENTENCE_LENGTH ? sentence : `${sentence.slice(0, MAX_SENTENCE_LENGTH).replace(/\s\S*$/, '')}…`
}
