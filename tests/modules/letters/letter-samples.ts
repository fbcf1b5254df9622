import { accountLetterSamples } from './account-letter-samples.ts'
import { guardianLetterSamples } from './guardian-letter-samples.ts'
import type { LetterSamples } from './letter-sample-data.ts'
import { paymentLetterSamples } from './payment-letter-samples.ts'
import { sessionLetterSamples } from './session-letter-samples.ts'

/** A sample of each letter by the name of its errand, with the URL of its button. */
export const letterSamples: LetterSamples = {
  ...sessionLetterSamples,
  ...guardianLetterSamples,
  ...paymentLetterSamples,
  ...accountLetterSamples,
}
