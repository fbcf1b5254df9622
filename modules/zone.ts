/** Whose day it is in a letter and on a receipt: that of most of our people. */
export const BUSINESS_TIME_ZONE = 'America/New_York'
