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
    // Phones append further data after the end of the picture.
    const clean = stripJpegMetadata(Buffer.concat([jpeg, Buffer.from(secret)]))!
    for (const word of ['iPhone', secret, 'Exif']) expect(Buffer.from(clean).includes(word)).toBe(false)
    expect((await sharp(clean).metadata()).exif).toBeUndefined()
    expect((await pixels(clean)).equals(await pixels(jpeg))).toBe(true)
  },
)

test('an incomplete JPEG is refused', async () => {
  const jpeg = await photo({})
  const half = jpeg.subarray(0, jpeg.length / 2)
  for (const bytes of [new Uint8Array(), new Uint8Array(100), half, jpeg.subarray(0, 3), Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0)])
    expect(stripJpegMetadata(bytes)).toBeNull()
})
