/** Whether a user agent is a phone or a tablet. The landing page has a variant for them. */
export const isMobileUserAgent = (userAgent: string) => /iPhone|iPad|iPod|Android/i.test(userAgent)
