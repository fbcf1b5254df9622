/** What a check of `npm run doctor` found. */
export interface DoctorCheckResult {
  /** The condition that should hold, as a sentence without its final period. */
  check: string
  isTrue: boolean
  /** Set for an optional condition: if it does not hold, the report shows a note instead of a failure. */
  isNote?: true
  /** What to do if it does not hold. */
  advice: string
}
