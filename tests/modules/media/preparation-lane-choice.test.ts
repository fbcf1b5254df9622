import { describe, expect, test } from 'vitest'
import { expectedPreparationCpuSeconds, isLongPreparation } from '../../../modules/media/preparation-lane-choice.ts'

const clip = (seconds: number, rate: number, [width, height]: [number, number], bytes = 5_000_000) => ({
  kind: 'rendition' as const,
  bytes,
  media: { frames: seconds * rate, width, height },
})
const HD: [number, number] = [1920, 1080]
const UHD: [number, number] = [3840, 2160]

describe('the expected preparation work of an upload', () => {
  test('is short for 10 seconds of phone video and for a swing in slow motion', () => {
    for (const upload of [clip(10, 60, HD), clip(10, 30, UHD), clip(4, 240, HD)]) expect(isLongPreparation(upload)).toBe(false)
  })

  test('is long for minutes of video, and for many large frames', () => {
    for (const upload of [clip(600, 30, HD), clip(60, 60, HD), clip(10, 120, UHD)]) expect(isLongPreparation(upload)).toBe(true)
  })

  test('depends on the file size before the probe, and on the content after it', () => {
    const unknown = { kind: 'rendition' as const, bytes: 500_000_000, media: null }
    expect([isLongPreparation(unknown), isLongPreparation({ ...unknown, bytes: 50_000_000 })]).toEqual([true, false])
    expect(isLongPreparation(clip(3, 30, HD, 500_000_000))).toBe(false)
  })

  test('is proportional to the number of frames, the pixels per frame and the bytes', () => {
    expect(expectedPreparationCpuSeconds(clip(20, 30, HD)) / expectedPreparationCpuSeconds(clip(10, 30, HD))).toBe(2)
    expect(expectedPreparationCpuSeconds(clip(10, 30, UHD)) / expectedPreparationCpuSeconds(clip(10, 30, HD))).toBe(4)
    const ofBytes = (bytes: number) => expectedPreparationCpuSeconds({ kind: 'rendition', bytes, media: null })
    expect(ofBytes(2000) / ofBytes(1000)).toBe(2)
  })

  test('is short for a voice-over of any size', () => {
    expect(isLongPreparation({ kind: 'voice', bytes: 500_000_000, media: null })).toBe(false)
  })
})
