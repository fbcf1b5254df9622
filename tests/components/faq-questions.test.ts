import { expect, test } from 'vitest'
import { faqQuestions } from '../../src/components/faq-questions.ts'

test('the FAQ tells parents that they see everything on their family page', () => {
  expect(faqQuestions.find(q => q.id === 'age')!.answer).toContain('sees the rest on their family page')
})

test('the FAQ has ten questions with unique ids', () => {
  expect(faqQuestions).toHaveLength(10)
  expect(new Set(faqQuestions.map(q => q.id)).size).toBe(10)
})
