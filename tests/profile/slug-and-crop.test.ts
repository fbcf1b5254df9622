import { expect, test } from 'vitest'
import { clampCrop } from '../../src/profile/CropDialog.tsx'
import { SLUG_PATTERN, suggestedSlugOf } from '../../src/profile/slug.ts'

test('the suggested slug of a profile comes from the name', () => {
  expect(suggestedSlugOf('Ana María Díaz')).toBe('ana-maria-diaz')
  expect(suggestedSlugOf("  Pat O'Neil!  ")).toBe('pat-o-neil')
  // The 60th character of this name is the space between the two parts.
  expect(suggestedSlugOf(`${'a'.repeat(59)} Diaz`)).toBe('a'.repeat(59))
  expect(['ana-diaz', '9'].every(s => SLUG_PATTERN.test(s))).toBe(true)
  expect(['-ana', 'ana--d', 'Ana', 'ana ', ''].some(s => SLUG_PATTERN.test(s))).toBe(false)
})

test('a cropped photo always covers the square', () => {
  const wide = [2000, 1000] as const
  expect(clampCrop({ x: 9999, y: 50, zoom: 1 }, ...wide)).toEqual({ x: 140, y: 0, zoom: 1 })
  expect(clampCrop({ x: -9999, y: -9999, zoom: 2 }, ...wide)).toEqual({ x: -420, y: -140, zoom: 2 })
})
