/**
 * The oldest browsers that the pages work in. The build lowers syntax and styles to them (astro.config.mjs), a page says so to older ones
 * (src/layouts/BasePage.astro), and tests/browsers/supported.test.ts finds what they do not know.
 */
export const oldest = { Safari: '16.4', Firefox: '115', Chrome: '111' } as const

/** In the words of the build; iPhones and Edge go with Safari and Chrome. */
export const target = [
  `safari${oldest.Safari}`,
  `ios${oldest.Safari}`,
  `firefox${oldest.Firefox}`,
  `chrome${oldest.Chrome}`,
  `edge${oldest.Chrome}`,
]
