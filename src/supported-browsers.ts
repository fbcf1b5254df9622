/**
 * The oldest browsers in which the pages work. The build compiles syntax and styles for them (astro.config.mjs), each page tells users of
 * older ones (src/layouts/BasePage.astro), and tests/browsers/oldest-browser-compatibility.test.ts finds features that they do not support.
 */
export const oldestBrowsers = { Safari: '16.4', Firefox: '115', Chrome: '111' } as const

/** The same versions in the build tool's format. iPhones use Safari's version, and Edge uses Chrome's. */
export const esbuildTargets = [
  `safari${oldestBrowsers.Safari}`,
  `ios${oldestBrowsers.Safari}`,
  `firefox${oldestBrowsers.Firefox}`,
  `chrome${oldestBrowsers.Chrome}`,
  `edge${oldestBrowsers.Chrome}`,
]
