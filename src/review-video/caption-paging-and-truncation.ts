/** The maximum number of caption lines on the picture at a time; longer text is shown page by page. */
export const MAX_CAPTION_LINES = 4
/** A text without line breaks is assumed to fit into `MAX_CAPTION_LINES` if it has at most this many characters. */
const MAX_UNPAGED_LENGTH = 80

/** Whether a note's caption may have more lines than are visible at a time. */
export const mayNeedCaptionPages = (text: string) => text.length > MAX_UNPAGED_LENGTH || text.split('\n').length > MAX_CAPTION_LINES

/**
 * The caption lines that are visible at `part` (0 to 1) of the caption's time. Each page is shown for a time in proportion to its number of
 * lines.
 */
export function captionLinesAt(lines: readonly string[], part: number): readonly string[] {
  const pages = Math.ceil(lines.length / MAX_CAPTION_LINES)
  const page = Math.min(pages - 1, Math.floor((part * lines.length) / MAX_CAPTION_LINES))
  return lines.slice(page * MAX_CAPTION_LINES, (page + 1) * MAX_CAPTION_LINES)
}

const letters = new Intl.Segmenter('en')

/** The text, or as much of its beginning as fits into `width` with an ellipsis. */
export function shortenToWidth(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text
  const kept = [...letters.segment(text)].map(({ segment }) => segment)
  while (kept.length && widthOf(`${kept.join('').trimEnd()}…`) > width) kept.pop()
  return `${kept.join('').trimEnd()}…`
}
