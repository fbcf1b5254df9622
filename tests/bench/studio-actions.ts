import type { Page } from '@playwright/test'
import { blurAndPressKey, click, drag, pressKey, typeText } from './user-input.ts'

type Act = (page: Page) => Promise<unknown>
const tool = (name: string): Act => {
  return page => click(page.getByTitle(name, { exact: true }))
}
const key = (name: string): Act => {
  return page => blurAndPressKey(page, name)
}
const press = (name: string | RegExp): Act => {
  return page => click(page.getByRole('button', { name }))
}
const tab = (name: string | RegExp): Act => {
  return page => click(page.getByRole('tab', { name }))
}

/** Turns drawing mode on, unless it is on already. Returns the button that turns it off. */
export async function enterDrawingMode(page: Page) {
  const stop = page.getByRole('button', { name: 'Stop drawing' })
  if (!(await stop.isVisible())) await blurAndPressKey(page, 'd')
  await stop.waitFor()
  return stop
}

/** Returns a function that maps a position on the stage, 0 to 1 across and down, to window coordinates. */
async function onPicture(page: Page) {
  const { x, y, width, height } = (await page.locator('[data-drawing-stage]').boundingBox())!
  return (across: number, down: number) => [x + width * across, y + height * down] as const
}

/** Draws a wave across the middle of the stage. */
export async function drawStroke(page: Page) {
  const at = await onPicture(page)
  await drag(
    page,
    Array.from({ length: 41 }, (_, i) => at(0.3 + i * 0.01, 0.5 + 0.1 * Math.sin(i / 3))),
  )
}

async function line(page: Page, [x, y]: readonly [number, number], to: readonly [number, number]) {
  const at = await onPicture(page)
  await drag(
    page,
    Array.from({ length: 13 }, (_, i) => at(x + ((to[0] - x) * i) / 12, y + ((to[1] - y) * i) / 12)),
  )
}

/** Scrubs along the strip and back to its middle as fast as a hand can. While the whole review is being watched, scrubs its timeline. */
export async function scrubFilmstrip(page: Page) {
  const box = (await page.getByRole('slider', { name: /^Position( in the review)?$/ }).boundingBox())!
  const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const
  await drag(page, [
    ...Array.from({ length: 21 }, (_, i) => at(0.1 + i * 0.04)),
    ...Array.from({ length: 10 }, (_, i) => at(0.86 - i * 0.04)),
  ])
}

/** Records a moment of speech and stops. The voice-over stays in the draft; studio-memory.ts deletes it. */
export async function recordVoiceOver(page: Page) {
  await blurAndPressKey(page, 'v')
  await page.locator('[data-recording=speaking]').waitFor()
  await blurAndPressKey(page, 'v')
  await page.locator('[data-recording]').waitFor({ state: 'detached' })
}

/** Switches to the comparison and back to the video; the first time it also chooses a clip, if there is one. */
export async function openAndCloseComparison(page: Page) {
  await blurAndPressKey(page, 'c')
  const choose = page.getByRole('region', { name: 'Choose a clip to compare with' }).locator('li button:enabled').first()
  const title = page.getByLabel('Title of the comparison')
  const none = page.getByText('This is your first clip from this player')
  await title.or(choose).or(none).first().waitFor()
  if (await choose.isVisible()) {
    await click(choose)
    await title.waitFor()
  }
  await blurAndPressKey(page, 'c')
  await page.getByRole('region', { name: /^Video / }).waitFor()
}

/** Actions in the studio, one at a time, each with a visible reaction. */
export const measuredStudioActions: Record<string, Act> = {
  'start drawing': enterDrawingMode,
  'draw a stroke': drawStroke,
  'take it back': key('Control+z'),
  'draw it again': key('Control+Shift+z'),
  'choose another tool': tool('Arrow'),
  'draw an arrow': page => line(page, [0.35, 0.75], [0.6, 0.75]),
  'choose the hand': tool('Select and move'),
  'move the arrow': page => line(page, [0.45, 0.75], [0.45, 0.65]),
  'delete it': async page => {
    await page.locator('[data-drawing-stage]').focus()
    await pressKey(page, 'Delete')
  },
  'choose a color': tool('Sky'),
  'take all of it back': async page => {
    for (let i = 0; i < 4; i++) await blurAndPressKey(page, 'Control+z')
  },
  'choose the pen': tool('Pen'),
  'stop drawing': press('Stop drawing'),
  play: key(' '),
  pause: key(' '),
  'ten frames on': key('Shift+.'),
  'make a note': async page => {
    await blurAndPressKey(page, 'm')
    await page.locator('textarea:focus').waitFor()
    await typeText(page, 'Hips first.')
    await pressKey(page, 'Escape')
  },
  'ten frames back': key('Shift+,'),
  'one frame on': key('.'),
  'play slower': key('2'),
  larger: key('+'),
  'all of it': key('0'),
  'go to a note': press(/^Go to note 2 /),
  'end it ten frames on': async page => {
    await blurAndPressKey(page, 'Shift+.')
    await press('End note 2 at the frame shown')(page)
  },
  'play it again and again': press('Loop this part'),
  'end that': async page => {
    await press('Stop looping this part')(page)
    await blurAndPressKey(page, 'k')
  },
  'look at the technique': tab('Technique'),
  'set a position': key('Shift+1'),
  'look at what was before': tab('Earlier'),
  'look at the summary': tab('Summary'),
  'give a grade': page => click(page.locator('label', { has: page.getByLabel(/^Hitting 55/) })),
  'take another': page => click(page.locator('label', { has: page.getByLabel(/^Hitting 60/) })),
  'look at the notes': tab(/^Notes/),
  'speak, and stop': recordVoiceOver,
  'open a comparison and close it': openAndCloseComparison,
}
