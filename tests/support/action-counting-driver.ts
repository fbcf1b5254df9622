import type { Locator, Page } from '@playwright/test'

/**
 * Performs and counts a coach's actions: a key, a click, a double click and a stroke are one command each, and a typed text is one text.
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
    /** A double click on the strip of frames, `part` of its width from the left. */
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
