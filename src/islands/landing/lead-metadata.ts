import { isMobile } from '../../client/mobile.ts'

/** What a lead tells about the visit. */
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
