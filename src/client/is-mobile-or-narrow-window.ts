import { isMobileUserAgent } from '../mobile-user-agent.ts'

/** Whether this is a mobile device: its user agent says so, or the window is narrower than 768 px. */
export const isMobileOrNarrowWindow = () => isMobileUserAgent(navigator.userAgent) || innerWidth < 768
