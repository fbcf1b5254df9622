import fontkit from '@cantoo/fontkit'
import type { PDFDocument, PDFFont, PDFPage, RGB } from '@cantoo/pdf-lib'
import { wrapTextToWidth } from '../ui/wrap-text-to-width.ts'

/** Draws characters that the document's fonts lack (other scripts, pictographs) as pictures. Lengths are in points. */
export interface MissingGlyphRenderer {
  width(text: string, size: number, weight: number): number
  /** Returns a PNG as a data URL, with its size, and how far it extends to the left of the text and below the baseline. */
  picture(
    text: string,
    at: { size: number; weight: number; color: RGB },
  ): { url: string; left: number; below: number; width: number; height: number }
}

/** One weight of Archivo, whose characters are split between two font files (Latin and Latin Extended). */
export interface PdfFontFace {
  weight: number
  fonts: readonly { font: PDFFont; letters: Set<number> }[]
  /** If absent, a letter that no font has is printed as a question mark, and a pictograph is left out. */
  missingGlyphRenderer: MissingGlyphRenderer | undefined
  /** Pictures that are still being embedded. */
  embedding: Promise<unknown>[]
}
export interface PdfFonts {
  regular: PdfFontFace
  bold: PdfFontFace
}

/** The font files of Archivo in two weights, each as Latin and Latin Extended. */
export interface PdfFontFiles {
  regular: readonly ArrayBuffer[]
  bold: readonly ArrayBuffer[]
}

/** Embeds the fonts in a document. Await all promises in `embedding` before saving the document. */
export async function embedFonts(
  document: PDFDocument,
  files: PdfFontFiles,
  missingGlyphRenderer?: MissingGlyphRenderer,
): Promise<PdfFonts> {
  document.registerFontkit(fontkit)
  const embedding: Promise<unknown>[] = []
  const face = async (of: readonly ArrayBuffer[], weight: number): Promise<PdfFontFace> => {
    const fonts = await Promise.all(
      of.map(async bytes => {
        const font = await document.embedFont(bytes, { subset: true })
        return { font, letters: new Set(font.getCharacterSet()) }
      }),
    )
    return { weight, fonts, missingGlyphRenderer, embedding }
  }
  const [regular, bold] = await Promise.all([face(files.regular, 400), face(files.bold, 700)])
  return { regular, bold }
}

/** A piece of text in one of the document's fonts; `font` is null if no font has its characters. */
interface Piece {
  font: PDFFont | null
  text: string
}
/** Combining marks and joiners after a letter that is drawn as a picture become part of that picture. */
const JOINS_PREVIOUS = /^(\p{M}|\p{Cf})$/u
/** Spaces and punctuation can join either neighbor: between two right-to-left words they must be in one picture with both. */
const IS_NEUTRAL = /^[\s\p{P}]+$/u

/** Splits text into pieces that use one font each. */
function splitByFont(text: string, { fonts, missingGlyphRenderer }: PdfFontFace): Piece[] {
  const found: Piece[] = []
  const add = (font: PDFFont | null, text: string) => {
    const last = found.at(-1)
    if (last && last.font === font) last.text += text
    else found.push({ font, text })
  }
  for (const letter of text.normalize('NFC')) {
    const font = fonts.find(f => f.letters.has(letter.codePointAt(0)!))?.font
    const last = found.at(-1)
    if (JOINS_PREVIOUS.test(letter) && last?.font === null) last.text += letter
    else if (font) add(font, letter)
    else if (missingGlyphRenderer) add(null, letter)
    else if (!/\p{M}|\p{Cf}|\p{Extended_Pictographic}/u.test(letter)) add(fonts[0]!.font, '?')
  }
  return joinPictures(found)
}

/** Merges neighboring pictures, including the spaces and punctuation between them. */
function joinPictures(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const [i, piece] of pieces.entries()) {
    const last = joined.at(-1)
    const isBetween = last?.font === null && pieces[i + 1]?.font === null && IS_NEUTRAL.test(piece.text)
    if (last?.font === null && (piece.font === null || isBetween)) last.text += piece.text
    else joined.push({ ...piece })
  }
  return joined
}

const pieceWidth = ({ font, text }: Piece, { missingGlyphRenderer, weight }: PdfFontFace, size: number) =>
  font ? font.widthOfTextAtSize(text, size) : missingGlyphRenderer!.width(text, size, weight)

export const textWidth = (text: string, face: PdfFontFace, size: number) =>
  splitByFont(text, face).reduce((sum, piece) => sum + pieceWidth(piece, face, size), 0)

/** Breaks text into lines of at most `width` points. */
export const wrapText = (text: string, face: PdfFontFace, size: number, width: number): string[] =>
  wrapTextToWidth(text, width, words => textWidth(words, face, size))

/** Draws one line of text. `y` is its baseline, in points from the bottom of the page. */
export function drawTextLine(page: PDFPage, text: string, face: PdfFontFace, at: { x: number; y: number; size: number; color: RGB }) {
  let { x } = at
  for (const piece of splitByFont(text, face)) {
    if (piece.font) page.drawText(piece.text, { x, y: at.y, size: at.size, font: piece.font, color: at.color })
    else drawPicture(page, piece.text, face, { ...at, x })
    x += pieceWidth(piece, face, at.size)
  }
}

function drawPicture(
  page: PDFPage,
  text: string,
  { missingGlyphRenderer, weight, embedding }: PdfFontFace,
  at: { x: number; y: number; size: number; color: RGB },
) {
  const { url, left, below, width, height } = missingGlyphRenderer!.picture(text, { ...at, weight })
  const place = { x: at.x - left, y: at.y - below, width, height }
  embedding.push(page.doc.embedPng(url).then(image => page.drawImage(image, place)))
}
