import { MAX_SUPPORT_TEXT_LENGTH } from '../../modules/support/policy.ts'

const MIN_ANSWER_LENGTH = 10

/**
 * What is wrong with an answer in the support chat: a title for the toast, and a sentence for the toast and the field. Undefined if the
 * answer is acceptable.
 */
export function chatInputProblem(answer: string): { title: string; text: string } | undefined {
  if (answer.length < MIN_ANSWER_LENGTH)
    return { title: 'Input too short', text: `Please provide at least ${MIN_ANSWER_LENGTH} characters` }
  if (answer.length > MAX_SUPPORT_TEXT_LENGTH) return { title: 'Input too long', text: `At most ${MAX_SUPPORT_TEXT_LENGTH} characters` }
  return undefined
}
