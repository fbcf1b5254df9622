import { expect, test } from 'vitest'
import { NewSupportRequest } from '../../modules/support/contract.ts'
import { MAX_SUPPORT_TEXT_LENGTH } from '../../modules/support/policy.ts'
import { chatInputProblem } from '../../src/chat/chat-input-problem.ts'

test('the support chat accepts exactly the descriptions that the server accepts', () => {
  const serverTakes = (content: string) => NewSupportRequest.safeParse({ requestType: 'issue', content }).success
  for (const length of [9, 10, MAX_SUPPORT_TEXT_LENGTH, MAX_SUPPORT_TEXT_LENGTH + 1]) {
    const text = 'a'.repeat(length)
    expect(!chatInputProblem(text)).toBe(serverTakes(text))
  }
  expect(chatInputProblem('a'.repeat(6000))).toEqual({ title: 'Input too long', text: 'At most 5000 characters' })
})
