/** Whose day it is in a letter and on a receipt: that of most of our people. */
export const BUSINESS_TIME_ZONE = 'America/New_York'

export function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
