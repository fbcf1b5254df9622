import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument, PDFName, rgb } from '@cantoo/pdf-lib'
import { beforeAll, expect, test } from 'vitest'
import {
  drawTextLine,
  embedFonts,
  type MissingGlyphRenderer,
  type PdfFontFace,
  type PdfFontFiles,
  textWidth,
  wrapText,
} from '../../src/download/pdf-text.ts'

const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const color = rgb(0, 0, 0)
let files: PdfFontFiles
beforeAll(async () => {
  const file = async (name: string) => {
    const bytes = await readFile(join(import.meta.dirname, '../../node_modules/@fontsource/archivo/files', `archivo-${name}-normal.woff`))
    return new Uint8Array(bytes).buffer
  }
  files = {
    regular: await Promise.all([file('latin-400'), file('latin-ext-400')]),
    bold: await Promise.all([file('latin-700'), file('latin-ext-700')]),
  }
})

/** Creates a page. `drawn`: the texts drawn as pictures, in which every character is as wide as the font size. */
async function paper({ hasPictures = true } = {}) {
  const drawn: string[] = []
  const missingGlyphRenderer: MissingGlyphRenderer = {
    width: (text, size) => [...text].length * size,
    picture(text, { size }) {
      drawn.push(text)
      return { url: PIXEL, left: 0, below: 2, width: [...text].length * size, height: size }
    },
  }
  const document = await PDFDocument.create()
  const { regular } = await embedFonts(document, files, hasPictures ? missingGlyphRenderer : undefined)
  const page = document.addPage()
  return { document, page, regular, drawn, draw: (text: string) => drawTextLine(page, text, regular, { x: 10, y: 10, size: 10, color }) }
}
const picturesIn = async ({ page, regular }: { page: PDFDocument['addPage'] extends () => infer P ? P : never; regular: PdfFontFace }) => {
  await Promise.all(regular.embedding)
  return page.node.Resources()?.lookup(PDFName.of('XObject'))?.toString().match(/Image/g)?.length ?? 0
}

test('characters that the fonts lack become pictures, and everything else stays text', async () => {
  const its = await paper()
  its.draw('Straße, ćwiczenie')
  expect(its.drawn).toEqual([])
  its.draw('Hands 手を後ろに, then go')
  expect(its.drawn).toEqual(['手を後ろに'])
  expect(await picturesIn(its)).toBe(1)
})

test('a run of right-to-left words, spaces and punctuation becomes one picture', async () => {
  const its = await paper()
  its.draw('اليدان إلى الخلف، ثم اضرب (OK)')
  expect(its.drawn).toEqual(['اليدان إلى الخلف، ثم اضرب'])
  its.drawn.length = 0
  its.draw('👍🏽 नमस्ते')
  expect(its.drawn).toEqual(['👍🏽 नमस्ते'])
})

test('text without spaces is wrapped to the width of the page', async () => {
  const { regular } = await paper()
  expect(textWidth('手手手', regular, 10)).toBe(30)
  expect(wrapText('手'.repeat(25), regular, 10, 100)).toEqual(['手'.repeat(10), '手'.repeat(10), '手'.repeat(5)])
})

test('without a canvas, a letter the fonts lack becomes ?, and an emoji is left out', async () => {
  const its = await paper({ hasPictures: false })
  expect(textWidth('手', its.regular, 10)).toBe(textWidth('?', its.regular, 10))
  expect(textWidth('👍', its.regular, 10)).toBe(0)
})
