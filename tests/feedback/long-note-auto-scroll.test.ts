import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pagedScrollTopAt } from '../../src/feedback/watch/use-note-text-auto-scroll.ts'

const OVERLAP = 28

test('text that fits is never scrolled', () => {
  for (const part of [0, 0.5, 0.999]) expect(pagedScrollTopAt(part, 150, 150, OVERLAP)).toBe(0)
})

test('each page is shown for as long as it takes to read its lines', () => {
  const topsOf = (textHeight: number) => [0, 0.3, 0.4, 0.6, 0.7, 1].map(part => pagedScrollTopAt(part, 128, textHeight, OVERLAP))
  expect(topsOf(300)).toEqual([0, 0, 100, 100, 200, 200])
  // A last page that adds only one line is shown briefly, and takes no time from the other pages.
  expect(topsOf(240)).toEqual([0, 0, 0, 100, 100, 200])
})

test('by the end, every part of the text has been visible', () => {
  const sizes = fc.record({ height: fc.integer({ min: 60, max: 400 }), textHeight: fc.integer({ min: 20, max: 3000 }) })
  fc.assert(
    fc.property(sizes, ({ height, textHeight }) => {
      const tops = Array.from({ length: 1001 }, (_, i) => pagedScrollTopAt(i / 1000, height, textHeight, OVERLAP))
      expect(tops[0]).toBe(0)
      for (const [i, top] of tops.slice(1).entries()) expect(top - tops[i]!).toBeLessThanOrEqual(height)
      expect(tops.at(-1)! + height).toBeGreaterThanOrEqual(textHeight)
    }),
  )
})
