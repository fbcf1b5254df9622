import type { Page } from '@playwright/test'

/** Presses Tab until the element with this role and name has the focus. @throws after 80 presses */
export async function tabTo(
  page: Page,
  role: 'textbox' | 'searchbox' | 'button' | 'link' | 'tab' | 'radio' | 'checkbox',
  name: string | RegExp,
) {
  const wanted = page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name })
  for (let i = 0; i < 80; i++) {
    if (await wanted.evaluateAll(all => all.includes(document.activeElement as HTMLElement | SVGElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${role} ${name}`)
}
