/** The maximum length in characters, so that the sentence fits into the invitation that quotes it. */
const MAX_SENTENCE_LENGTH = 160

/** Returns the first sentence of an instructor's description, cut after a word if it is too long, or null if there is no description. */
export function firstSentenceOf(about: string): string | null {
  const line = about.replace(/\s+/g, ' ').trim()
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  if (!sentence) return null
  return sentence.length <= MAX_SENTENCE_LENGTH ? sentence : `${sentence.slice(0, MAX_SENTENCE_LENGTH).replace(/\s\S*$/, '')}…`
}
