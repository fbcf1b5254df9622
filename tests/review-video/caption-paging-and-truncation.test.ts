import { expect, test } from 'vitest'
import {
  captionLinesAt,
  MAX_CAPTION_LINES,
  mayNeedCaptionPages,
  shortenToWidth,
} from '../../src/review-video/caption-paging-and-truncation.ts'
import { wrapTextToWidth } from '../../src/ui/wrap-text-to-width.ts'

const length = (text: string) => text.length

test('text is wrapped into lines that fit, and a word wider than a line is split', () => {
  expect(wrapTextToWidth('Keep your hands\nback', 10, length)).toEqual(['Keep your', 'hands', 'back'])
  expect(wrapTextToWidth('ok extraordinarily', 8, length)).toEqual(['ok', 'extraord', 'inarily'])
})

test('each page of a long caption is shown for a time proportional to its lines', () => {
  const lines = Array.from({ length: 2 * MAX_CAPTION_LINES + 2 }, (_, i) => `line ${i}`)
  expect(captionLinesAt(lines, 0)).toEqual(lines.slice(0, 4))
  expect(captionLinesAt(lines, 0.39)).toEqual(lines.slice(0, 4))
  expect(captionLinesAt(lines, 0.41)).toEqual(lines.slice(4, 8))
  expect(captionLinesAt(lines, 0.99)).toEqual(lines.slice(8))
  expect(captionLinesAt(lines, 1)).toEqual(lines.slice(8))
})

test('a caption may need pages if it is long or has many line breaks', () => {
  expect(mayNeedCaptionPages('Hands\nback\nand\nstay')).toBe(false)
  expect(mayNeedCaptionPages('1\n2\n3\n4\n5')).toBe(true)
  expect(mayNeedCaptionPages('Keep your hands back. '.repeat(4))).toBe(true)
})

test('text that is too long is cut after a whole character and ends with an ellipsis', () => {
  expect(shortenToWidth('Tee work', 8, length)).toBe('Tee work')
  expect(shortenToWidth('Tee work, June', 8, length)).toBe('Tee wor…')
  expect(shortenToWidth('Tee work', 5, length)).toBe('Tee…')
  // The family emoji is one character of eleven code units.
  expect(shortenToWidth('a👨‍👩‍👧‍👦b', 11, length)).toBe('a…')
  expect(shortenToWidth('Tee', 0, length)).toBe('…')
})
