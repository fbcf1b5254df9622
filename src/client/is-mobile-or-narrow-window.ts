import { isMobileUserAgent } from '../mobile-user-agent.ts'

export const isMobileOrNarrowWindow = () => isMobileUserAgent(navigator.userAgent) || innerWidth < 768
