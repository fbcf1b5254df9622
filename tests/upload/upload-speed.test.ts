import { describe, expect, it } from 'vitest'
import { createUploadSpeedMeter } from '../../src/upload/upload-speed.ts'

describe('createUploadSpeedMeter', () => {
  it('returns the remaining time once a second has passed', () => {
    const measure = createUploadSpeedMeter(100)
    expect(measure(0, 0).secondsLeft).toBeNull()
    expect(measure(5, 500).secondsLeft).toBeNull()
    expect(measure(10, 1000)).toEqual({ bytesPerSecond: 10, secondsLeft: 9 })
  })
  it('measures only the last ten seconds', () => {
    const measure = createUploadSpeedMeter(1000)
    for (let s = 0; s <= 10; s++) measure(s, s * 1000)
    for (let s = 11; s <= 21; s++) measure(10 + (s - 10) * 50, s * 1000)
    expect(measure(560, 21_000).bytesPerSecond).toBeGreaterThan(40)
  })
})
