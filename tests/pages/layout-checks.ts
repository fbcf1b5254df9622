import { expect, type Page } from '@playwright/test'
import { VIEWPORT_WIDTHS } from '../support/playwright-base-fixtures.ts'

/**
 * Expects, at each of VIEWPORT_WIDTHS, that the page does not scroll sideways and has one h1, and that buttons, links and fields outside of
 * paragraphs and list items are at least 44 px high, or 36 px where the page is 768 px or wider. At 390 px, also checks double-size text.
 */
export async function expectPageFitsAndTargetsAreLarge(page: Page) {
  for (const width of VIEWPORT_WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const found = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - innerWidth,
      headings: [...document.querySelectorAll('h1')].filter(h => h.checkVisibility()).length,
      small: [...document.querySelectorAll<HTMLElement>('button, a[href], input:not([type=checkbox], [type=radio], .sr-only), select')]
        .filter(e => e.checkVisibility() && e.tabIndex >= 0 && !e.closest('p, li, .sr-only') && e.getBoundingClientRect().height < 44)
        .filter(e => !e.classList.contains('sr-only'))
        .map(e => `${e.tagName} ${e.textContent?.trim().slice(0, 30)} ${e.getBoundingClientRect().height}`),
    }))
    // Small buttons are 44 px high on a phone, and 36 px on wider screens.
    const small = found.small.filter(s => width < 768 || Number(s.split(' ').at(-1)) < 36)
    expect({ ...found, small, width }).toEqual({ wide: 0, headings: 1, small: [], width })
    if (width === 390) await expectDoubleTextFits(page)
  }
}

/** Expects that the page, at its current width, does not overflow sideways with double-size text. */
export async function expectDoubleTextFits(page: Page) {
  const beside = await page.evaluate(() => {
    const { style } = document.documentElement
    style.fontSize = '200%'
    try {
      const over = document.documentElement.scrollWidth - innerWidth
      if (over <= 0) return null
      const right = (e: Element) => e.getBoundingClientRect().right
      const wide = [...document.querySelectorAll('body *')].filter(
        e => right(e) > innerWidth + 1 && ![...e.children].some(c => right(c) > innerWidth + 1),
      )
      return { over, at: wide.slice(0, 6).map(e => `${e.outerHTML.slice(0, 160)} … ${Math.round(right(e))}`) }
    } finally {
      style.fontSize = ''
    }
  })
  expect.soft(beside, page.url()).toBeNull()
}
