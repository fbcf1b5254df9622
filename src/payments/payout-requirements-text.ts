/** Readable labels for Stripe's requirements, such as `identity.individual.date_of_birth` (formerly `individual.dob.day`). */
const LABELS: [RegExp, string][] = [
  [/external_account|default_outbound_destination|payout|bank/, 'a bank account'],
  [/given_name|surname|first_name|last_name/, 'your name'],
  [/date_of_birth|dob/, 'your date of birth'],
  [/id_number|ssn/, 'your Social Security number'],
  [/address/, 'your address'],
  [/phone/, 'your phone number'],
  [/email/, 'your email address'],
  [/terms_of_service|tos_acceptance/, "your agreement to Stripe's terms"],
  [/document|verification/, 'a document that shows who you are'],
]
const OTHER_LABEL = 'another detail'

const list = new Intl.ListFormat('en-US', { type: 'conjunction' })

/**
 * Lists the requirements for use in a sentence, without duplicates: "your name, your date of birth, and a bank account"; '' if there are
 * none.
 */
export function payoutRequirementsText(requirements: string[]): string {
  const labels = requirements.map(name => LABELS.find(([pattern]) => pattern.test(name))?.[1] ?? OTHER_LABEL)
  return list.format([...new Set(labels)])
}
