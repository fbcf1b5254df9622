/** The longest description, suggestion or answer of a support request, in characters. */
export const MAX_SUPPORT_TEXT_LENGTH = 5000
