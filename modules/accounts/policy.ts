import { utcDayOf } from '../dates.ts'
import { hasHiddenCharacters } from '../deceptive-text.ts'

export const MIN_PLAYER_AGE = 13
/** Players under this age need a guardian's consent; instructors must be at least this old. */
export const ADULT_AGE = 18
/** How many days before a player's 18th birthday the player and the guardian get the letter about what changes. */
export const COMING_OF_AGE_NOTICE_DAYS = 30
export const MIN_PASSWORD_LENGTH = 8
export const LOGIN_SESSION_DAYS = 30
/** How long a browser counts as a known device after the last sign-in, and how many devices are remembered for each account. */
export const KNOWN_DEVICE_DAYS = 90
export const MAX_KNOWN_DEVICES_PER_ACCOUNT = 20
/** How long one-time links work, in minutes. */
export const EMAILED_LINK_MINUTES = {
  'reset-password': 60,
  guardian: 30 * 24 * 60,
  'family-sign-in': 60,
  /** The button in a letter to a guardian: it signs the guardian in and opens the page about the letter's subject. */
  'family-letter': 30 * 24 * 60,
  /** Proves that the guardian who asks to delete a child's account still has access to their email. */
  'child-deletion': 60,
  'confirm-email': 7 * 24 * 60,
  /** Confirms an account's new email address. */
  'change-email': 24 * 60,
  /** Restores the former email address, to which the letter with this link is sent. */
  'restore-email': 7 * 24 * 60,
  'admin-setup': 24 * 60,
  'admin-invitation': 7 * 24 * 60,
} as const

/** The age in whole years of somebody born on `born` (`YYYY-MM-DD`), on the UTC date of `day`. */
export function ageOn(born: string, day: Date): number {
  const [year, month, date] = born.split('-').map(Number) as [number, number, number]
  const before = day.getUTCMonth() + 1 < month || (day.getUTCMonth() + 1 === month && day.getUTCDate() < date)
  return day.getUTCFullYear() - year - (before ? 1 : 0)
}

/** The date (`YYYY-MM-DD`) of somebody's 18th birthday. For a birth date of February 29 it is March 1 in years without that day. */
export function dateOfAdulthood(born: string): string {
  const [year, month, date] = born.split('-').map(Number) as [number, number, number]
  return utcDayOf(new Date(Date.UTC(year + ADULT_AGE, month - 1, date)))
}

/** Whether a text is acceptable as a person's name. Names appear in letters to other people, so links and hidden characters are refused. */
export const isValidPersonName = (name: string) =>
  !hasHiddenCharacters(name) &&
  /^(?:[\p{L}\p{M}\p{N}\p{Zs}'’‘.,·-]|\u200c|\u200d)+$/u.test(name) &&
  /\p{L}/u.test(name) &&
  !/[^\s.]\.[^\s.,]{2,}/.test(name)
export const INVALID_NAME_MESSAGE = 'Enter a name: letters, spaces, hyphens and apostrophes'

/** Letters to players under 18 are held back between these hours of the day, in the family's time zone. */
export const MINORS_QUIET_HOURS_START = 20
export const MINORS_QUIET_HOURS_END = 8
