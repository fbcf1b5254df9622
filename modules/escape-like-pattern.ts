const SPECIAL_CHARACTERS = /[\\%_]/g

/** Escapes the characters that have a meaning in an SQL `like` pattern, so that the text matches only itself. */
export const escapeLikePattern = (text: string): string => text.replaceAll(SPECIAL_CHARACTERS, '\\$&')
