import type { CDPSession, Page } from '@playwright/test'

/** The time from a key or pointer event to the next frame, in ms, split into input delay, processing, and presentation. */
export interface InteractionTiming {
  event: string
  duration: number
  delay: number
  processing: number
  presentation: number
  /** The long animation frames (over 50 ms) in that time: the duration of each, and the functions that ran in it. */
  work?: string[]
}

/**
 * The limit for the time from a key or pointer event to the next frame in the benchmarks F3 and F5 (bench/RESULTS.md), in ms. Google
 * considers 200 ms good.
 */
export const MAX_INTERACTION_MS = 100
export const CPU_SLOWDOWN = 4
/** The browser does not report interactions that take less than this time. */
const MIN_REPORTED_MS = 16
export const UNREPORTED_INTERACTION: InteractionTiming = { event: '', duration: MIN_REPORTED_MS, delay: 0, processing: 0, presentation: 0 }

declare global {
  interface Window {
    slowest: (InteractionTiming & { startTime: number }) | null
    longFrames: { startTime: number; end: number; what: string }[]
    shifted: number
  }
}

/**
 * Runs in the page: records the slowest interaction and all layout shifts without input. It is a string, because the compiler adds helpers
 * that do not exist in the page.
 */
export const INTERACTION_RECORDER_SCRIPT = `
  window.slowest = null
  window.shifted = 0
  window.longFrames = []
  const each = (type, then) =>
    new PerformanceObserver(list => list.getEntries().forEach(then)).observe({ type, buffered: true, durationThreshold: ${MIN_REPORTED_MS} })
  each('event', ({ interactionId, name, duration, startTime, processingStart, processingEnd }) => {
    if (!interactionId || duration <= (window.slowest?.duration ?? 0)) return
    const processing = processingEnd - processingStart
    const delay = processingStart - startTime
    window.slowest = { startTime, event: name, duration, delay, processing, presentation: Math.max(0, duration - delay - processing) }
  })
  each('long-animation-frame', ({ startTime, duration, renderStart, styleAndLayoutStart, scripts }) => {
    const end = startTime + duration
    const ran = scripts.map(s => Math.round(s.duration) + ' ' + s.invoker.slice(-40) + ' ' + s.sourceFunctionName).join(', ')
    const parts = [duration, renderStart && end - renderStart, styleAndLayoutStart && end - styleAndLayoutStart].map(Math.round)
    window.longFrames.push({ startTime, end, what: parts[0] + ' ms (to render ' + parts[1] + ', to lay out ' + parts[2] + '): ' + ran })
  })
  each('layout-shift', entry => {
    if (!entry.hadRecentInput) window.shifted += entry.value
  })
`

/**
 * Runs in the page: waits for the frames that the last act causes, and for their performance entries. Then returns the slowest interaction
 * since the previous call, or null if the browser reported none, and clears the record.
 */
async function settled() {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
  await new Promise(done => setTimeout(done, 200))
  const { slowest, longFrames } = window
  window.slowest = null
  window.longFrames = []
  if (!slowest) return null
  const { startTime, ...its } = slowest
  const work = longFrames.filter(f => f.end > startTime && f.startTime < startTime + its.duration).map(f => f.what)
  return { ...its, work }
}

/** Returns the slowest interaction since the previous call, or `UNREPORTED_INTERACTION`. */
export const slowestInteraction = async (page: Page): Promise<InteractionTiming> => (await page.evaluate(settled)) ?? UNREPORTED_INTERACTION

export const throttleCpu = (cdp: CDPSession, rate = CPU_SLOWDOWN) => cdp.send('Emulation.setCPUThrottlingRate', { rate })

export const interactionWithMedianDuration = (all: readonly InteractionTiming[]) =>
  all.toSorted((a, b) => a.duration - b.duration)[all.length >> 1]!

/** Prints interactions, slowest first, with the parts of their duration in ms. */
export function printInteractions(named: Iterable<readonly [string, InteractionTiming]>) {
  console.log('   all   waited   ran  until seen')
  for (const [name, i] of [...named].sort(([, a], [, b]) => b.duration - a.duration)) {
    const parts = [i.duration, i.delay, i.processing, i.presentation].map((ms, at) => ms.toFixed(0).padStart([6, 9, 6, 12][at]!))
    console.log(`${parts.join('')}  ${name}${i.event && ` (${i.event})`}`)
    if (i.duration > MAX_INTERACTION_MS / 2) for (const frame of i.work ?? []) console.log(`          ${frame}`)
  }
}
