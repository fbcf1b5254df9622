import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Browser } from '@playwright/test'

const HIGHEST_PRIORITY = -19

/**
 * Gives a browser priority over all else on the machine, if permitted: in real use the server, the database and the input driver are on
 * other computers, and here their load would be measured as the page's. All processes of a browser belong to one process group.
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
