/** Days on the landing page's first places for an instructor who came with somebody's referral code. */
export const FEATURED_DAYS = 30
