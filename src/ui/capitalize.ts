/** The word with a capital first letter. */
export const capitalize = (word: string) => word[0]!.toUpperCase() + word.slice(1)
