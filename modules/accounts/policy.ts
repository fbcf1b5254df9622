import { hasHiddenCharacters } from '../name-checks.ts'

/** Business limits of accounts. */
export const MINIMUM_AGE = 13
/** Under this age a guardian must agree; instructors must have reached it. */
export const ADULT_AGE = 18
/** How long before their 18th birthday a player and their guardian are told what changes. */
export const COMING_OF_AGE_NOTICE_DAYS = 30
export const MIN_PASSWORD_LENGTH = 8
export const SESSION_DAYS = 30
/** How long a browser that somebody signed in from is known again, and how many of them for each account. */
export const DEVICE_DAYS = 90
export const MAX_DEVICES_PER_ACCOUNT = 20
/** How long one-time links work, in minutes. */
export const LINK_MINUTES = {
  'reset-password': 60,
  guardian: 30 * 24 * 60,
  'family-sign-in': 60,
  /** In letters that a guardian gets about a child: the button signs in and opens what the letter is about. */
  'family-letter': 30 * 24 * 60,
  'confirm-email': 7 * 24 * 60,
  /** Confirms the new address of an account. */
  'change-email': 24 * 60,
  /** In the letter to the former address: brings it back. */
  'restore-email': 7 * 24 * 60,
  'admin-setup': 24 * 60,
  'admin-invitation': 7 * 24 * 60,
} as const

/** Whole years between a birthday (`YYYY-MM-DD`) and a day. */
export function ageOn(born: string, day: Date): number {
  const [year, month, date] = born.split('-').map(Number) as [number, number, number]
  const before = day.getUTCMonth() + 1 < month || (day.getUTCMonth() + 1 === month && day.getUTCDate() < date)
  return day.getUTCFullYear() - year - (before ? 1 : 0)
}

/** The day (`YYYY-MM-DD`) on which somebody turns 18. Who was born on February 29 does so on March 1 where there is no such day. */
export function dateOfAdulthood(born: string): string {
  const [year, month, date] = born.split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year + ADULT_AGE, month - 1, date)).toISOString().slice(0, 10)
}

/** What a person may be called: it stands in letters to others, where nothing else is to be read or to be pressed. */
export const isName = (name: string) =>
  !hasHiddenCharacters(name) &&
  /^(?:[\p{L}\p{M}\p{N}\p{Zs}'’‘.,·-]|\u200c|\u200d)+$/u.test(name) &&
  /\p{L}/u.test(name) &&
  !/[^\s.]\.[^\s.,]{2,}/.test(name)
export const INVALID_NAME_MESSAGE = 'Enter a name: letters, spaces, hyphens and apostrophes'

/** From and until which hour of the day letters to players under 18 wait. */
export const QUIET_FROM_HOUR = 20
export const QUIET_UNTIL_HOUR = 8
