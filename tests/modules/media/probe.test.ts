import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { walkMp4Boxes } from '../../../modules/media/mp4-boxes.ts'
import { probe } from '../../../modules/media/probe.ts'
import { UnplayableFile } from '../../../modules/media/windowed-source.ts'
import {
  box,
  cluster,
  ebml,
  element,
  ftyp,
  info,
  join,
  liveWebm,
  media,
  mov,
  mp4,
  mvhd,
  SEGMENT,
  sourceOf,
  tracks,
  webm,
  wideBox,
  wideMvhd,
} from './container-builders.ts'

const look = (file: Uint8Array, declared: string) => probe(sourceOf(file), declared)
const refused = (code: string) => expect.objectContaining({ code, message: expect.stringMatching(/^[A-Z].*[.]$/) })

test('MP4, MOV and WEBM are known by their first bytes, and say how long they are', async () => {
  expect(await look(mp4(), 'video/mp4')).toEqual({ milliseconds: 2500 })
  expect(await look(mp4('M4V '), 'video/mp4')).toEqual({ milliseconds: 2500 })
  expect(await look(mov(), 'video/quicktime')).toEqual({ milliseconds: 2500 })
  expect(await look(webm(), 'video/webm')).toEqual({ milliseconds: 2500 })
})

test('reads movies without `ftyp`, wide sizes, an open last box, free space, fragments', async () => {
  const old = join(box('moov', mvhd(600, 600)), box('mdat', media()))
  expect(await look(old, 'video/quicktime')).toEqual({ milliseconds: 1000 })
  const wide = join(ftyp('qt  '), wideBox('mdat', [...media()]), box('free', media(100)), box('moov', mvhd(600, 600)))
  expect(await look(wide, 'video/quicktime')).toEqual({ milliseconds: 1000 })
  const open = join(
    ftyp('mp42'),
    box('moov', mvhd(600, 600)),
    [0, 0, 0, 0],
    [...'mdat'].map(c => c.charCodeAt(0)),
    media(),
  )
  expect(await look(open, 'video/mp4')).toEqual({ milliseconds: 1000 })
  const fragment = join(box('moof', media(50)), box('mdat', media(100)))
  const fragments = join(ftyp('iso5'), box('moov', mvhd(600, 0)), ...Array<Uint8Array>(50).fill(fragment))
  expect(await look(fragments, 'video/mp4')).toEqual({ milliseconds: null })
})

test('a live recording has no length and no size', async () => {
  expect(await look(liveWebm(), 'video/webm')).toEqual({ milliseconds: null })
})

test('a file of 300 MB costs a handful of small reads', async () => {
  const head = join(ftyp('isom'), box('moov', mvhd(600, 1500)))
  const size = 300 * 1024 * 1024
  const mdat = size - head.length - 2000
  const tail = join(
    [0, 0, 2000 >> 8, 2000 & 255],
    [...'free'].map(c => c.charCodeAt(0)),
  )
  const sparse = join(
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
  expect(await probe({ bytes: size, read }, 'video/mp4')).toEqual({ milliseconds: 2500 })
  expect(reads).toBeLessThan(5)
  expect(bytes).toBeLessThan(300_000)
})

/** How often a file is read, and what it is found to be. */
async function read(file: Uint8Array, declared: string) {
  let reads = 0
  const source = sourceOf(file)
  const counted = (start: number, end: number) => {
    reads++
    return source.read(start, end)
  }
  return { ...(await probe({ ...source, read: counted }, declared)), reads }
}

describe('a file of very many parts is not read to its end', () => {
  // Each box is longer than the read-ahead, so each costs a read.
  const long = box('free', new Uint8Array(70_000))
  test('an MP4 is walked for a thousand boxes', async () => {
    const parts = (boxes: number) => join(ftyp('isom'), ...Array<Uint8Array>(boxes).fill(box('free')))
    const late = join(parts(997), box('mdat', media()), box('moov', mvhd(600, 1500)))
    expect(await look(late, 'video/mp4')).toEqual({ milliseconds: 2500 })
    await expect(look(join(parts(1000), late), 'video/mp4')).rejects.toEqual(refused('truncated'))
    const { reads } = await read(join(mp4(), ...Array<Uint8Array>(1100).fill(long)), 'video/mp4')
    expect(reads).toBeLessThan(1010)
  })
  test("a movie's header is among its first ten boxes, or its length stays unknown", async () => {
    const behind = (boxes: number) =>
      join(ftyp('isom'), box('moov', ...Array<Uint8Array>(boxes).fill(box('free')), mvhd(600, 1500)), box('mdat', media()))
    expect(await look(behind(9), 'video/mp4')).toEqual({ milliseconds: 2500 })
    expect(await look(behind(10), 'video/mp4')).toEqual({ milliseconds: null })
  })
  const INFO = [0x15, 0x49, 0xa9, 0x66]
  const scaleOf = (...bytes: number[]) => element([0x2a, 0xd7, 0xb1], bytes)
  const lengthOf = (...bytes: number[]) => element([0x44, 0x89], bytes)
  test.each<[number | null, string, Uint8Array[]]>([
    [2500, 'half milliseconds', [scaleOf(7, 0xa1, 0x20), lengthOf(0x45, 0x9c, 0x40, 0)]],
    [2500, 'half milliseconds in eight bytes', [scaleOf(0, 0, 0, 0, 0, 7, 0xa1, 0x20), lengthOf(0x45, 0x9c, 0x40, 0)]],
    [2500, 'a scale that is no number of ours', [scaleOf(1, 0, 0, 0, 0, 0, 0, 0, 1), lengthOf(0x45, 0x1c, 0x40, 0)]],
    [
      2500,
      'others around it',
      [element([0xec], media(4)), lengthOf(0x45, 0x1c, 0x40, 0), element([0xec], media(4)), element([0xec], media(8))],
    ],
    [null, 'five bytes', [lengthOf(0x45, 0x1c, 0x40, 0, 0)]],
  ])('a WEBM is of %s ms, said with %s', async (milliseconds, _, its) => {
    expect(await look(join(ebml, element(SEGMENT, element(INFO, ...its), tracks, cluster)), 'video/webm')).toEqual({ milliseconds })
  })
  test('a WEBM size of all ones is unknown, and no number begins with a zero byte', async () => {
    const void_ = (size: number[], bytes: number) => join([0xec], size, new Uint8Array(bytes).fill(7))
    for (const [size, bytes] of [
      [[0x40, 0xff], 255],
      [[0x7f, 0x00], 0x3f00],
      [[0x3f, 0xff, 0x00], 0x1fff00],
    ] as const)
      expect(await look(join(ebml, element(SEGMENT, void_([...size], bytes), info, tracks, cluster)), 'video/webm')).toEqual({
        milliseconds: 2500,
      })
    const unknown = [0x01, ...Array<number>(7).fill(255)]
    await expect(look(join(ebml, SEGMENT, unknown, new Uint8Array(40)), 'video/webm')).rejects.toEqual(refused('damaged'))
    await expect(look(join(ebml, SEGMENT, unknown, INFO, unknown, [0x44, 0x89, 0x88, 0x40]), 'video/webm')).rejects.toEqual(
      refused('truncated'),
    )
  })
  test("a WEBM's tracks and media are in its first 50 elements, its length in the info", async () => {
    const empty = (count: number) => Array<Uint8Array>(count).fill(element([0xec], media(2)))
    const behind = (count: number) => join(ebml, element(SEGMENT, ...empty(count), info, tracks, cluster))
    expect(await look(behind(47), 'video/webm')).toEqual({ milliseconds: 2500 })
    await expect(look(behind(48), 'video/webm')).rejects.toEqual(refused('truncated'))
    const [scale, length] = [element([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40]), element([0x44, 0x89], [0x45, 0x1c, 0x40, 0])]
    const inside = (count: number) =>
      join(ebml, element(SEGMENT, element([0x15, 0x49, 0xa9, 0x66], ...empty(count), scale, length), tracks, cluster))
    expect(await look(inside(48), 'video/webm')).toEqual({ milliseconds: 2500 })
    expect(await look(inside(49), 'video/webm')).toEqual({ milliseconds: null })
  })
})

describe('whatever the headers claim, few of them are read, and little at once', () => {
  const HALF_A_GIGABYTE = 500_000_000
  /** A file as large as one may be: a beginning, and then the same piece again and again. */
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
  const size = (type: string, bytes: number) => join([bytes >>> 24, (bytes >>> 16) & 255, (bytes >>> 8) & 255, bytes & 255], ascii(type))
  const ascii = (s: string) => [...s].map(c => c.charCodeAt(0))
  const free = box('free', new Uint8Array(9000))
  const unknown = [0x01, 255, 255, 255, 255, 255, 255, 255]
  const empty = element([0xec], new Uint8Array(9000))
  const blankInfo = element([0x15, 0x49, 0xa9, 0x66], ...Array<Uint8Array>(60).fill(empty))
  const cases: [string, string, Uint8Array, Uint8Array][] = [
    ['millions of empty boxes', 'video/mp4', ftyp('isom'), box('free')],
    ['a movie header of millions of boxes', 'video/mp4', join(ftyp('isom'), size('moov', HALF_A_GIGABYTE - 16)), box('free')],
    ['thousands of movie headers with ten boxes each', 'video/mp4', ftyp('isom'), box('moov', ...Array<Uint8Array>(10).fill(free))],
    ['boxes that lie farther apart than is read at once', 'video/quicktime', ftyp('qt  '), free],
    ['a box of 2^64 bytes', 'video/mp4', ftyp('isom'), join([0, 0, 0, 1], ascii('mdat'), Array<number>(8).fill(255))],
    ['a movie header of 2^64 bytes', 'video/mp4', ftyp('isom'), join([0, 0, 0, 1], ascii('moov'), Array<number>(8).fill(255))],
    ['millions of empty elements', 'video/webm', join(ebml, SEGMENT, unknown), element([0xec])],
    ['elements of one byte', 'video/webm', join(ebml, SEGMENT, unknown), new Uint8Array([0xec, 0x80])],
    ['as many infos as there may be, of sixty elements each', 'video/webm', join(ebml, SEGMENT, unknown), blankInfo],
    ['an element of 2^56 bytes', 'video/webm', join(ebml, SEGMENT, unknown), join([0xec, 0x01], Array<number>(7).fill(254))],
  ]
  test.each(cases)('%s', async (_, declared, start, piece) => {
    const { cost, source } = endless(start, piece)
    await probe(source, declared).catch(error => {
      if (!(error instanceof UnplayableFile)) throw error
    })
    expect(cost.reads).toBeLessThanOrEqual(1015)
    expect(cost.most).toBeLessThanOrEqual(8192)
    expect(cost.bytes).toBeLessThanOrEqual(8_400_000)
  })
})

describe('refused, with a sentence that says what to do', () => {
  const text = new TextEncoder().encode('This is my swing. '.repeat(200))
  const png = join([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], media(200))
  const cases: [string, Uint8Array, string, string][] = [
    ['a text file', text, 'video/mp4', 'not-a-video'],
    ['an empty file', new Uint8Array(), 'video/mp4', 'not-a-video'],
    ['a picture', png, 'video/mp4', 'not-a-video'],
    ['a picture in a movie container', join(ftyp('heic'), box('mdat', media())), 'video/mp4', 'not-a-video'],
    ['sound only', join(ftyp('M4A '), box('moov', mvhd(1, 1)), box('mdat', media())), 'video/mp4', 'not-a-video'],
    ['a MOV called MP4', mov(), 'video/mp4', 'wrong-type'],
    ['an MP4 called MOV', mp4(), 'video/quicktime', 'wrong-type'],
    ['a WEBM called MP4', webm(), 'video/mp4', 'wrong-type'],
    [
      'Matroska',
      join(
        element(
          [0x1a, 0x45, 0xdf, 0xa3],
          element(
            [0x42, 0x82],
            [...'matroska'].map(c => c.charCodeAt(0)),
          ),
        ),
        media(100),
      ),
      'video/webm',
      'not-a-video',
    ],
    ['an MP4 that is cut off', mp4().slice(0, -1), 'video/mp4', 'truncated'],
    ['a MOV that lost its header', mov().slice(0, -140), 'video/quicktime', 'truncated'],
    ['an MP4 with a byte too many', join(mp4(), [0]), 'video/mp4', 'truncated'],
    ['an MP4 without media', join(ftyp('isom'), box('moov', mvhd(1, 1))), 'video/mp4', 'truncated'],
    ['a box smaller than its header', join(ftyp('isom'), [0, 0, 0, 4], media(100)), 'video/mp4', 'damaged'],
    ['a WEBM that is cut off', webm().slice(0, -1), 'video/webm', 'truncated'],
    ['a WEBM without media', join(ebml, element(SEGMENT, info, tracks)), 'video/webm', 'truncated'],
    ['a WEBM without tracks', join(ebml, element(SEGMENT, info, cluster)), 'video/webm', 'damaged'],
    ['a WEBM header before something else', join(ebml, element([0x16, 0x54, 0xae, 0x6b], media())), 'video/webm', 'damaged'],
  ]
  test.each(cases)('%s', async (_, file, declared, code) => {
    await expect(look(file, declared)).rejects.toEqual(refused(code))
  })
})

test('whatever the bytes, the answer is a length or a refusal', async () => {
  const kinds = [mp4(), mov(), webm(), liveWebm()]
  const spoiled = fc
    .tuple(fc.constantFrom(...kinds), fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 20 }), fc.nat(700))
    .map(([file, changes, cut]) => {
      const bytes = file.slice(0, file.length - (cut % 7 === 0 ? cut : 0))
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      return bytes
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(spoiled, fc.uint8Array({ maxLength: 500 })), async file => {
      for (const declared of ['video/mp4', 'video/quicktime', 'video/webm']) {
        await look(file, declared).catch(error => {
          if (!(error instanceof UnplayableFile)) throw error
        })
      }
    }),
    { numRuns: 2000 },
  )
})

describe('the boxes of a movie', () => {
  const walk = (...parts: (Uint8Array | number[])[]) => walkMp4Boxes(sourceOf(join(...parts)))
  const rest = box('mdat', media())
  /** An `mvhd` of version 0 or 1 with so many bytes in it, which lasts 2.5 s. */
  const narrow = (bytes: number) => box('mvhd', mvhd(600, 1500).slice(8, 8 + bytes))
  const wide = (bytes: number) => box('mvhd', wideMvhd(600, 0, 1500).slice(8, 8 + bytes))
  const moov = (...boxes: (Uint8Array | number[])[]) => box('moov', ...boxes)

  test.each([
    ['the first header counts', [moov(mvhd(600, 1500)), rest, moov(mvhd(600, 600))], 2500],
    ['the shortest header there can be', [moov(narrow(20)), rest], 2500],
    ['the shortest wide header there can be', [moov(wide(32)), rest], 2500],
    ['a whole wide header', [moov(wideMvhd(600, 0, 1500)), rest], 2500],
    ['no length', [moov(mvhd(600, 0)), rest], null],
    ['no scale', [moov(mvhd(0, 600)), rest], null],
    ['a movie header without one, before one that is nowhere', [moov(box('trak')), mvhd(600, 1500), rest], null],
    ['an empty movie header', [moov(), mvhd(600, 1500), rest], null],
    ['the tenth box of it', [moov(...Array<Uint8Array>(9).fill(box('free')), mvhd(600, 1500)), rest], 2500],
    ['the eleventh box of it', [moov(...Array<Uint8Array>(10).fill(box('free')), mvhd(600, 1500)), rest], null],
    ['an empty box at the end', [moov(mvhd(600, 1500)), rest, box('free')], 2500],
    ['an empty wide box', [moov(mvhd(600, 1500)), wideBox('free', []), rest], 2500],
    ['a thousand boxes, and then anything', [moov(mvhd(600, 1500)), ...Array<Uint8Array>(998).fill(box('free')), rest, media(9)], 2500],
  ])('%s', async (_, parts, milliseconds) => expect(await walk(...parts)).toBe(milliseconds))

  test.each([
    ['no movie header', [box('ftyp'), rest], 'truncated'],
    ['no media', [box('ftyp'), moov(mvhd(600, 1500))], 'truncated'],
    ['seven bytes too many', [moov(mvhd(600, 1500)), rest, media(7)], 'truncated'],
    ['a box that is longer than the file', [moov(mvhd(600, 1500)), rest.slice(0, -1)], 'truncated'],
    ['a box of seven bytes', [moov(mvhd(600, 1500)), rest, [0, 0, 0, 7], media(4)], 'damaged'],
    ['a wide box whose size is cut off', [moov(mvhd(600, 1500)), rest, wideBox('free', []).slice(0, 15)], 'damaged'],
    ['a wide box of fifteen bytes', [moov(mvhd(600, 1500)), rest, wideBox('free', []).with(15, 15)], 'damaged'],
    ['a header that is too short', [moov(narrow(19), media(40)), rest], 'damaged'],
    ['a wide header that is too short', [moov(wide(31), media(40)), rest], 'damaged'],
    ['thousands of boxes without media', [moov(mvhd(600, 1500)), ...Array<Uint8Array>(999).fill(box('free')), rest], 'truncated'],
  ])('are refused: %s', async (_, parts, code) => expect(walk(...parts)).rejects.toEqual(refused(code)))
})

test('twelve hours are the most that a video may say', async () => {
  const lasting = (seconds: number) => join(ftyp('isom'), box('moov', mvhd(1, seconds)), box('mdat', media()))
  expect(await look(lasting(43_200), 'video/mp4')).toEqual({ milliseconds: 43_200_000 })
  const lies = look(lasting(43_201), 'video/mp4')
  await expect(lies).rejects.toEqual(refused('damaged'))
  await expect(lies).rejects.toThrow('longer than 12 hours')
})
