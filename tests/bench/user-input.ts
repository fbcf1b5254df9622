import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'

/**
 * Simulates input without disturbing the measurement: Playwright's element search runs on the page's slowed-down main thread, so the
 * search finishes before the press, and none runs until the result of the press is on screen.
 */

/** The duration of a press, and the pause between two typed keys, in ms. */
const PRESS_MS = 60
/** The browser has presented the result of a press after this time, in ms. */
const PRESENTED_MS = 300
/** Whatever preceded a press has finished after this time, in ms. */
const SETTLE_MS = 60

const untilPresented = () => sleep(PRESENTED_MS)

/**
 * Returns the center of an element once it is visible, at rest and uncovered. Playwright would find out with a trial click, but that
 * also counts as a press, and its hit testing would be measured as the page's work.
 */
async function middleOf(thing: Locator) {
  for (;;) {
    await thing.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await thing.boundingBox())!
    const [left, top] = [x + width / 2, y + height / 2]
    const free = await thing.evaluate((its, [x, y]) => its.contains(document.elementFromPoint(x!, y!)), [left, top])
    if (free) return [left, top] as const
  }
}

export async function click(thing: Locator) {
  const page = thing.page()
  await page.mouse.move(...(await middleOf(thing)))
  await sleep(SETTLE_MS)
  await page.mouse.down()
  await sleep(PRESS_MS)
  await page.mouse.up()
  await untilPresented()
}

/** Presses a key on the focused element. */
export async function pressKey(page: Page, name: string) {
  await sleep(SETTLE_MS)
  await page.keyboard.press(name, { delay: PRESS_MS })
  await untilPresented()
}

/** Presses a key on the page itself, whatever had the focus. */
export async function blurAndPressKey(page: Page, name: string) {
  await page.evaluate('document.activeElement?.blur()')
  await pressKey(page, name)
}

export async function typeText(page: Page, text: string) {
  await sleep(SETTLE_MS)
  for (const letter of text) {
    await page.keyboard.press(letter)
    await sleep(PRESS_MS)
  }
  await untilPresented()
}

/** Presses the pointer at the first point, moves it along the others, and releases it. */
export async function drag(page: Page, [from, ...way]: (readonly [number, number])[]) {
  await page.mouse.move(...from!)
  await sleep(SETTLE_MS)
  await page.mouse.down()
  for (const point of way) await page.mouse.move(...point)
  await page.mouse.up()
  await untilPresented()
}
