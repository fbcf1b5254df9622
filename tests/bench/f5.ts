import { randomUUID } from 'node:crypto'
import type { CDPSession, Page } from '@playwright/test'
import { v7 } from 'uuid'
import { headlessChromium } from '../../scripts/chromium.mjs'
import type { Figure } from './figure.ts'
import { settled, watch } from './interactions.ts'
import { median } from './load.ts'
import { type Visitors, visitors } from './visitors.ts'

const STROKES = 200
const NOTES = 50
const VOICES = 3
const slower = 4
const rounds = 3
/** How long somebody goes on working while the memory is looked at. */
const minutes = Number(process.env.MINUTES ?? 3)

/**
 * F5: a full review in the studio: 200 strokes, all on the frame that is shown, 50 notes and three voice-overs. From a key or a pointer to
 * the next frame at a quarter of this machine's speed while one draws, scrubs and types; and what all of it keeps in memory.
 */
export default async function f5(): Promise<Figure[]> {
  const site = await visitors(headlessChromium())
  try {
    const { path, bytes } = await full(site)
    const context = await site.browser.newContext({ ...(await site.signedIn('instructor')), viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.addInitScript(watch)
    await page.goto(path)
    await page.locator('[data-saved=saved]').waitFor()
    await page.waitForLoadState('networkidle')
    const cdp = await context.newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
    const took: Record<string, number[]> = {}
    for (let round = 0; round < rounds; round++) {
      for (const [name, act] of Object.entries(acts)) {
        await act(page)
        took[name] = [...(took[name] ?? []), Math.max(16, await page.evaluate(settled))]
      }
    }
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    const heap = await overTime(page, cdp)
    await context.close()
    return [
      ...Object.entries(took).map(
        ([name, values]): Figure => ({
          id: 'F5',
          name: `slowest event while one ${name}`,
          value: median(values),
          unit: 'ms',
          bar: 50,
          better: 'less',
        }),
      ),
      {
        id: 'F5',
        name: `memory after ${minutes} minutes of it, against after the first`,
        value: heap.at(-1)! / heap[0]!,
        unit: '×',
        bar: 1.2,
        better: 'less',
      },
      { id: 'F5', name: 'memory of the page then', value: heap.at(-1)!, unit: 'MB' },
      {
        id: 'F5',
        name: `a review of ${STROKES} strokes, ${NOTES} notes and ${VOICES} voice-overs without their sound`,
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

const acts: Record<string, (page: Page) => Promise<unknown>> = {
  draws: async page => {
    const stop = page.getByRole('button', { name: 'Stop drawing' })
    if (!(await stop.isVisible())) await page.locator('body').press('d')
    await stop.waitFor()
    const { x, y, width, height } = (await page.locator('[data-easel]').boundingBox())!
    await page.mouse.move(x + width * 0.3, y + height * 0.5)
    await page.mouse.down()
    for (let i = 1; i <= 40; i++) await page.mouse.move(x + width * (0.3 + i * 0.01), y + height * (0.5 + 0.1 * Math.sin(i / 3)))
    await page.mouse.up()
    await page.locator('body').press('Control+z')
    await stop.click()
    await stop.waitFor({ state: 'detached' })
  },
  scrubs: async page => {
    const line = page.getByRole('slider', { name: 'Position' })
    await line.focus()
    for (let i = 0; i < 20; i++) await page.keyboard.press(i < 10 ? 'ArrowRight' : 'ArrowLeft')
  },
  types: async page => {
    await page.getByLabel('Note 1', { exact: true }).click()
    await page.keyboard.type(' Stay back on it.', { delay: 30 })
    await page.keyboard.press('Escape')
  },
}

/** Works on until the time is over; MB in use after each minute, with what can go gone. */
async function overTime(page: Page, cdp: CDPSession): Promise<number[]> {
  const heap: number[] = []
  for (let minute = 0; minute <= minutes; minute++) {
    const end = Date.now() + 60_000
    while (Date.now() < end) for (const act of Object.values(acts)) await act(page)
    await page.getByLabel('Note 1', { exact: true }).fill('Stay back.')
    // Keys are the stage's again.
    await page.keyboard.press('Escape')
    await cdp.send('HeapProfiler.collectGarbage')
    heap.push((await cdp.send('Runtime.getHeapUsage')).usedSize / 2 ** 20)
    console.log(`after ${minute + 1} min: ${heap.at(-1)!.toFixed(1)} MB`)
  }
  return heap
}

/** A full draft in the demo instructor's review, and what it takes, bytes. */
async function full({ browser, signedIn, url }: Visitors) {
  const context = await browser.newContext({ ...(await signedIn('instructor')), extraHTTPHeaders: { origin: url } })
  const get = async (path: string) => (await context.request.get(path)).json()
  const { folders } = await get('/api/queue')
  const { id, assignment } = folders.find((f: { status: string }) => f.status === 'assigned' || f.status === 'in-review')
  const of = `session=${assignment}`
  await context.request.post(`/api/folders/${id}/review?${of}`)
  let clips: { id: string }[] = []
  while (!clips.length) clips = (await get(`/api/folders/${id}?${of}`)).session?.clips ?? []
  const draft = written(clips[0]!.id)
  const { revision } = await get(`/api/folders/${id}/draft?${of}`)
  const saved = await context.request.put(`/api/folders/${id}/draft?${of}`, { data: { revision, draft } })
  if (!saved.ok()) throw new Error(`The draft was not taken: ${saved.status()} ${await saved.text()}`)
  await context.close()
  return { path: `/instructor/folder/${id}?${of}`, bytes: JSON.stringify(draft).length }
}

function written(video: string) {
  const stroke = (i: number) => ({
    ...{ id: v7(), tool: 'pen', color: i % 4, width: 45, from: 0, hold: 600, fade: 15 },
    // As long as a swing drawn around, after what it does not take is left out.
    p: [
      1500 + ((i * 37) % 2000),
      1500 + ((i * 53) % 2000),
      ...Array.from({ length: 58 }, (_, j) => [60 + (j % 7), 40 - ((i + j) % 9)]).flat(),
    ],
  })
  const voices = Array.from({ length: VOICES }, (_, i) => ({
    ...{ id: randomUUID(), video, frame: i, milliseconds: 60_000, bytes: 240_000, type: 'audio/webm' },
    actions: Array.from({ length: 200 }, (_, j) => [j * 300, 'seek', j % 40]),
  }))
  const notes = Array.from({ length: NOTES }, (_, i) => ({
    ...{ id: v7(), video, at: i * 17, frame: i % 30, kind: ['technique', 'tip', 'drill', 'praise'][i % 4] },
    text: `Note ${i + 1}: the front foot is down before the hands start.`,
    shapes: Array.from({ length: STROKES / NOTES }, (_, j) => stroke(i * 4 + j)),
    ...(i < VOICES && { voice: voices[i]!.id }),
  }))
  return { notes, summary: 'All of it.', grades: [], voices }
}
