import { describe, expect, test } from 'vitest'
import { type PreparationLimits, trackPreparationUsage } from '../../../modules/media/check-running-preparation-against-limits.ts'
import type { VideoProperties } from '../../../modules/media/contract.ts'
import { MAX_FRAMES_PER_VIDEO } from '../../../modules/media/frames.ts'
import {
  MAX_PIXELS_IN_ALL_FRAMES,
  MAX_PREPARATION_MEMORY_BYTES,
  MAX_PREPARATION_WALL_SECONDS,
  MAX_PROBE_CPU_SECONDS,
  MAX_PROBE_WALL_SECONDS,
} from '../../../modules/media/policy.ts'
import type { PreparationMessage } from '../../../modules/media/preparation-process/protocol.ts'
import { cpuBudgetOfAllTries, maxCpuSecondsPerTry, wallClockBudget } from '../../../modules/media/preparation-time-limits.ts'
import { MAX_VOICE_MS } from '../../../modules/reviews/policy.ts'

const swing = { frames: 60, width: 320, height: 240, milliseconds: 2000 }

describe('the CPU limit of a preparation', () => {
  test('follows from the declared frames, pixels and duration', () => {
    const budget = (changes: Partial<typeof swing>) => maxCpuSecondsPerTry('rendition', { ...swing, ...changes })
    // A decompression bomb that claims two seconds must not use the CPU for 45 minutes.
    expect(budget({})).toBeLessThan(40)
    expect(budget({ frames: 120 })).toBeGreaterThan(budget({}))
    expect(budget({ width: 640 })).toBeGreaterThan(budget({}))
    expect(budget({ milliseconds: 20_000 })).toBeGreaterThan(budget({}))
  })

  test('is more than ten times what a small server needs', () => {
    // Measured CPU seconds: a 720p video of noise, a 4K HDR video, and two low-resolution videos.
    const measured = [
      [{ frames: 360, width: 1280, height: 720, milliseconds: 6000 }, 10.5],
      [{ frames: 30, width: 3840, height: 2160, milliseconds: 1000 }, 6.9],
      [{ frames: 3000, width: 320, height: 240, milliseconds: 100_000 }, 7.3],
      [{ frames: 6000, width: 64, height: 64, milliseconds: 200_000 }, 3],
    ] as const
    for (const [promised, seconds] of measured) expect(maxCpuSecondsPerTry('rendition', promised) / seconds).toBeGreaterThan(10)
    // A minute of 4K at 60 frames per second may use the maximum wall-clock time of a preparation.
    const long = { frames: 3600, width: 3840, height: 2160, milliseconds: 60_000 }
    expect(wallClockBudget(maxCpuSecondsPerTry('rendition', long))).toBe(MAX_PREPARATION_WALL_SECONDS)
  })

  test('covers the longest voice-over, and is under a minute for an unprobed video', () => {
    expect(maxCpuSecondsPerTry('voice', null)).toBeGreaterThan(MAX_VOICE_MS / 1000 / 10)
    expect(maxCpuSecondsPerTry('rendition', null)).toBeGreaterThan(MAX_PROBE_CPU_SECONDS)
    expect(maxCpuSecondsPerTry('rendition', null)).toBeLessThan(60)
  })

  test('is tripled for all tries together, and limits the wall-clock time as well', () => {
    expect(cpuBudgetOfAllTries('rendition', swing)).toBe(3 * maxCpuSecondsPerTry('rendition', swing))
    const most = {
      frames: MAX_FRAMES_PER_VIDEO,
      width: MAX_PIXELS_IN_ALL_FRAMES / MAX_FRAMES_PER_VIDEO,
      height: 1,
      milliseconds: 1_800_000,
    }
    expect(wallClockBudget(maxCpuSecondsPerTry('rendition', most))).toBe(MAX_PREPARATION_WALL_SECONDS)
    expect(wallClockBudget(maxCpuSecondsPerTry('rendition', swing))).toBeLessThan(MAX_PREPARATION_WALL_SECONDS / 5)
  })
})

describe('the limit monitor', () => {
  const probed = {
    is: 'probed',
    media: swing as VideoProperties,
    table: { version: 1, scale: 30, first: 0, runs: [[60, 1]] },
  } satisfies PreparationMessage
  const made = { is: 'made', made: { voice: { bytes: 1 } } } satisfies PreparationMessage
  const startMonitor = (kind: 'rendition' | 'voice' = 'rendition', limits: Partial<PreparationLimits> = {}) => {
    const monitor = trackPreparationUsage({ kind }, limits, 1000)
    /** Simulates a measurement `seconds` after the start, with `cpu` seconds of CPU time used. Returns the exceeded limit, or null. */
    const at = (seconds: number, cpu: number, memory = 0, pid = 7) => monitor.measure(pid, { cpu, memory }, 1000 + seconds)
    return { ...monitor, at, onMessage: (message: PreparationMessage, seconds: number) => monitor.onMessage(message, 1000 + seconds) }
  }

  test('allows a slow download up to the time limit', () => {
    const monitor = startMonitor()
    expect(monitor.at(MAX_PREPARATION_WALL_SECONDS, 1000)).toBeNull()
    expect(monitor.at(MAX_PREPARATION_WALL_SECONDS + 1, 1000)).toMatchObject({ message: 'time', clock: true })
    expect(startMonitor('voice', { seconds: 1 }).at(1.1, 0)).toMatchObject({ message: 'time', clock: true })
  })

  test('limits the time and work of a probe from its start', () => {
    const monitor = startMonitor()
    monitor.at(100, 5)
    monitor.onMessage({ is: 'probing' }, 100)
    expect(monitor.at(100 + MAX_PROBE_WALL_SECONDS, 5 + MAX_PROBE_CPU_SECONDS)).toBeNull()
    expect(monitor.at(101, 5.1 + MAX_PROBE_CPU_SECONDS)).toMatchObject({ message: 'work while probing the file', clock: false })
    expect(monitor.at(101 + MAX_PROBE_WALL_SECONDS, 5)).toMatchObject({ message: 'time while probing the file', clock: true })
  })

  test('limits a preparation by its declared content, from the end of the probe', () => {
    const monitor = startMonitor()
    monitor.onMessage({ is: 'probing' }, 100)
    monitor.at(109, 9)
    monitor.onMessage(probed, 110)
    const cpu = maxCpuSecondsPerTry('rendition', swing)
    expect(monitor.at(109.9 + wallClockBudget(cpu), 8.9 + cpu)).toBeNull()
    expect(monitor.at(111, 9.1 + cpu)).toMatchObject({ message: 'work', clock: false })
    expect(monitor.at(111 + wallClockBudget(cpu), 9)).toMatchObject({ message: 'time', clock: true })
    // Only the time limit of the whole preparation applies to storing the result.
    monitor.onMessage(made, 120)
    expect(monitor.at(MAX_PREPARATION_WALL_SECONDS, 100 + cpu)).toBeNull()
  })

  test('limits a voice-over by the longest recording instead of the probe limit', () => {
    const monitor = startMonitor('voice')
    monitor.onMessage({ is: 'probing' }, 0)
    expect(monitor.at(MAX_PROBE_WALL_SECONDS * 2, MAX_PROBE_CPU_SECONDS * 3)).toBeNull()
    expect(monitor.at(10, maxCpuSecondsPerTry('voice', null) + 0.1)).toMatchObject({ message: 'work', clock: false })
  })

  test('uses a given limit instead of the limit computed from the content', () => {
    const monitor = startMonitor('rendition', { cpuSeconds: 1 })
    monitor.onMessage(probed, 0)
    expect([monitor.at(1, 1), monitor.at(1, 1.1)?.message]).toEqual([null, 'work'])
  })

  test('limits memory at any time, and works if the system reports no memory use', () => {
    const monitor = startMonitor()
    expect([monitor.at(0, 0, MAX_PREPARATION_MEMORY_BYTES), monitor.at(0, 0, MAX_PREPARATION_MEMORY_BYTES + 1)?.message]).toEqual([
      null,
      'memory: 1500 MB',
    ])
    expect(monitor.measure(7, null, 1001)).toBeNull()
    expect(monitor.measure(7, null, 1001 + MAX_PREPARATION_WALL_SECONDS)).toMatchObject({ message: 'time' })
  })

  test('adds up the CPU time of consecutive processes', () => {
    const monitor = startMonitor()
    monitor.at(1, 3, 0, 7)
    monitor.at(2, 4, 0, 7)
    monitor.at(3, 2, 0, 8)
    expect(monitor.cpuSeconds()).toBe(6)
  })
})
