/** Breaks text into lines of at most `width`, in the unit of `widthOf`; a word that is wider than a line is broken. */
export function wrapTextToWidth(text: string, width: number, widthOf: (text: string) => number): string[] {
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
