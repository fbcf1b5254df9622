import type { PageDriver } from './page-driver.ts'

/** The people of the journey, each in a browser window of their own. */
export interface JourneyPageDrivers {
  player: PageDriver
  instructor: PageDriver
  admin: PageDriver
}
/** Data of one run of the journey. */
export interface JourneyAccountsAndOptions {
  admin: { email: string; password: string }
  /** Has an administrator approve the instructor with this email, so that players find them. */
  approve: (email: string) => Promise<void>
  password: string
  /** Included in names and emails, to distinguish them from those of earlier runs. */
  stamp: string
  /** The last name of the instructor Rosa, different in each run of the journey. */
  last: string
  /** Whether the instructor's browser can record from a microphone. */
  microphone: boolean
}

/** A step of the main user journey: its name, and what people do on their pages. */
export type JourneyStep = [name: string, step: (people: JourneyPageDrivers, given: JourneyAccountsAndOptions) => Promise<void>]

/** The frames of `crack-240.mp4` that count as contact: the bat hits the ball at frame 151, and a decoder may be one frame off. */
export const ACCEPTED_CONTACT_FRAMES = [150, 151, 152]
