/** A word as it stands at the beginning of a line: with a capital letter. */
export const title = (word: string) => word[0]!.toUpperCase() + word.slice(1)
