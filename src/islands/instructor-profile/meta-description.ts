/** The first words of a text, at most 155 characters, ending with a word: what a search engine shows. */
export function metaDescription(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 155 ? line : `${line.slice(0, 155).replace(/\s\S*$/, '')}…`
}
