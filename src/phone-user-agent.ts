/** Whether a user agent is that of a phone or a tablet, for whom the landing page has a variant of its own. */
export const isPhone = (userAgent: string) => /iPhone|iPad|iPod|Android/i.test(userAgent)
