import { describe, expect, test } from 'vitest'
import { emailProblem } from '../../../src/islands/landing/email-problem.ts'

describe('the email on the landing page', () => {
  test.each([
    ['a@b.', 'Please enter a valid email address'],
    ['player.example.com', 'Please enter a valid email address'],
    [`${'a'.repeat(250)}@b.co`, 'Email address is too long'],
    ['someone@GRR.la', 'Please use your regular email address'],
    ['  someone@example.com ', undefined],
    ['someone@notgrr.la', undefined],
  ])('%s gives: %s', (address, problem) => expect(emailProblem(address)).toBe(problem))
})
