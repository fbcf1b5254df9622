import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validateVideoContainer } from '../../../modules/media/check-video-type-and-completeness.ts'
import { UnplayableFileError } from '../../../modules/media/unplayable-file-error.ts'
import { validateMp4AndReadDuration } from '../../../modules/media/validate-mp4-and-read-duration.ts'
import {
  byteSourceOf,
  fillerBytes,
  ftypBox,
  joinBytes,
  liveWebmFile,
  minimalMp4File,
  movFile,
  mp4Box,
  mp4BoxWithLargeSize,
  mvhdBox,
  mvhdBoxVersion1,
  webmFile,
} from './container-builders.ts'

const look = (file: Uint8Array, declared: string) => validateVideoContainer(byteSourceOf(file), declared)
const refused = (code: string) => expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].*[.]$/) })

test('MP4, MOV and WEBM are recognized by their first bytes, and have a duration', async () => {
  expect(await look(minimalMp4File(), 'video/mp4')).toEqual({ milliseconds: 2500 })
  expect(await look(minimalMp4File('M4V '), 'video/mp4')).toEqual({ milliseconds: 2500 })
  expect(await look(movFile(), 'video/quicktime')).toEqual({ milliseconds: 2500 })
  expect(await look(webmFile(), 'video/webm')).toEqual({ milliseconds: 2500 })
})

test('an MP4 may lack `ftyp`, have 64-bit sizes, an open last box, gaps or fragments', async () => {
  const old = joinBytes(mp4Box('moov', mvhdBox(600, 600)), mp4Box('mdat', fillerBytes()))
  expect(await look(old, 'video/quicktime')).toEqual({ milliseconds: 1000 })
  const wide = joinBytes(
    ftypBox('qt  '),
    mp4BoxWithLargeSize('mdat', [...fillerBytes()]),
    mp4Box('free', fillerBytes(100)),
    mp4Box('moov', mvhdBox(600, 600)),
  )
  expect(await look(wide, 'video/quicktime')).toEqual({ milliseconds: 1000 })
  const open = joinBytes(
    ftypBox('mp42'),
    mp4Box('moov', mvhdBox(600, 600)),
    [0, 0, 0, 0],
    [...'mdat'].map(c => c.charCodeAt(0)),
    fillerBytes(),
  )
  expect(await look(open, 'video/mp4')).toEqual({ milliseconds: 1000 })
  const fragment = joinBytes(mp4Box('moof', fillerBytes(50)), mp4Box('mdat', fillerBytes(100)))
  const fragments = joinBytes(ftypBox('iso5'), mp4Box('moov', mvhdBox(600, 0)), ...Array<Uint8Array>(50).fill(fragment))
  expect(await look(fragments, 'video/mp4')).toEqual({ milliseconds: null })
})

test('a live recording has neither duration nor size', async () => {
  expect(await look(liveWebmFile(), 'video/webm')).toEqual({ milliseconds: null })
})

test('any sequence of bytes results in a duration or a refusal', async () => {
  const kinds = [minimalMp4File(), movFile(), webmFile(), liveWebmFile()]
  const damagedFiles = fc
    .tuple(fc.constantFrom(...kinds), fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 20 }), fc.nat(700))
    .map(([file, changes, cut]) => {
      const bytes = file.slice(0, file.length - (cut % 7 === 0 ? cut : 0))
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      return bytes
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(damagedFiles, fc.uint8Array({ maxLength: 500 })), async file => {
      for (const declared of ['video/mp4', 'video/quicktime', 'video/webm']) {
        await look(file, declared).catch(error => {
          if (!(error instanceof UnplayableFileError)) throw error
        })
      }
    }),
    { numRuns: 2000 },
  )
})

describe('the boxes of an MP4', () => {
  const walk = (...parts: (Uint8Array | number[])[]) => validateMp4AndReadDuration(byteSourceOf(joinBytes(...parts)))
  const rest = mp4Box('mdat', fillerBytes())
  /** Build `mvhd` boxes that declare 2.5 s and contain `bytes` bytes: `narrow` of version 0, `wide` of version 1. */
  const narrow = (bytes: number) => mp4Box('mvhd', mvhdBox(600, 1500).slice(8, 8 + bytes))
  const wide = (bytes: number) => mp4Box('mvhd', mvhdBoxVersion1(600, 0, 1500).slice(8, 8 + bytes))
  const moov = (...boxes: (Uint8Array | number[])[]) => mp4Box('moov', ...boxes)

  test.each([
    ['two movie headers, of which the first counts', [moov(mvhdBox(600, 1500)), rest, moov(mvhdBox(600, 600))], 2500],
    ['the shortest header', [moov(narrow(20)), rest], 2500],
    ['the shortest wide header', [moov(wide(32)), rest], 2500],
    ['a whole wide header', [moov(mvhdBoxVersion1(600, 0, 1500)), rest], 2500],
    ['a header without a length', [moov(mvhdBox(600, 0)), rest], null],
    ['a header without a scale', [moov(mvhdBox(0, 600)), rest], null],
    ['a header after its `moov`, which does not count', [moov(mp4Box('trak')), mvhdBox(600, 1500), rest], null],
    ['an empty `moov`', [moov(), mvhdBox(600, 1500), rest], null],
    ['a header that is the tenth box of `moov`', [moov(...Array<Uint8Array>(9).fill(mp4Box('free')), mvhdBox(600, 1500)), rest], 2500],
    ['a header that is the eleventh box of `moov`', [moov(...Array<Uint8Array>(10).fill(mp4Box('free')), mvhdBox(600, 1500)), rest], null],
    ['an empty box at the end', [moov(mvhdBox(600, 1500)), rest, mp4Box('free')], 2500],
    ['an empty wide box', [moov(mvhdBox(600, 1500)), mp4BoxWithLargeSize('free', []), rest], 2500],
    [
      'a thousand boxes, and then anything',
      [moov(mvhdBox(600, 1500)), ...Array<Uint8Array>(998).fill(mp4Box('free')), rest, fillerBytes(9)],
      2500,
    ],
  ])('give the right duration, or none: %s', async (_, parts, milliseconds) => expect(await walk(...parts)).toBe(milliseconds))

  test.each([
    ['no movie header', [mp4Box('ftyp'), rest], 'truncated'],
    ['no media', [mp4Box('ftyp'), moov(mvhdBox(600, 1500))], 'truncated'],
    ['seven bytes too many', [moov(mvhdBox(600, 1500)), rest, fillerBytes(7)], 'truncated'],
    ['a box that is longer than the file', [moov(mvhdBox(600, 1500)), rest.slice(0, -1)], 'truncated'],
    ['a box of seven bytes', [moov(mvhdBox(600, 1500)), rest, [0, 0, 0, 7], fillerBytes(4)], 'damaged'],
    ['a wide box whose size is cut off', [moov(mvhdBox(600, 1500)), rest, mp4BoxWithLargeSize('free', []).slice(0, 15)], 'damaged'],
    ['a wide box of fifteen bytes', [moov(mvhdBox(600, 1500)), rest, mp4BoxWithLargeSize('free', []).with(15, 15)], 'damaged'],
    ['a header that is too short', [moov(narrow(19), fillerBytes(40)), rest], 'damaged'],
    ['a wide header that is too short', [moov(wide(31), fillerBytes(40)), rest], 'damaged'],
    ['thousands of boxes without media', [moov(mvhdBox(600, 1500)), ...Array<Uint8Array>(999).fill(mp4Box('free')), rest], 'truncated'],
  ])('are refused: %s', async (_, parts, code) => expect(walk(...parts)).rejects.toEqual(refused(code)))
})

test('a video may declare at most twelve hours', async () => {
  const lasting = (seconds: number) => joinBytes(ftypBox('isom'), mp4Box('moov', mvhdBox(1, seconds)), mp4Box('mdat', fillerBytes()))
  expect(await look(lasting(43_200), 'video/mp4')).toEqual({ milliseconds: 43_200_000 })
  const tooLong = look(lasting(43_201), 'video/mp4')
  await expect(tooLong).rejects.toEqual(refused('damaged'))
  await expect(tooLong).rejects.toThrow('more than 12 hours')
})
