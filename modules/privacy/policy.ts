/** What is read in the place of a text whose key was destroyed. */
export const DELETED_TEXT = 'This text was deleted with the account it belonged to.'
/** What is read in the place of a text whose key is missing, or is not the one it was encrypted with. */
export const UNREADABLE_TEXT = 'This text cannot be read: its key is missing.'
