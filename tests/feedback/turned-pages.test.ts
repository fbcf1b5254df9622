import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageTopAt } from '../../src/feedback/watch/use-turned-pages.ts'

test('a text that fits is never scrolled', () => {
  for (const part of [0, 0.5, 0.999, 1]) expect(pageTopAt(part, 150, 150)).toBe(0)
})

test('a text of three pages gets a third of the time for each, and its lines overlap', () => {
  const tops = [0, 0.3, 0.4, 0.6, 0.7, 1].map(part => pageTopAt(part, 128, 300))
  expect(tops).toEqual([0, 0, 100, 100, 200, 200])
})

test('by the end, every part of a text was visible, from its top to its bottom', () => {
  const sizes = fc.record({ height: fc.integer({ min: 60, max: 400 }), textHeight: fc.integer({ min: 20, max: 3000 }) })
  fc.assert(
    fc.property(sizes, ({ height, textHeight }) => {
      const tops = Array.from({ length: 1001 }, (_, i) => pageTopAt(i / 1000, height, textHeight))
      expect(tops[0]).toBe(0)
      for (const [i, top] of tops.slice(1).entries()) expect(top - tops[i]!).toBeLessThanOrEqual(height)
      expect(tops.at(-1)! + height).toBeGreaterThanOrEqual(textHeight)
    }),
  )
})
