/** What a check of a provider found. */
export interface ProviderFinding {
  /** What should be true, as a sentence without a full stop. */
  check: string
  isTrue: boolean
  /** What to do where it is not. */
  advice: string
}
