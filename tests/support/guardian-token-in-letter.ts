/** The token of a guardian's link in the text of a letter; undefined if the letter has none. */
export const guardianTokenIn = (letter: { text?: string } | undefined) => /\/guardian\/([\w-]{43})/.exec(letter?.text ?? '')?.[1]
