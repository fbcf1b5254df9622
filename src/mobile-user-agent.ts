/** Whether a user agent names a phone or a tablet. An iPad that requests desktop sites, as it does by default, names a Mac instead. */
export const isMobileUserAgent = (userAgent: string) => /iPhone|iPad|iPod|Android/i.test(userAgent)
