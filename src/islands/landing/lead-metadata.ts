import { isMobile } from '../../client/is-mobile.ts'

/** What is sent along with a lead about the visit and its browser. */
export const leadMetadata = (source: string) => ({
  source,
  timestamp: new Date().toISOString(),
  userAgent: navigator.userAgent,
  screenSize: `${screen.width}x${screen.height}`,
  referrer: document.referrer,
  pageLoadTime: Math.round(performance.now()),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: navigator.language,
  isMobile: isMobile(),
})
