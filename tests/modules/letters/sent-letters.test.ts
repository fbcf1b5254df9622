import { expect, test } from 'vitest'
import { MailError } from '../../../modules/letters/resend-mailer.ts'
import { letterErrandTestbed, makeRecipient } from './letter-errand-testbed.ts'

const guardian = { id: 'maria', name: 'Maria', email: 'maria@example.com' }
const feedback = { folder: 'f1', assignment: 'a1' }

test('the letters to a player and to the guardian are recorded as sent', async () => {
  const t = letterErrandTestbed({ person: async id => ({ ...makeRecipient(id), guardian }) })
  await t.run('feedback-given', feedback)
  expect(t.recorded).toEqual(['e1', 'e1-guardian'])
})

test('if one of two letters fails, only the other is recorded as sent', async () => {
  const t = letterErrandTestbed({ person: async id => ({ ...makeRecipient(id), guardian }) }, ({ to }) => {
    if (to !== guardian.email) throw new MailError('no', { temporary: true, code: 'application_error' })
  })
  await expect(t.run('feedback-given', feedback)).rejects.toThrow('no')
  expect(t.recorded).toEqual(['e1-guardian'])
})

test('an obsolete letter is not recorded as sent', async () => {
  const t = letterErrandTestbed({ session: async () => null })
  await t.run('feedback-given', feedback)
  expect([t.sent, t.recorded]).toEqual([[], []])
})
