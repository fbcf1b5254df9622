import { expect, test } from 'vitest'
import { BLOCKED_EMAIL_DOMAINS, hasBlockedEmailDomain } from '../../../modules/leads/blocked-email-domains.ts'
import { isDisposableEmail } from '../../../modules/leads/disposable-email.ts'

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
