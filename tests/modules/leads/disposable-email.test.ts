import { expect, test } from 'vitest'
import { isDisposableEmail } from '../../../modules/leads/disposable-email.ts'
import { BLOCKED_EMAIL_DOMAINS, hasBlockedEmailDomain } from '../../../modules/leads/policy.ts'

test('disposable mailboxes are recognized, and ordinary ones are not', () => {
  for (const domain of BLOCKED_EMAIL_DOMAINS) expect([domain, isDisposableEmail(`a@${domain}`)]).toEqual([domain, true])
  for (const domain of ['gmail.com', 'outlook.com', 'icloud.com', 'yahoo.com', 'proton.me', 'notgrr.la', 'school.k12.ca.us']) {
    expect([domain, isDisposableEmail(`a@${domain}`)]).toEqual([domain, false])
  }
})

test('the landing page refuses a disposable domain after the last @', () => {
  expect(['a@grr.la', 'a@GRR.LA', '"a@b"@grr.la'].map(hasBlockedEmailDomain)).toEqual([true, true, true])
  expect(['grr.la@gmail.com', 'a@mail.grr.la', 'a@grr.la@gmail.com'].map(hasBlockedEmailDomain)).toEqual([false, false, false])
})
