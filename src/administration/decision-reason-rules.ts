import { MAX_DECISION_REASON_LENGTH } from '../../modules/policy.ts'

/** The rules of the `DecisionReason` schema, as options for React Hook Form's `register`. */
export const decisionReasonRules = {
  validate: (text: string) => text.trim().length >= 3 || 'Give a reason',
  maxLength: { value: MAX_DECISION_REASON_LENGTH, message: `At most ${MAX_DECISION_REASON_LENGTH} characters` },
}
