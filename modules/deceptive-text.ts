/**
 * Invisible characters that change how a text reads: controls, direction marks (U+202E turns "gpj.exe" around), zero-width spaces, and
 * letters without a glyph. The zero-width joiner and non-joiner are allowed, because Persian, several Indian scripts and many emoji need
 * them.
 */
const HIDDEN_CHARACTERS =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0001}]|\u034f/u

/** Whether the text has invisible characters that change how it reads. */
export const hasHiddenCharacters = (text: string) => HIDDEN_CHARACTERS.test(text)
export const withoutHiddenCharacters = (text: string) => text.replaceAll(new RegExp(HIDDEN_CHARACTERS, 'gu'), '')

/** Whether the text has a visible character: a letter, digit or sign, not only spaces, joiners and combining marks. */
export const hasVisibleCharacter = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(withoutHiddenCharacters(text))

/**
 * Whether a mail program would turn part of the text into a link, which could turn a name into an advertisement in our letters. Looks for
 * `://`, `www.`, or a dot as in `a.co` or `1.a2`. Chinese and Japanese full stops work in domain names as well.
 */
export const hasWebAddress = (text: string) => /:\/\/|www[.。．｡]|[\p{L}\p{N}-][.。．｡]\p{L}[\p{L}\p{N}-]/iu.test(text)

/** The longest first name, in characters, that a letter's subject shows to a recipient who may not know the named person. */
const MAX_PLAIN_FIRST_NAME_LENGTH = 20

/** Whether a letter's subject may show this first name: one or two words of letters. A longer text may be a message to the recipient. */
export const isPlainFirstName = (name: string) =>
  name.length <= MAX_PLAIN_FIRST_NAME_LENGTH && /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)?$/u.test(name)
