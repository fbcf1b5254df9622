/** What a check of a provider found. */
export interface ProviderCheckResult {
  /** What should be true, as a sentence without a full stop. */
  check: string
  isTrue: boolean
  /** It is no failure where it is not true: only something to know. */
  isNote?: true
  /** What to do where it is not. */
  advice: string
}
