import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'

/**
 * Hands and nothing else: what finds a thing on the page runs on the page's own thread, slowed down as all of it, so it is over before the
 * press, and nothing is looked for until the press was seen.
 */

/** So long a press lasts, and the pause between two keys of somebody who types, ms. */
const PRESS = 60
/** By then a press was seen, ms. */
const SEEN = 300
/** What came before a press is over, ms. */
const REST = 60

const seen = () => sleep(SEEN)

/**
 * The middle of a thing, once it is in sight, at rest, and nothing lies over it. Not by a click on trial: that is a press, too, and its search
 * for what lies under it would be measured as the page's.
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
  await sleep(REST)
  await page.mouse.down()
  await sleep(PRESS)
  await page.mouse.up()
  await seen()
}

/** A key for what has the focus. */
export async function key(page: Page, name: string) {
  await sleep(REST)
  await page.keyboard.press(name, { delay: PRESS })
  await seen()
}

/** A key for the page itself, whatever was pressed before. */
export async function pageKey(page: Page, name: string) {
  await page.evaluate('document.activeElement?.blur()')
  await key(page, name)
}

export async function type(page: Page, text: string) {
  await sleep(REST)
  for (const letter of text) {
    await page.keyboard.press(letter)
    await sleep(PRESS)
  }
  await seen()
}

/** The pointer goes along these points, pressed. */
export async function drag(page: Page, [from, ...way]: (readonly [number, number])[]) {
  await page.mouse.move(...from!)
  await sleep(REST)
  await page.mouse.down()
  for (const point of way) await page.mouse.move(...point)
  await page.mouse.up()
  await seen()
}
