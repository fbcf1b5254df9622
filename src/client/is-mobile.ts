import { isPhone } from '../phone-user-agent.ts'

/** Whether this is a mobile device: by its name, or narrower than 768 px. */
export const isMobile = () => isPhone(navigator.userAgent) || innerWidth < 768
