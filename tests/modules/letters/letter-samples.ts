import { accountLetterSamples } from './account-letter-samples.ts'
import { guardianLetterSamples } from './guardian-letter-samples.ts'
import type { LetterSamples } from './letter-sample-data.ts'
import { paymentLetterSamples } from './payment-letter-samples.ts'
import { sessionLetterSamples } from './session-letter-samples.ts'

/** Samples of every letter by a descriptive name, with the path to which its button leads. */
export const letterSamples: LetterSamples = {
  ...sessionLetterSamples,
  ...guardianLetterSamples,
  ...paymentLetterSamples,
  ...accountLetterSamples,
}
