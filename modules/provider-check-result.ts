/** What a check of a provider found. */
export interface ProviderCheckResult {
  /** The condition that should hold, as a sentence without a full stop. */
  check: string
  isTrue: boolean
  /** The condition is not required: if it does not hold, that is only worth knowing. */
  isNote?: true
  /** What to do if it does not hold. */
  advice: string
}
