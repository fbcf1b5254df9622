import { accountLetters } from './account-letter-samples.ts'
import { guardianLetters } from './guardian-letter-samples.ts'
import type { LetterSamples } from './letter-sample-data.ts'
import { paymentLetters } from './payment-letter-samples.ts'
import { sessionLetters } from './session-letter-samples.ts'

/** A sample of each letter by the name of its errand, with the URL of its button. */
export const letters: LetterSamples = { ...sessionLetters, ...guardianLetters, ...paymentLetters, ...accountLetters }
