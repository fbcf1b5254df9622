/** Days on the landing page's first places for an instructor who came with somebody's referral code. */
export const FEATURED_DAYS = 30

/** Characters of an invite code: none is mistaken for another. */
export const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
export const CODE_LENGTH = 8
/** Addresses that a profile had before and that lead to it for ever: nobody takes all names that others might want. */
export const MAX_FORMER_SLUGS = 10
