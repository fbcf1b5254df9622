/** Returns the start of `text` for the meta description, cut after a word: at most 155 characters, because search engines show no more. */
export function truncateToMetaDescription(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 155 ? line : `${line.slice(0, 154).replace(/\s\S*$/, '')}…`
}
