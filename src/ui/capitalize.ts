/** A word as it stands at the beginning of a line: with a capital letter. */
export const capitalize = (word: string) => word[0]!.toUpperCase() + word.slice(1)
