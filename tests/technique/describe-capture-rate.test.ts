import { expect, test } from 'vitest'
import { describeCaptureRate } from '../../src/technique/describe-capture-rate.ts'

const media = {
  container: 'mp4' as const,
  codec: 'avc',
  width: 320,
  height: 240,
  rotation: 0 as const,
  milliseconds: 2000,
  frames: 60,
  rate: [30, 1] as [number, number],
  variable: false,
  hdr: false,
  sound: false,
  captureRate: null,
}
const ntsc: [number, number] = [30_000, 1001]

test.each([
  ['the video is not prepared yet', undefined, /once the video is prepared/],
  ['only the file states a rate', media, /^Filmed at 30 frames per second, according to the file\.$/],
  ['the file states a television rate', { ...media, rate: ntsc }, /^Filmed at 29\.97 frames per second, according to the file\.$/],
  [
    'the camera noted it',
    { ...media, captureRate: { rate: 240, by: 'file' as const } },
    /^Filmed at 240 frames per second, as recorded by the camera\.$/,
  ],
  [
    'a person has set it',
    { ...media, captureRate: { rate: 119.88, by: 'person' as const } },
    /^Filmed at 119\.88 frames per second, as set by hand\.$/,
  ],
  ['it varies', { ...media, rate: null, variable: true }, /^Its frame rate varies, so times are those of the file\.$/],
])('the capture rate is described correctly if %s', (_, known, said) => {
  expect(describeCaptureRate({ media: known })).toMatch(said)
})
