import { describe, expect, it, test } from 'vitest'
import type { VideoProperties } from '../../modules/media/contract.ts'
import { fileVerdict } from '../../src/islands/format-test/file-verdict.ts'
import { formatVideoProperties } from '../../src/upload/format-video-properties.ts'
import { mediaAdvice } from '../../src/upload/media-advice.ts'

const phone: VideoProperties = {
  container: 'mov',
  codec: 'avc',
  width: 1080,
  height: 1920,
  rotation: 90,
  milliseconds: 4000,
  frames: 240,
  rate: [60, 1],
  variable: false,
  hdr: false,
  sound: true,
  captureRate: null,
}
const goodPlayback = { plays: true, brightness: 120, refused: null }

describe('advice on a video', () => {
  it('is empty for a good video', () => expect(mediaAdvice(phone, goodPlayback)).toEqual([]))
  test.each([
    [{ codec: 'hevc' }, goodPlayback, 'info', /HEVC.*prepared/],
    [{ codec: 'hevc', hdr: true }, { plays: false, brightness: null }, 'info', /HEVC, HDR.*prepared/],
    [{ milliseconds: 80_000 }, goodPlayback, 'warning', /80 seconds.*Trim/],
    [{ rate: [30, 1], captureRate: { rate: 240, by: 'file' } }, goodPlayback, 'warning', /240 frames per second, but saved at 30/],
    [
      { rate: null, frames: 480, milliseconds: 4000, captureRate: { rate: 240, by: 'file' } },
      goodPlayback,
      'warning',
      /240 frames per second, but saved at 120/,
    ],
    [{ width: 1920, height: 1080, rotation: 90 }, goodPlayback, 'warning', /be sideways/],
    [{ width: 240, height: 320 }, goodPlayback, 'warning', /resolution is very low/],
    [{}, { plays: true, brightness: 12 }, 'warning', /very dark/],
    [{ rate: [30, 1], frames: 120 }, goodPlayback, 'info', /blurry at 30 frames per second/],
    [{ width: 1920, height: 1080, rotation: 0 }, goodPlayback, 'info', /phone sideways/],
  ] as const)('has exactly one message for %o', (inside, playback, tone, text) => {
    expect(mediaAdvice({ ...phone, ...inside } as VideoProperties, playback)).toEqual([{ tone, text: expect.stringMatching(text) }])
  })
})

describe('formatVideoProperties', () => {
  it('lists codec, frame rate, size and length in one line', () => {
    expect(formatVideoProperties({ ...phone, codec: 'hevc' })).toBe('HEVC · 60 frames/s · 1080 × 1920 · 4.0 s')
    expect(formatVideoProperties({ ...phone, rate: null, variable: true, frames: 118 })).toBe(
      'H.264 · about 29.5 frames/s · 1080 × 1920 · 4.0 s',
    )
  })
})

describe('the verdict on a file', () => {
  const mov = { type: 'video/quicktime' } as const
  it('is good if the browser plays the video or the server will prepare it', () => {
    expect(fileVerdict(mov, { media: phone, ...goodPlayback })).toMatchObject({ tone: 'good', advice: [] })
    const iphone = fileVerdict(mov, { media: { ...phone, codec: 'hevc' }, plays: false, brightness: null, refused: null })
    expect(iphone).toMatchObject({ tone: 'good', advice: [{ text: expect.stringMatching(/prepared/) }] })
  })
  it('is a warning for unknown codecs, and bad for damaged and refused files', () => {
    const editor = fileVerdict(mov, { media: { ...phone, codec: 'apcn' }, plays: false, brightness: null, refused: null })
    expect(editor).toMatchObject({ tone: 'careful', text: expect.stringMatching(/apcn.*MP4/) })
    expect(fileVerdict(mov, { media: null, plays: false, brightness: null, refused: null })).toMatchObject({
      tone: 'bad',
      text: expect.stringMatching(/damaged/),
    })
    expect(fileVerdict({ refused: 'Too large.' })).toMatchObject({ tone: 'bad', text: 'Too large.' })
  })
  it('is bad for a video that plays but is too long to be prepared', () => {
    expect(fileVerdict(mov, { media: null, ...goodPlayback, refused: 'too-long' })).toMatchObject({
      tone: 'bad',
      title: 'This file cannot be uploaded',
      text: expect.stringMatching(/much too long\. Trim it.*choose it again/),
      advice: [],
    })
  })
})
