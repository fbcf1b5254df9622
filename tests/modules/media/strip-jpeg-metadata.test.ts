import sharp from 'sharp'
import { expect, test } from 'vitest'
import { stripJpegMetadata } from '../../../modules/media/strip-jpeg-metadata.ts'

const secret = 'N 29.7604 W 95.3698'
const noise = sharp({
  create: { width: 64, height: 48, channels: 3, background: '#345', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
})
const photo = (options: object) =>
  noise
    .clone()
    .withExif({ IFD0: { Model: 'iPhone 17 Pro', Copyright: secret }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '29/1 45/1 37/1' } })
    .jpeg(options)
    .toBuffer()
const pixels = (jpeg: Uint8Array) => sharp(jpeg).raw().toBuffer()

test.each([{ progressive: false }, { progressive: true }])(
  'stripping a JPEG removes location and device data, but not the picture (%o)',
  async options => {
    const jpeg = await photo(options)
    expect(jpeg.includes('iPhone') && jpeg.includes(secret)).toBe(true)
    // Some phones append further data after the end of the picture.
    const clean = stripJpegMetadata(Buffer.concat([jpeg, Buffer.from(secret)]))!
    for (const word of ['iPhone', secret, 'Exif']) expect(Buffer.from(clean).includes(word)).toBe(false)
    expect((await sharp(clean).metadata()).exif).toBeUndefined()
    expect((await pixels(clean)).equals(await pixels(jpeg))).toBe(true)
  },
)

test('fill bytes before markers are allowed', async () => {
  const jpeg = await photo({})
  const [start, rest, end] = [jpeg.subarray(0, 2), jpeg.subarray(2, -2), jpeg.subarray(-2)]
  const fill = Uint8Array.of(0xff, 0xff)
  const clean = stripJpegMetadata(Buffer.concat([start, fill, rest, fill, end]))!
  expect(Buffer.from(clean).includes(secret)).toBe(false)
  expect((await pixels(clean)).equals(await pixels(jpeg))).toBe(true)
})

test('an incomplete JPEG is refused', async () => {
  const jpeg = await photo({})
  const half = jpeg.subarray(0, jpeg.length / 2)
  for (const bytes of [new Uint8Array(), new Uint8Array(100), half, jpeg.subarray(0, 3), Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0)])
    expect(stripJpegMetadata(bytes)).toBeNull()
})

/** A segment of a JPEG: its marker, its length, which counts itself, and its data. */
const segment = (marker: number, ...data: number[]) =>
  Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data])
const jpegOf = (...segments: Uint8Array[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xd9])])
const table = segment(0xdb, 1, 2, 3)
/** A scan: its header and the compressed data that follows. */
const scanOf = (...data: number[]) => Buffer.concat([segment(0xda, 0), Buffer.from(data)])
/** In a scan, 0xFF is followed by a stuffed zero or by the low byte of a restart marker (0xD0 to 0xD7). */
const scan = scanOf(7, 0xff, 0, 0xff, 0xd0, 0xff, 0xd7, 9)

test('every application segment and comment is removed, and all else stays', () => {
  const metadata = [...Array.from({ length: 16 }, (_, i) => segment(0xe0 + i, 1, 2)), segment(0xfe, 1, 2)]
  const others = [table, segment(0xdf, 1), segment(0xf0, 1), segment(0xc4)]
  expect(stripJpegMetadata(jpegOf(...metadata, ...others, ...metadata, scan))).toEqual(jpegOf(...others, scan))
})

test('an Adobe segment stays only without further data', () => {
  const adobe = (bytes: number, marker = 0xee) => segment(marker, ...new Array(bytes).fill(5))
  expect(stripJpegMetadata(jpegOf(adobe(12), table, scan))).toEqual(jpegOf(adobe(12), table, scan))
  for (const removed of [adobe(11), adobe(13), adobe(12, 0xed)])
    expect(stripJpegMetadata(jpegOf(removed, table, scan))).toEqual(jpegOf(table, scan))
})

test('metadata between two scans is removed, and restart markers do not end a scan', () => {
  expect(stripJpegMetadata(jpegOf(table, scan, segment(0xe1, 1, 2), table, scan))).toEqual(jpegOf(table, scan, table, scan))
})

test('bytes that are not a segment, and a JPEG that is cut off anywhere, are refused', () => {
  const whole = jpegOf(segment(0xe1, 1), table, scan)
  for (let bytes = 0; bytes < whole.length; bytes++) expect(stripJpegMetadata(whole.subarray(0, bytes))).toBeNull()
  const [first, second] = [Buffer.from(whole), Buffer.from(whole)]
  first[0] = 0xfe
  second[1] = 0xd9
  const junk = Buffer.from([0, 0xdb, 0, 2])
  const tooShort = Buffer.from([0xff, 0xdb, 0, 1])
  for (const bytes of [first, second, jpegOf(table, junk, scan), jpegOf(tooShort, table, scan)]) expect(stripJpegMetadata(bytes)).toBeNull()
})
