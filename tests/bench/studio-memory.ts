import type { CDPSession, Page } from '@playwright/test'
import { findHeadlessChromium } from '../../scripts/find-browsers.mjs'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { FAKE_MICROPHONE_ARGS, startDemoAndBrowser } from './demo-and-browser.ts'
import { stageInteractions } from './f5-studio-interactions.ts'
import { FULL_REVIEW_VOICE_COUNT, saveFullReviewDraft } from './full-review-draft.ts'
import { measuredStudioActions } from './studio-actions.ts'
import { pressKey } from './user-input.ts'

/** How long the work continues after the first minute, with which the memory at the end is compared. */
const minutes = Number(process.env.MINUTES ?? 10)
/** The actions that the benchmark performs in turn, in addition to drawing, scrubbing and typing. */
const otherActions = [
  ...['look at the technique', 'look at the summary', 'look at what was before', 'look at the notes'],
  ...['speak, and stop', 'open a comparison and close it'],
]

/**
 * F5: memory growth of a full review during continued work, compared with the first minute. Compiled code is reported separately: it grows
 * as more functions run often enough to be compiled, and holds no objects of the page.
 */
export default async function measureStudioMemory(): Promise<BenchmarkFigure[]> {
  const site = await startDemoAndBrowser(findHeadlessChromium(), FAKE_MICROPHONE_ARGS)
  try {
    const { path } = await saveFullReviewDraft(site)
    const signedIn = await site.signedIn('instructor')
    const context = await site.browser.newContext({ ...signedIn, viewport: { width: 1440, height: 900 }, permissions: ['microphone'] })
    const page = await context.newPage()
    await page.goto(path)
    await page.locator('[data-saved=saved]').waitFor()
    const kept = await overTime(page, await context.newCDPSession(page))
    await context.close()
    const [first, last] = [kept[0]!, kept.at(-1)!]
    const grown = (what: string, of: 'things' | 'code' | 'nodes' | 'listeners'): BenchmarkFigure => ({
      id: 'F5',
      name: `${what} after ${minutes} more minutes, relative to the first minute`,
      unit: '×',
      value: last[of] / first[of],
      ...(of !== 'code' && { bar: 1.2, better: 'less' }),
    })
    return [
      grown('memory without compiled scripts', 'things'),
      grown('compiled scripts', 'code'),
      { id: 'F5', name: 'memory of the page then, including compiled scripts', value: last.things + last.code, unit: 'MB' },
      grown('elements, including detached ones,', 'nodes'),
      grown('listeners', 'listeners'),
    ]
  } finally {
    await site.stop()
  }
}

/**
 * Performs the studio's actions in rounds until the measured time is up. After each minute, collects garbage and records the MB of objects
 * and of compiled code, and the numbers of nodes and listeners.
 */
async function overTime(page: Page, cdp: CDPSession) {
  const kept: { things: number; code: number; nodes: number; listeners: number }[] = []
  /** Deletes the voice-over that a round has added, and its note if that is empty; resets the text of note 1, to which each round adds. */
  const clean = async () => {
    const drop = page.getByRole('button', { name: /^Delete the voice-over / })
    while ((await drop.count()) > FULL_REVIEW_VOICE_COUNT) {
      await drop.last().click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).waitFor({ state: 'detached' })
    }
    await page.getByLabel('Note 1', { exact: true }).fill('Stay back.')
    // Return the keyboard focus to the stage.
    await pressKey(page, 'Escape')
  }
  await measuredStudioActions['make a note']!(page)
  for (let minute = 0; minute <= minutes; minute++) {
    const end = Date.now() + 60_000
    while (Date.now() < end) {
      for (const act of Object.values(stageInteractions)) await act(page)
      for (const note of [9, 30]) await page.getByRole('button', { name: new RegExp(`^Go to note ${note} `) }).click()
      for (const act of otherActions) await measuredStudioActions[act]!(page)
      await clean()
    }
    // Objects held only weakly are freed by the second collection.
    for (let i = 0; i < 2; i++) await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    const code = await compiled(cdp)
    const { nodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters')
    kept.push({ things: (usedSize - code) / 2 ** 20, code: code / 2 ** 20, nodes, listeners })
    const [things, scripts] = [usedSize - code, code].map(bytes => (bytes / 2 ** 20).toFixed(1))
    console.log(`after ${minute + 1} min: ${things} MB and ${scripts} MB of compiled scripts, ${nodes} elements, ${listeners} listeners`)
  }
  return kept
}

/** Returns the bytes of compiled scripts: machine code, bytecode, and their feedback data. */
async function compiled(cdp: CDPSession) {
  const parts: string[] = []
  const hear = ({ chunk }: { chunk: string }) => parts.push(chunk)
  cdp.on('HeapProfiler.addHeapSnapshotChunk', hear)
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  cdp.off('HeapProfiler.addHeapSnapshotChunk', hear)
  const { snapshot, nodes } = JSON.parse(parts.join('')) as Snapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size, code] = [fields.indexOf('type'), fields.indexOf('self_size'), types[0]!.indexOf('code')]
  let bytes = 0
  for (let i = 0; i < nodes.length; i += fields.length) if (nodes[i + type] === code) bytes += nodes[i + size]!
  return bytes
}
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  nodes: number[]
}
