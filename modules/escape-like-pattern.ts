const SPECIAL_CHARACTERS = /[\\%_]/g

/** Text with the characters escaped that mean something in a pattern of SQL's `like`, so that it matches only itself. */
export const escapeLikePattern = (text: string): string => text.replaceAll(SPECIAL_CHARACTERS, '\\$&')
