import { MAX_DECISION_REASON_LENGTH } from '../../modules/policy.ts'

/** `DecisionReason`'s rules for a form field, for `register` of React Hook Form. */
export const decisionReasonRules = {
  validate: (text: string) => text.trim().length >= 3 || 'Give a reason',
  maxLength: { value: MAX_DECISION_REASON_LENGTH, message: `At most ${MAX_DECISION_REASON_LENGTH} characters` },
}
