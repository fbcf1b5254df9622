import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Browser } from '@playwright/test'

const HIGHEST_PRIORITY = -19

/**
 * Gives a browser priority over everything else on the machine, if permitted: in real use the server and the database run on other
 * computers, and no program drives the input; here their load would be measured as the page's. Linux may schedule by session (autogroup),
 * and then `nice` counts only within a session, so the session's value is set, too.
 */
export async function prioritizeBrowser(browser: Browser) {
  const cdp = await browser.newBrowserCDPSession()
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  for (const { id } of processInfo) {
    try {
      setPriority(id, HIGHEST_PRIORITY)
      writeFileSync(`/proc/${id}/autogroup`, String(HIGHEST_PRIORITY))
    } catch {
      // Only root on Linux may raise the priority.
    }
  }
  await cdp.detach()
}
