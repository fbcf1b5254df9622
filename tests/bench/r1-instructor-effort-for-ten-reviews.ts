import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { chromium, type Locator, type Page } from '@playwright/test'
import { findHeadlessChromium } from '../../scripts/find-browsers.mjs'
import { newInstructorInput } from '../api/test-server.ts'
import { startTestInstallation, type TestInstallation } from '../faults/test-installation.ts'
import { type ActionCountingDriver, createActionCountingDriver } from '../support/action-counting-driver.ts'
import { sampleVideos } from '../support/sample-media.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { FAKE_MICROPHONE_ARGS } from './demo-and-browser.ts'
import { uploadVideo } from './upload-video.ts'

const REVIEWS = 10
/** The most commands that one review may take; typed texts are counted separately. */
const MAX_COMMANDS = 14
/** What the recording bar shows after two seconds, when the benchmark ends the voice-over. */
const SPOKEN_TEXT = /0:02 \//

/** Assigns ten folders to the instructor, one after the other. */
async function fillQueue({ player, instructor, saveCard, newFolder }: TestInstallation) {
  const clip = await readFile(sampleVideos.mp4)
  await saveCard()
  for (let i = 1; i <= REVIEWS; i++) {
    const folder = await newFolder(`Evening ${i}`)
    await uploadVideo(player, folder, clip)
    const { total, atMost } = (await player.call('GET', `/api/folders/${folder}/quote`)).body
    const body = { assignment: randomUUID(), instructor: instructor.id, message: 'My hands, please.', seen: { total, atMost } }
    const { status } = await player.call('POST', `/api/folders/${folder}/assign`, body)
    if (status >= 300) throw new Error(`The folder was not assigned: ${status}`)
  }
}

const stageIsReady = async (page: Page) => {
  await page.locator('[data-sure=true]').first().waitFor({ state: 'attached', timeout: 240_000 })
  await page.locator('[data-saved=saved]').waitFor({ timeout: 60_000 })
}
const isFocused = (field: Locator) => field.and(field.page().locator(':focus')).waitFor()

/** Writes and delivers a review of three notes, a drawing, a voice-over, a summary, a goal and a grade with as few commands as possible. */
async function writeReview(page: Page, driver: ActionCountingDriver, isLast: boolean) {
  for (const [number, part] of [0.2, 0.5, 0.8].entries()) {
    await driver.doubleClickStrip(part)
    await isFocused(page.getByLabel(`Note ${number + 1}`, { exact: true }))
    await driver.type(`The hands drift before the foot is down, ${number + 1}.`)
  }
  await driver.key('Alt+d')
  const { x, y, width, height } = (await page.locator('[data-drawing-stage]').boundingBox())!
  await driver.stroke([x + width * 0.3, y + height * 0.4], [x + width * 0.6, y + height * 0.6])
  await driver.key('v')
  await page.locator('[data-recording=speaking]').filter({ hasText: SPOKEN_TEXT }).waitFor()
  await driver.key('v')
  await page.locator('[data-voice]').waitFor()
  await driver.key('s')
  await isFocused(page.getByRole('textbox', { name: 'Summary' }))
  await driver.type('Lead with the hands.')
  await driver.key('Tab')
  await driver.type('Ten swings off the tee')
  await driver.click(page.getByRole('radio', { name: 'Hitting 55, Above average' }))
  await driver.click(page.getByRole('button', { name: 'Deliver', exact: true }))
  await driver.click(page.getByRole('button', { name: isLast ? 'Deliver feedback' : 'Deliver and next' }))
}

/**
 * R1: an instructor works through an evening of ten reviews in the queue, from the click on its first row to the last delivery. Counts
 * commands and typed texts, and measures the time. A real instructor spends most of it thinking and talking; the product itself makes an
 * instructor wait only from a delivery until the next clip shows its first frame.
 */
export default async function measureInstructorEffortForTenReviews(): Promise<BenchmarkFigure[]> {
  const installation = await startTestInstallation({ DELIVERY_UNDO_SECONDS: '10' })
  const { server, instructor } = installation
  const browser = await chromium.launch({ executablePath: findHeadlessChromium(), args: FAKE_MICROPHONE_ARGS })
  try {
    await fillQueue(installation)
    const context = await browser.newContext({
      baseURL: server.url,
      extraHTTPHeaders: { origin: server.url },
      viewport: { width: 1440, height: 900 },
      permissions: ['microphone'],
    })
    const { password } = newInstructorInput() as { password: string }
    const login = await context.request.post('/api/login', { data: { username: instructor.email, password } })
    if (!login.ok()) throw new Error(`The instructor could not log in: ${login.status()}`)
    const isWaiting = async () => (await (await context.request.get('/api/queue')).json()).folders.length
    while ((await isWaiting()) < REVIEWS) await new Promise(resolve => setTimeout(resolve, 200))
    await context.addInitScript(() => localStorage.setItem('isLoggedIn', 'true'))
    const page = await context.newPage()
    await page.goto('/instructor/dashboard')
    const firstRow = page.getByRole('link', { name: /^Review: Evening 1 / })
    await firstRow.waitFor()

    const driver = createActionCountingDriver(page)
    const started = performance.now()
    const reviews: { commands: number; texts: number; wait: number }[] = []
    let delivered = started
    await driver.click(firstRow)
    for (let i = 1; i <= REVIEWS; i++) {
      const before = i === 1 ? { commands: 0, texts: 0 } : { commands: driver.commands(), texts: driver.texts() }
      if (i > 1) await page.getByRole('heading', { level: 1, name: new RegExp(`^Evening ${i}\\b`) }).waitFor()
      await stageIsReady(page)
      const wait = performance.now() - delivered
      await writeReview(page, driver, i === REVIEWS)
      delivered = performance.now()
      reviews.push({ commands: driver.commands() - before.commands, texts: driver.texts() - before.texts, wait })
    }
    await page.waitForURL('**/instructor/dashboard')
    const seconds = (performance.now() - started) / 1000
    const waits = reviews
      .slice(1)
      .map(r => r.wait / 1000)
      .sort((a, b) => a - b)
    const most = Math.max(...reviews.map(r => r.commands))
    const average = (what: 'commands' | 'texts') => reviews.reduce((sum, r) => sum + r[what], 0) / REVIEWS
    return [
      {
        id: 'R1',
        name: `most commands (keys, clicks, strokes) in one of ${REVIEWS} reviews`,
        value: most,
        unit: '',
        bar: MAX_COMMANDS,
        better: 'less',
      },
      { id: 'R1', name: 'commands per review, average', value: average('commands'), unit: '' },
      { id: 'R1', name: 'texts typed per review, average', value: average('texts'), unit: '' },
      { id: 'R1', name: 'the whole evening, with instant typing and 2 s of speech per review', value: seconds, unit: 's' },
      {
        id: 'R1',
        name: 'from a delivery to the next clip’s first picture, median',
        value: waits[Math.floor(waits.length / 2)]!,
        unit: 's',
      },
    ]
  } finally {
    await browser.close()
    await server.stop()
  }
}
