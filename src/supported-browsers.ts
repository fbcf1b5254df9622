/**
 * The oldest browsers that the pages work in. The build lowers syntax and styles to them (astro.config.mjs), a page says so to older ones
 * (src/layouts/BasePage.astro), and tests/browsers/supported.test.ts finds what they do not know.
 */
export const oldestBrowsers = { Safari: '16.4', Firefox: '115', Chrome: '111' } as const

/** In the words of the build; iPhones and Edge go with Safari and Chrome. */
export const buildTargets = [
  `safari${oldestBrowsers.Safari}`,
  `ios${oldestBrowsers.Safari}`,
  `firefox${oldestBrowsers.Firefox}`,
  `chrome${oldestBrowsers.Chrome}`,
  `edge${oldestBrowsers.Chrome}`,
]
