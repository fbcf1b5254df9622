import { expect, test } from 'vitest'
import { faqQuestions } from '../../src/components/faq-questions.ts'

test('the FAQ has ten questions with unique ids', () => {
  expect(faqQuestions).toHaveLength(10)
  expect(new Set(faqQuestions.map(q => q.id)).size).toBe(10)
})
