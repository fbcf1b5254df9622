/** So many lines of a caption stand on the picture at once; longer words follow page by page. */
export const MAX_CAPTION_LINES = 4

/** Breaks words into lines that are at most `width` wide; a word that is wider than a line is broken. */
export function breakLines(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  for (const paragraph of text.trim().split('\n')) {
    let line = ''
    for (const word of paragraph.split(/\s+/)) {
      const longer = line ? `${line} ${word}` : word
      if (widthOf(longer) <= width) {
        line = longer
        continue
      }
      if (line) lines.push(line)
      line = ''
      for (const letter of word) {
        if (line && widthOf(line + letter) > width) {
          lines.push(line)
          line = ''
        }
        line += letter
      }
    }
    lines.push(line)
  }
  return lines
}

/** The lines of a caption that stand at a part (0 to 1) of the time it has: each page as long as its share of the lines. */
export function captionPage(lines: readonly string[], part: number): readonly string[] {
  const pages = Math.ceil(lines.length / MAX_CAPTION_LINES)
  const page = Math.min(pages - 1, Math.floor((part * lines.length) / MAX_CAPTION_LINES))
  return lines.slice(page * MAX_CAPTION_LINES, (page + 1) * MAX_CAPTION_LINES)
}
