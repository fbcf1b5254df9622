import { z } from 'zod'
import { MAX_DECISION_REASON_LENGTH } from './policy.ts'

/** The reason for an administrator's decision. The person it concerns can read it. */
export const DecisionReason = z
  .string('Give a reason')
  .trim()
  .min(3, 'Give a reason')
  .max(MAX_DECISION_REASON_LENGTH, `At most ${MAX_DECISION_REASON_LENGTH} characters`)
