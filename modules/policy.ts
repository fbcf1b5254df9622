/** Longest reason that an administrator may give for a decision, in characters. */
export const MAX_DECISION_REASON_LENGTH = 500

/** The characters of invite and referral codes, without those that are easily mistaken for each other. */
export const READABLE_CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
