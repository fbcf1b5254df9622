import type { Page } from '@playwright/test'

type Act = (page: Page) => Promise<unknown>
const body = (page: Page) => page.locator('body')
const tool = (name: string): Act => {
  return page => page.getByTitle(name, { exact: true }).click()
}
const key = (name: string): Act => {
  return page => body(page).press(name)
}

/** Takes the pencil if nobody has it. */
export async function withPencil(page: Page) {
  const stop = page.getByRole('button', { name: 'Stop drawing' })
  if (!(await stop.isVisible())) await body(page).press('d')
  await stop.waitFor()
  return stop
}

/** Where a part of the picture is on the screen. */
async function onPicture(page: Page) {
  const { x, y, width, height } = (await page.locator('[data-easel]').boundingBox())!
  return (across: number, down: number) => [x + width * across, y + height * down] as const
}

/** A wave across the picture's middle. */
export async function stroke(page: Page) {
  const at = await onPicture(page)
  await page.mouse.move(...at(0.3, 0.5))
  await page.mouse.down()
  for (let i = 1; i <= 40; i++) await page.mouse.move(...at(0.3 + i * 0.01, 0.5 + 0.1 * Math.sin(i / 3)))
  await page.mouse.up()
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  const at = await onPicture(page)
  await page.mouse.move(...at(...from))
  await page.mouse.down()
  await page.mouse.move(...at(...to), { steps: 12 })
  await page.mouse.up()
}

/** Along the strip and back to its middle, as fast as a hand goes. */
export async function scrub(page: Page) {
  const box = (await page.getByRole('slider', { name: 'Position', exact: true }).boundingBox())!
  const at = (part: number) => [box.x + box.width * part, box.y + box.height / 2] as const
  await page.mouse.move(...at(0.1))
  await page.mouse.down()
  await page.mouse.move(...at(0.9), { steps: 20 })
  await page.mouse.move(...at(0.5), { steps: 10 })
  await page.mouse.up()
}

/** Speaks for a moment, and takes it back. */
export async function voice(page: Page) {
  await body(page).press('v')
  await page.locator('[data-recording=speaking]').waitFor()
  await body(page).press('v')
  await page.locator('[data-recording]').waitFor({ state: 'detached' })
}

/** The comparison of the studio, and back to the video; the first time a clip is chosen for it. */
export async function comparison(page: Page) {
  await body(page).press('c')
  const choose = page.getByRole('region', { name: 'Choose a clip to compare with' }).locator('li button:enabled').first()
  const title = page.getByLabel('Title of the comparison')
  const none = page.getByText('This is the first clip of this player')
  await title.or(choose).or(none).first().waitFor()
  if (await choose.isVisible()) {
    await choose.click()
    await title.waitFor()
  }
  await body(page).press('c')
  await page.getByRole('region', { name: /^Video / }).waitFor()
}

/** What hands do in the studio, one thing after the other, each a reaction one waits for. */
export const studioActs: Record<string, Act> = {
  'take the pencil': withPencil,
  'draw a stroke': stroke,
  'take it back': key('Control+z'),
  'draw it again': key('Control+Shift+z'),
  'choose another tool': tool('Arrow'),
  'draw an arrow': page => drag(page, [0.35, 0.75], [0.6, 0.75]),
  'choose the hand': tool('Select and move'),
  'move the arrow': page => drag(page, [0.45, 0.75], [0.45, 0.65]),
  'delete it': page => page.locator('[data-easel]').press('Delete'),
  'choose a color': tool('Sky'),
  'take all of it back': async page => {
    for (let i = 0; i < 4; i++) await body(page).press('Control+z')
  },
  'choose the pen': tool('Pen'),
  'put the pencil away': page => page.getByRole('button', { name: 'Stop drawing' }).click(),
  play: key(' '),
  pause: key(' '),
  'ten frames on': key('Shift+.'),
  'make a note': async page => {
    await body(page).press('m')
    await page.keyboard.type('Hips first.', { delay: 30 })
    await page.keyboard.press('Escape')
  },
  'ten frames back': key('Shift+,'),
  'one frame on': key('.'),
  'play slower': key('2'),
  larger: key('+'),
  'all of it': key('0'),
  'go to a note': page => page.getByRole('button', { name: /^Go to note 2 / }).click(),
  'end it ten frames on': async page => {
    await body(page).press('Shift+.')
    await page.getByRole('button', { name: 'End note 2 at the frame shown' }).click()
  },
  'play it again and again': page => page.getByRole('button', { name: 'Play this part again and again' }).click(),
  'end that': async page => {
    await page.getByRole('button', { name: 'Stop playing this part again' }).click()
    await body(page).press('k')
  },
  'look at the technique': page => page.getByRole('tab', { name: 'Technique' }).click(),
  'set a position': key('Shift+1'),
  'look at what was before': page => page.getByRole('tab', { name: 'Before' }).click(),
  'look at the summary': page => page.getByRole('tab', { name: 'Summary' }).click(),
  'give a grade': page => page.getByLabel(/^Hitting 55/).click(),
  'take another': page => page.getByLabel(/^Hitting 60/).click(),
  'look at the notes': async page => {
    await page.getByRole('tab', { name: /^Notes/ }).click()
    await page.locator('textarea:focus').waitFor()
    // The cursor is in the note that was made last: keys are the stage's again.
    await page.keyboard.press('Escape')
  },
  'speak, and stop': voice,
  'open a comparison and close it': comparison,
}
