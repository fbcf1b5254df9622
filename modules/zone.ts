/** Whose day it is in a letter and on a receipt: that of most of our people. */
export const ZONE = 'America/New_York'
