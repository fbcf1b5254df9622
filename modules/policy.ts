/** Longest reason that an administrator gives for a decision, in characters. */
export const MAX_DECISION_REASON_LENGTH = 500
