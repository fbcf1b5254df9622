import type { Locator, Page } from '@playwright/test'

/**
 * Performs an instructor's actions and counts them: each key press, click, double click and stroke is one command; each typed string is one
 * text.
 */
export function createActionCountingDriver(page: Page) {
  let commands = 0
  let texts = 0
  const counted = async (action: Promise<unknown>) => {
    await action
    commands++
  }
  return {
    commands: () => commands,
    texts: () => texts,
    key: (key: string) => counted(page.keyboard.press(key)),
    click: (what: Locator) => counted(what.click()),
    async type(text: string) {
      await page.keyboard.type(text)
      texts++
    },
    /** Double-clicks the strip of frames; `part`: the distance from its left edge, as a fraction of its width. */
    async doubleClickStrip(part: number) {
      const slider = page.getByRole('slider', { name: 'Position' })
      const { width, height } = (await slider.boundingBox())!
      await counted(slider.dblclick({ position: { x: width * part, y: height / 2 } }))
    },
    stroke: (from: [number, number], to: [number, number]) =>
      counted(
        (async () => {
          await page.mouse.move(...from)
          await page.mouse.down()
          await page.mouse.move(...to, { steps: 6 })
          await page.mouse.up()
        })(),
      ),
  }
}
export type ActionCountingDriver = ReturnType<typeof createActionCountingDriver>
