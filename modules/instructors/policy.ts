/** Days on the landing page's first places for an instructor who came with somebody's referral code. */
export const FEATURED_DAYS = 30

/** Characters of an invite code: none is mistaken for another. */
export const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const CODE_LENGTH = 8
