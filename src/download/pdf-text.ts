import fontkit from '@cantoo/fontkit'
import { type PDFDocument, type PDFFont, type PDFPage, type RGB, rgb } from '@cantoo/pdf-lib'

/** One weight of Archivo, whose characters are in two font files (Latin and Latin Extended). */
type FontFaces = readonly { font: PDFFont; letters: Set<number> }[]
export interface PdfFonts {
  regular: FontFaces
  bold: FontFaces
}

/** The font files of Archivo in two weights, each as Latin and Latin Extended. */
export interface FontFiles {
  regular: readonly ArrayBuffer[]
  bold: readonly ArrayBuffer[]
}

/** Embeds the fonts in a document. */
export async function embedFonts(document: PDFDocument, files: FontFiles): Promise<PdfFonts> {
  document.registerFontkit(fontkit)
  const face = (weight: readonly ArrayBuffer[]) =>
    Promise.all(
      weight.map(async bytes => {
        const font = await document.embedFont(bytes, { subset: true })
        return { font, letters: new Set(font.getCharacterSet()) }
      }),
    )
  const [regular, bold] = await Promise.all([face(files.regular), face(files.bold)])
  return { regular, bold }
}

/** Splits a text into pieces of one font each. A character that no font has becomes a question mark, a pictograph is dropped. */
function splitByFont(text: string, face: FontFaces): { font: PDFFont; text: string }[] {
  const found: { font: PDFFont; text: string }[] = []
  for (const letter of text.normalize('NFC')) {
    const code = letter.codePointAt(0)!
    const one = face.find(f => f.letters.has(code)) ?? face[0]!
    const shown = one.letters.has(code) ? letter : /\p{M}|\p{Cf}|\p{Extended_Pictographic}/u.test(letter) ? '' : '?'
    const last = found.at(-1)
    if (last?.font === one.font) last.text += shown
    else if (shown) found.push({ font: one.font, text: shown })
  }
  return found
}

export const textWidth = (text: string, face: FontFaces, size: number) =>
  splitByFont(text, face).reduce((sum, piece) => sum + piece.font.widthOfTextAtSize(piece.text, size), 0)

/** Wraps a text into lines of at most `width` points; a word longer than a line is broken. */
export function wrapText(text: string, face: FontFaces, size: number, width: number): string[] {
  return text.split('\n').flatMap(paragraph => {
    const all: string[] = []
    let line = ''
    const fits = (words: string) => textWidth(words, face, size) <= width
    for (const word of paragraph.split(/\s+/)) {
      const next = line ? `${line} ${word}` : word
      if (fits(next)) {
        line = next
        continue
      }
      if (line) all.push(line)
      line = ''
      for (const letter of word) {
        if (line && !fits(line + letter)) {
          all.push(line)
          line = ''
        }
        line += letter
      }
    }
    return [...all, line]
  })
}

/** Draws one line of text. `y` is its baseline, in points from the bottom of the page. */
export function drawText(page: PDFPage, text: string, face: FontFaces, at: { x: number; y: number; size: number; color: RGB }) {
  let { x } = at
  for (const piece of splitByFont(text, face)) {
    page.drawText(piece.text, { x, y: at.y, size: at.size, font: piece.font, color: at.color })
    x += piece.font.widthOfTextAtSize(piece.text, at.size)
  }
}

/** The design's color tokens for paper. */
export const INK_COLOR = rgb(0x14 / 255, 0x20 / 255, 0x1a / 255)
export const MUTED_INK_COLOR = rgb(0x55 / 255, 0x62 / 255, 0x5b / 255)
export const LINE_COLOR = rgb(0xdf / 255, 0xdb / 255, 0xd0 / 255)
export const FIELD_COLOR = rgb(0x14 / 255, 0x53 / 255, 0x2d / 255)
export const GOLD_COLOR = rgb(0x9a / 255, 0x6b / 255, 0)
