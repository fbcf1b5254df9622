import type { Page } from '@playwright/test'
import { findHeadlessChromium } from '../../scripts/find-browsers.mjs'
import { measureMinimalPageInteractions } from './bare-page-interaction-baseline.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { FAKE_MICROPHONE_ARGS, startDemoAndBrowser } from './demo-and-browser.ts'
import { FULL_REVIEW_NOTE_COUNT, FULL_REVIEW_STROKE_COUNT, FULL_REVIEW_VOICE_COUNT, saveFullReviewDraft } from './full-review-draft.ts'
import {
  INTERACTION_RECORDER_SCRIPT,
  type InteractionTiming,
  interactionWithMedianDuration,
  MAX_INTERACTION_MS,
  printInteractions,
  slowestInteraction,
  throttleCpu,
} from './interaction-recorder.ts'
import { printMainThreadTrace, traceMainThread } from './main-thread-trace.ts'
import { prioritizeBrowser } from './prioritize-browser.ts'
import { drawStroke, enterDrawingMode, measuredStudioActions, scrubFilmstrip } from './studio-actions.ts'
import { blurAndPressKey, click, pressKey, typeText } from './user-input.ts'

const rounds = 3
/** Repeat interval of a key that is held down, in ms. */
const KEY_REPEAT_MS = 33
/**
 * F5: a full review in the studio: the maximum number of strokes, all on the shown frame, 50 notes and three voice-overs. Measures the time
 * from a key or pointer event to the next frame, at a quarter of this machine's speed, while drawing, scrubbing, typing and so on.
 * Runs in Chromium's headless shell, which without a graphics card paints in software, and only what has changed. Among the choices on a
 * machine without a graphics card, that is closest to a real device: compositing takes ten times as long with the software GPU SwiftShader,
 * and one and a half times as long in the full browser. `TRACE=1` also prints where the time of slow interactions goes.
 */
export default async function measureStudioInteractions(): Promise<BenchmarkFigure[]> {
  const site = await startDemoAndBrowser(findHeadlessChromium(), FAKE_MICROPHONE_ARGS)
  await prioritizeBrowser(site.browser)
  try {
    const { path, bytes, video } = await saveFullReviewDraft(site)
    const signedIn = await site.signedIn('instructor')
    const context = await site.browser.newContext({ ...signedIn, viewport: { width: 1440, height: 900 }, permissions: ['microphone'] })
    const page = await context.newPage()
    await page.addInitScript(INTERACTION_RECORDER_SCRIPT)
    await page.goto(path)
    await page.locator('[data-saved=saved]').waitFor()
    await page.waitForLoadState('networkidle')
    const { width, height } = (await page.locator('[data-drawing-stage]').boundingBox())!
    const bare = await measureMinimalPageInteractions(site, { video, width, height })
    const cdp = await context.newCDPSession(page)
    await throttleCpu(cdp)
    const took = new Map<string, InteractionTiming[]>()
    for (let round = 0; round < rounds; round++) {
      for (const [name, act] of allInteractions) {
        await act(page)
        took.set(name, [...(took.get(name) ?? []), await slowestInteraction(page)])
      }
    }
    const all = [...took].map(([name, values]) => [name, interactionWithMedianDuration(values)] as const)
    printInteractions(bare)
    printInteractions(all)
    if (process.env.TRACE) await explain(page, took)
    await throttleCpu(cdp, 1)
    const others = all.filter(([name]) => !(name in stageInteractions))
    const [name, most] = others.reduce((a, b) => (b[1].duration > a[1].duration ? b : a))
    await context.close()
    const bar = (what: string, value: number): BenchmarkFigure => ({
      id: 'F5',
      name: what,
      value,
      unit: 'ms',
      bar: MAX_INTERACTION_MS,
      better: 'less',
    })
    return [
      ...all
        .filter(([name]) => name in stageInteractions)
        .map(([name, { duration }]) => bar(`slowest event while the instructor ${name}`, duration)),
      bar(`slowest of ${others.length} other interactions (${name})`, most.duration),
      ...bare.map(([what, { duration: value }]): BenchmarkFigure => ({ id: 'F5', name: `${what}, in the same run`, value, unit: 'ms' })),
      {
        id: 'F5',
        name: `a review of ${FULL_REVIEW_STROKE_COUNT} strokes, ${FULL_REVIEW_NOTE_COUNT} notes and ${FULL_REVIEW_VOICE_COUNT} voice-overs without their sound`,
        value: bytes / 1000,
        unit: 'kB',
        bar: 300,
        better: 'less',
      },
    ]
  } finally {
    await site.stop()
  }
}

export const stageInteractions: Record<string, (page: Page) => Promise<unknown>> = {
  draws: async page => {
    const stop = await enterDrawingMode(page)
    await drawStroke(page)
    await blurAndPressKey(page, 'Control+z')
    await click(stop)
    await stop.waitFor({ state: 'detached' })
  },
  scrubs: async page => {
    const line = page.getByRole('slider', { name: 'Position' })
    await line.focus()
    for (let i = 0; i < 20; i++) await page.keyboard.press(i < 10 ? 'ArrowRight' : 'ArrowLeft', { delay: KEY_REPEAT_MS })
  },
  'drags over the strip': scrubFilmstrip,
  types: async page => {
    await click(page.getByLabel('Note 1', { exact: true }))
    await typeText(page, ' Stay back on it.')
    await pressKey(page, 'Escape')
  },
}

export const allInteractions = [...Object.entries(stageInteractions), ...Object.entries(measuredStudioActions)]

/** Repeats every act, and prints where the time of the slow ones goes. */
async function explain(page: Page, took: ReadonlyMap<string, InteractionTiming[]>) {
  for (const [name, act] of allInteractions) {
    if (interactionWithMedianDuration(took.get(name)!).duration <= MAX_INTERACTION_MS) await act(page)
    else printMainThreadTrace(name, await traceMainThread(page, () => act(page)))
  }
}
