import { expect, test } from 'vitest'
import { payoutRequirementsText } from '../../src/payments/payout-requirements-text.ts'

test.each([
  [[], ''],
  [['configuration.recipient.default_outbound_destination'], 'a bank account'],
  [['external_account', 'individual.dob.day', 'individual.dob.month'], 'a bank account and your date of birth'],
  [
    ['identity.individual.given_name', 'identity.individual.surname', 'identity.individual.id_numbers.us_ssn_last_4', 'odd'],
    'your name, your Social Security number, and another detail',
  ],
])('the requirements %j are displayed as “%s”', (names, text) => {
  expect(payoutRequirementsText(names)).toBe(text)
})
