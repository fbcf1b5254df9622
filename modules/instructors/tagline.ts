/** The length that fits into an invitation, in characters. */
const MAX_TAGLINE_LENGTH = 160

/** The first sentence of an instructor's description, cut after a word where it is too long; null where there is no description. */
export function taglineOf(about: string): string | null {
  const line = about.replace(/\s+/g, ' ').trim()
  const sentence = /^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  if (!sentence) return null
  return sentence.length <= MAX_TAGLINE_LENGTH ? sentence : `${sentence.slice(0, MAX_TAGLINE_LENGTH).replace(/\s\S*$/, '')}…`
}
