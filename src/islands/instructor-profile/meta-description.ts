/** The beginning of a text for the page's meta description: at most 155 characters, as much as search engines show, cut after a word. */
export function metaDescription(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 155 ? line : `${line.slice(0, 155).replace(/\s\S*$/, '')}…`
}
