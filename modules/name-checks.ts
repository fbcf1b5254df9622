/**
 * Characters that nobody sees and that change how a text reads: controls, marks of direction (U+202E turns "gpj.exe" around), spaces without
 * width, and letters that are drawn as nothing. The two joiners are not among them: scripts of India and Persia and many emoji need them.
 */
const HIDDEN_CHARACTERS =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0001}]|\u034f/u

export const hasHiddenCharacters = (text: string) => HIDDEN_CHARACTERS.test(text)
export const withoutHiddenCharacters = (text: string) => text.replaceAll(new RegExp(HIDDEN_CHARACTERS, 'gu'), '')

/** Whether there is anything to see in it: a letter, a digit or a sign, beside spaces, joiners and marks that need a letter under them. */
export const hasVisibleCharacter = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(withoutHiddenCharacters(text))

/**
 * Whether a mail program would make a link of a part of it, by which a stranger's name becomes an advertisement in our letters: a scheme, a
 * `www.`, or a dot between a letter or digit and two letters. The dots of China and Japan lead to the same addresses.
 */
export const hasWebAddress = (text: string) => /:\/\/|www[.。．｡]|[\p{L}\p{N}-][.。．｡]\p{L}[\p{L}\p{N}-]/iu.test(text)

/** Longest first name that a stranger's inbox shows in a subject. */
const MAX_PLAIN_FIRST_NAME_LENGTH = 20

/** Whether it can be nothing but a first name: one word or two, of letters alone. Longer texts may be a message to whoever reads them. */
export const isPlainFirstName = (name: string) =>
  name.length <= MAX_PLAIN_FIRST_NAME_LENGTH && /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)?$/u.test(name)
