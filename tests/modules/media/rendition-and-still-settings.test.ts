import { expect, test } from 'vitest'
import type { FrameTable } from '../../../modules/media/frames.ts'
import { haveSameFrames } from '../../../modules/media/preparation-process/frame-parity.ts'
import { REFUSAL_MESSAGES } from '../../../modules/media/preparation-process/media-refusal.ts'
import {
  filmstripFrames,
  filmstripGrid,
  posterFrame,
  posterSize,
  renditionFilters,
} from '../../../modules/media/preparation-process/rendition-and-still-settings.ts'

// These tests check how the original becomes the rendition: sizes, rotation, and which frames become stills.

const ordinary = { primaries: 1, transfer: 1, matrix: 1 }
const hlg = { primaries: 9, transfer: 18, matrix: 9 }
const unspecified = { primaries: 2, transfer: 2, matrix: 2 }

const landscape = { width: 1920, height: 1080, hdr: false }
const portrait = { width: 1080, height: 1920, hdr: false }

test.each([
  ['not turned', { ...landscape, rotation: 0 }, false, 'scale=1280:720:flags=bicubic:out_range=tv,setsar=1,format=yuv420p'],
  [
    'held upright',
    { ...portrait, rotation: 90 },
    false,
    'scale=1280:720:flags=bicubic:out_range=tv,transpose=clock,setsar=1,format=yuv420p',
  ],
  ['upside down', { ...landscape, rotation: 180 }, false, 'scale=1280:720:flags=bicubic:out_range=tv,hflip,vflip,setsar=1,format=yuv420p'],
  [
    'held upright the other way, and mirrored',
    { ...portrait, rotation: 270 },
    true,
    'scale=1280:720:flags=bicubic:out_range=tv,transpose=cclock,hflip,setsar=1,format=yuv420p',
  ],
] as const)('a picture is scaled before it is rotated: %s', (_, media, flip, filters) => {
  expect([renditionFilters(media, flip, ordinary), renditionFilters(media, flip, unspecified)]).toEqual([filters, filters])
})

test('an HDR picture is tone-mapped after scaling and before rotating', () => {
  for (const hdr of [true, false]) {
    const filters = renditionFilters({ ...portrait, hdr, rotation: 90 }, false, hlg).split(',')
    expect([filters[0], filters.slice(-3)]).toEqual(['scale=1280:720:flags=bicubic', ['transpose=clock', 'setsar=1', 'format=yuv420p']])
    expect(filters.slice(1, -3).map(f => f.split('=')[0])).toEqual(['setparams', 'zscale', 'format', 'zscale', 'tonemap', 'zscale'])
  }
})

test('wide-gamut colors of standard brightness are only converted to BT.709', () => {
  for (const colors of [unspecified, { primaries: 12, transfer: 1, matrix: 1 }]) {
    const filters = renditionFilters({ ...landscape, hdr: true, rotation: 0 }, false, colors)
    expect(filters).toContain('zscale=primaries=bt709')
    expect(filters).not.toContain('tonemap')
  }
})

test('a filmstrip has sixty stills in rows of ten, or as many as there are frames', () => {
  const of = (frames: number) => filmstripGrid({ width: 1280, height: 720, frames })
  expect(of(300)).toEqual({ width: 160, height: 90, count: 60, columns: 10, rows: 6 })
  expect(of(25)).toMatchObject({ count: 25, columns: 10, rows: 3 })
  expect(of(7)).toMatchObject({ count: 7, columns: 7, rows: 1 })
})

test('each still of a filmstrip is from the middle of its part of the video', () => {
  expect(filmstripFrames(60, 60)).toEqual(Array.from({ length: 60 }, (_, i) => i))
  expect(filmstripFrames(10, 3)).toEqual([1, 5, 8])
  expect(filmstripFrames(1200, 60).slice(0, 3)).toEqual([10, 30, 50])
})

test('the poster is the frame at 40 % of the video, at most 480 lines high', () => {
  expect([60, 7, 1].map(posterFrame)).toEqual([24, 2, 0])
  expect([posterSize({ width: 1280, height: 720 }), posterSize({ width: 320, height: 240 })]).toEqual([
    { width: 854, height: 480 },
    { width: 320, height: 240 },
  ])
})

test('two videos match if their frames begin at the same times, to 1/90,000 s', () => {
  const table = (scale: number, first: number, ...runs: FrameTable['runs']): FrameTable => ({ version: 1, scale, first, runs })
  const original = table(600, 0, [30, 20], [30, 10])
  const made = table(90_000, 45_000, [30, 3000], [30, 1500])
  expect([haveSameFrames(original, made), haveSameFrames(made, original)]).toEqual([true, true])
  const shorter = table(600, 0, [30, 20], [29, 10])
  expect([haveSameFrames(original, shorter), haveSameFrames(shorter, original)]).toEqual([false, false])
  expect(haveSameFrames(original, table(600, 0, [29, 20], [31, 10]))).toBe(false)
  const off = (ticks: number) => table(900_000, 0, [1, 30_000 + ticks], [29, 30_000], [30, 15_000])
  expect([off(9), off(-9), off(11), off(-11)].map(other => haveSameFrames(original, other))).toEqual([true, true, false, false])
})

test('each reason for a refusal is a complete sentence', () => {
  for (const message of Object.values(REFUSAL_MESSAGES)) expect(message).toMatch(/^[A-Z].{20,}\.$/)
})
