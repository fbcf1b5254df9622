import { expect, test } from 'vitest'
import { paceOf } from '../../src/technique/pace.ts'

const media = {
  ...{ container: 'mp4' as const, codec: 'avc', width: 320, height: 240, rotation: 0 as const, milliseconds: 2000, frames: 60 },
  ...{ rate: [30, 1] as [number, number], variable: false, hdr: false, sound: false, captureRate: null },
}
const ntsc: [number, number] = [30_000, 1001]

test.each([
  ['nobody has looked inside', undefined, /once the video is prepared/],
  ['only the file speaks', media, /^Filmed at 30 frames a second, the file says\.$/],
  ['a rate of television', { ...media, rate: ntsc }, /^Filmed at 29\.97 frames a second, the file says\.$/],
  [
    'the camera noted it',
    { ...media, captureRate: { rate: 240, by: 'file' as const } },
    /^Filmed at 240 frames a second, as the camera noted\.$/,
  ],
  [
    'a person has set it',
    { ...media, captureRate: { rate: 119.88, by: 'person' as const } },
    /^Filmed at 119\.88 frames a second, as set by hand\.$/,
  ],
  ['it varies', { ...media, rate: null, variable: true }, /^Its frame rate varies, so times are those of the file\.$/],
])('how fast a clip was filmed: %s', (_, known, said) => {
  expect(paceOf({ media: known })).toMatch(said)
})
