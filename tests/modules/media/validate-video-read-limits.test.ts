import { describe, expect, test } from 'vitest'
import { validateVideoContainer } from '../../../modules/media/check-video-type-and-completeness.ts'
import { UnplayableFileError } from '../../../modules/media/unplayable-file-error.ts'
import {
  byteSourceOf,
  ebmlHeader,
  fillerBytes,
  fillerWebmCluster,
  fillerWebmTracks,
  ftypBox,
  joinBytes,
  minimalMp4File,
  mp4Box,
  mvhdBox,
  WEBM_SEGMENT_ID,
  webmElement,
  webmInfo,
} from './container-builders.ts'

const look = (file: Uint8Array, declared: string) => validateVideoContainer(byteSourceOf(file), declared)
const refused = (code: string) => expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].*[.]$/) })

test('validating a 300 MB file takes only a few small reads', async () => {
  const head = joinBytes(ftypBox('isom'), mp4Box('moov', mvhdBox(600, 1500)))
  const size = 300 * 1024 * 1024
  const mdat = size - head.length - 2000
  const tail = joinBytes(
    [0, 0, 2000 >> 8, 2000 & 255],
    [...'free'].map(c => c.charCodeAt(0)),
  )
  const sparse = joinBytes(
    head,
    [mdat >>> 24, (mdat >>> 16) & 255, (mdat >>> 8) & 255, mdat & 255],
    [...'mdat'].map(c => c.charCodeAt(0)),
  )
  let reads = 0
  let bytes = 0
  const read = async (start: number, end: number) => {
    reads++
    bytes += end - start
    const piece = new Uint8Array(end - start)
    if (start < sparse.length) piece.set(sparse.slice(start, Math.min(end, sparse.length)))
    if (start >= size - 2000) piece.set(tail)
    return piece
  }
  expect(await validateVideoContainer({ bytes: size, read }, 'video/mp4')).toEqual({ milliseconds: 2500 })
  expect(reads).toBeLessThan(5)
  expect(bytes).toBeLessThan(300_000)
})

/** Validates a file. @returns its duration, and how often it was read */
async function read(file: Uint8Array, declared: string) {
  let reads = 0
  const source = byteSourceOf(file)
  const counted = (start: number, end: number) => {
    reads++
    return source.read(start, end)
  }
  return { ...(await validateVideoContainer({ ...source, read: counted }, declared)), reads }
}

describe('a file with very many parts is not read to its end', () => {
  // Each box is longer than the read-ahead, so each costs a read.
  const long = mp4Box('free', new Uint8Array(70_000))
  test('at most a thousand boxes of an MP4 are read', async () => {
    const parts = (boxes: number) => joinBytes(ftypBox('isom'), ...Array<Uint8Array>(boxes).fill(mp4Box('free')))
    const late = joinBytes(parts(997), mp4Box('mdat', fillerBytes()), mp4Box('moov', mvhdBox(600, 1500)))
    expect(await look(late, 'video/mp4')).toEqual({ milliseconds: 2500 })
    await expect(look(joinBytes(parts(1000), late), 'video/mp4')).rejects.toEqual(refused('truncated'))
    const { reads } = await read(joinBytes(minimalMp4File(), ...Array<Uint8Array>(1100).fill(long)), 'video/mp4')
    expect(reads).toBeLessThan(1010)
  })
  test("an MP4's duration is unknown if its header is not among the first ten boxes", async () => {
    const behind = (boxes: number) =>
      joinBytes(
        ftypBox('isom'),
        mp4Box('moov', ...Array<Uint8Array>(boxes).fill(mp4Box('free')), mvhdBox(600, 1500)),
        mp4Box('mdat', fillerBytes()),
      )
    expect(await look(behind(9), 'video/mp4')).toEqual({ milliseconds: 2500 })
    expect(await look(behind(10), 'video/mp4')).toEqual({ milliseconds: null })
  })
  const INFO = [0x15, 0x49, 0xa9, 0x66]
  const scaleOf = (...bytes: number[]) => webmElement([0x2a, 0xd7, 0xb1], bytes)
  const lengthOf = (...bytes: number[]) => webmElement([0x44, 0x89], bytes)
  test.each<[number | null, string, Uint8Array[]]>([
    [2500, 'half milliseconds', [scaleOf(7, 0xa1, 0x20), lengthOf(0x45, 0x9c, 0x40, 0)]],
    [2500, 'half milliseconds in eight bytes', [scaleOf(0, 0, 0, 0, 0, 7, 0xa1, 0x20), lengthOf(0x45, 0x9c, 0x40, 0)]],
    [2500, 'a scale of more than eight bytes, which is ignored', [scaleOf(1, 0, 0, 0, 0, 0, 0, 0, 1), lengthOf(0x45, 0x1c, 0x40, 0)]],
    [
      2500,
      'other elements around it',
      [
        webmElement([0xec], fillerBytes(4)),
        lengthOf(0x45, 0x1c, 0x40, 0),
        webmElement([0xec], fillerBytes(4)),
        webmElement([0xec], fillerBytes(8)),
      ],
    ],
    [null, 'a length of five bytes', [lengthOf(0x45, 0x1c, 0x40, 0, 0)]],
  ])("a WEBM's duration is %s ms with %s", async (milliseconds, _, elements) => {
    expect(
      await look(
        joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, webmElement(INFO, ...elements), fillerWebmTracks, fillerWebmCluster)),
        'video/webm',
      ),
    ).toEqual({ milliseconds })
  })
  test('the size of a WEBM element is unknown only if all its bits are ones', async () => {
    const void_ = (size: number[], bytes: number) => joinBytes([0xec], size, new Uint8Array(bytes).fill(7))
    for (const [size, bytes] of [
      [[0x40, 0xff], 255],
      [[0x7f, 0x00], 0x3f00],
      [[0x3f, 0xff, 0x00], 0x1fff00],
    ] as const)
      expect(
        await look(
          joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, void_([...size], bytes), webmInfo, fillerWebmTracks, fillerWebmCluster)),
          'video/webm',
        ),
      ).toEqual({
        milliseconds: 2500,
      })
    const unknown = [0x01, ...Array<number>(7).fill(255)]
    await expect(look(joinBytes(ebmlHeader, WEBM_SEGMENT_ID, unknown, new Uint8Array(40)), 'video/webm')).rejects.toEqual(
      refused('damaged'),
    )
    await expect(
      look(joinBytes(ebmlHeader, WEBM_SEGMENT_ID, unknown, INFO, unknown, [0x44, 0x89, 0x88, 0x40]), 'video/webm'),
    ).rejects.toEqual(refused('truncated'))
  })
  test("a WEBM's tracks, media and duration must be in its first 50 elements", async () => {
    const empty = (count: number) => Array<Uint8Array>(count).fill(webmElement([0xec], fillerBytes(2)))
    const behind = (count: number) =>
      joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, ...empty(count), webmInfo, fillerWebmTracks, fillerWebmCluster))
    expect(await look(behind(47), 'video/webm')).toEqual({ milliseconds: 2500 })
    await expect(look(behind(48), 'video/webm')).rejects.toEqual(refused('truncated'))
    const [scale, length] = [webmElement([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40]), webmElement([0x44, 0x89], [0x45, 0x1c, 0x40, 0])]
    const inside = (count: number) =>
      joinBytes(
        ebmlHeader,
        webmElement(
          WEBM_SEGMENT_ID,
          webmElement([0x15, 0x49, 0xa9, 0x66], ...empty(count), scale, length),
          fillerWebmTracks,
          fillerWebmCluster,
        ),
      )
    expect(await look(inside(48), 'video/webm')).toEqual({ milliseconds: 2500 })
    expect(await look(inside(49), 'video/webm')).toEqual({ milliseconds: null })
  })
})

describe('only few headers are read, with little data at a time, in', () => {
  const HALF_A_GIGABYTE = 500_000_000
  /** Simulates a 500 MB file that begins with `start` and then repeats `piece`. Counts the reads. */
  function endless(start: Uint8Array, piece: Uint8Array) {
    const cost = { reads: 0, bytes: 0, most: 0 }
    const read = async (from: number, to: number) => {
      cost.reads++
      cost.bytes += to - from
      cost.most = Math.max(cost.most, to - from)
      return Uint8Array.from({ length: to - from }, (_, i) => {
        const at = from + i - start.length
        return at < 0 ? start[from + i]! : piece[at % piece.length]!
      })
    }
    return { cost, source: { bytes: HALF_A_GIGABYTE, read } }
  }
  const size = (type: string, bytes: number) =>
    joinBytes([bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255], ascii(type))
  const ascii = (s: string) => [...s].map(c => c.charCodeAt(0))
  const free = mp4Box('free', new Uint8Array(9000))
  const unknown = [0x01, 255, 255, 255, 255, 255, 255, 255]
  const empty = webmElement([0xec], new Uint8Array(9000))
  const blankInfo = webmElement([0x15, 0x49, 0xa9, 0x66], ...Array<Uint8Array>(60).fill(empty))
  const cases: [string, string, Uint8Array, Uint8Array][] = [
    ['millions of empty boxes', 'video/mp4', ftypBox('isom'), mp4Box('free')],
    ['a movie header of millions of boxes', 'video/mp4', joinBytes(ftypBox('isom'), size('moov', HALF_A_GIGABYTE - 16)), mp4Box('free')],
    ['thousands of movie headers with ten boxes each', 'video/mp4', ftypBox('isom'), mp4Box('moov', ...Array<Uint8Array>(10).fill(free))],
    ['boxes that are farther apart than is read at once', 'video/quicktime', ftypBox('qt  '), free],
    ['a box of 2^64 bytes', 'video/mp4', ftypBox('isom'), joinBytes([0, 0, 0, 1], ascii('mdat'), Array<number>(8).fill(255))],
    ['a movie header of 2^64 bytes', 'video/mp4', ftypBox('isom'), joinBytes([0, 0, 0, 1], ascii('moov'), Array<number>(8).fill(255))],
    ['millions of empty elements', 'video/webm', joinBytes(ebmlHeader, WEBM_SEGMENT_ID, unknown), webmElement([0xec])],
    ['elements of one byte', 'video/webm', joinBytes(ebmlHeader, WEBM_SEGMENT_ID, unknown), new Uint8Array([0xec, 0x80])],
    ['infos of sixty elements each', 'video/webm', joinBytes(ebmlHeader, WEBM_SEGMENT_ID, unknown), blankInfo],
    [
      'an element of 2^56 bytes',
      'video/webm',
      joinBytes(ebmlHeader, WEBM_SEGMENT_ID, unknown),
      joinBytes([0xec, 0x01], Array<number>(7).fill(254)),
    ],
  ]
  test.each(cases)('%s', async (_, declared, start, piece) => {
    const { cost, source } = endless(start, piece)
    await validateVideoContainer(source, declared).catch(error => {
      if (!(error instanceof UnplayableFileError)) throw error
    })
    expect(cost.reads).toBeLessThanOrEqual(1015)
    expect(cost.most).toBeLessThanOrEqual(8192)
    expect(cost.bytes).toBeLessThanOrEqual(8_400_000)
  })
})
