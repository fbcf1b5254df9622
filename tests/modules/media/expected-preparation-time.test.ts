import { describe, expect, test } from 'vitest'
import { expectedPreparationSeconds, isLongPreparation } from '../../../modules/media/expected-preparation-time.ts'

const clip = (seconds: number, rate: number, [width, height]: [number, number], bytes = 5_000_000) => ({
  ...{ kind: 'rendition' as const, bytes },
  media: { frames: seconds * rate, width, height },
})
const HD: [number, number] = [1920, 1080]
const UHD: [number, number] = [3840, 2160]

describe('the expected work of an upload', () => {
  test('is short for 10 seconds as phones film them, and for a swing in slow motion', () => {
    for (const upload of [clip(10, 60, HD), clip(10, 30, UHD), clip(4, 240, HD)]) expect(isLongPreparation(upload)).toBe(false)
  })

  test('is long for minutes, and for many large frames', () => {
    for (const upload of [clip(600, 30, HD), clip(60, 60, HD), clip(10, 120, UHD)]) expect(isLongPreparation(upload)).toBe(true)
  })

  test('depends on the file size until the content was probed, then on the content', () => {
    const unknown = { kind: 'rendition' as const, bytes: 500_000_000, media: null }
    expect([isLongPreparation(unknown), isLongPreparation({ ...unknown, bytes: 50_000_000 })]).toEqual([true, false])
    expect(isLongPreparation(clip(3, 30, HD, 500_000_000))).toBe(false)
  })

  test('doubles with the frames, with the pixels of each, and with the bytes', () => {
    expect(expectedPreparationSeconds(clip(20, 30, HD)) / expectedPreparationSeconds(clip(10, 30, HD))).toBe(2)
    expect(expectedPreparationSeconds(clip(10, 30, UHD)) / expectedPreparationSeconds(clip(10, 30, HD))).toBe(4)
    const ofBytes = (bytes: number) => expectedPreparationSeconds({ kind: 'rendition', bytes, media: null })
    expect(ofBytes(2000) / ofBytes(1000)).toBe(2)
  })

  test('is short for a voice-over, however large', () => {
    expect(isLongPreparation({ kind: 'voice', bytes: 500_000_000, media: null })).toBe(false)
  })
})
