import { isMobileOrNarrowWindow } from '../../client/is-mobile-or-narrow-window.ts'

/** Metadata about the visit and the browser that is sent with a lead. */
export const visitorMetadataForLead = (source: string) => ({
  source,
  timestamp: new Date().toISOString(),
  userAgent: navigator.userAgent,
  screenSize: `${screen.width}x${screen.height}`,
  referrer: document.referrer,
  pageLoadTime: Math.round(performance.now()),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: navigator.language,
  isMobile: isMobileOrNarrowWindow(),
})
