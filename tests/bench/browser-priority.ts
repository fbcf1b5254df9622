import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Browser } from '@playwright/test'

const FIRST = -19

/**
 * Gives a browser the machine before all else on it, where one may: the server, its database, the hands that press and whatever else runs
 * are on other computers when a person presses, and would be measured here as the page's. All processes of a browser are of one group.
 */
export async function prioritizeBrowser(browser: Browser) {
  const cdp = await browser.newBrowserCDPSession()
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  for (const { id } of processInfo) {
    try {
      setPriority(id, FIRST)
      writeFileSync(`/proc/${id}/autogroup`, String(FIRST))
    } catch {
      // Only an administrator of a Linux machine may.
    }
  }
  await cdp.detach()
}
