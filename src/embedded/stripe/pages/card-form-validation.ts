import { passesLuhn, type TestCard, testCardByNumber } from '../test-cards.ts'

/** The billing address as entered; `country` is a two-letter code. */
export interface BillingAddressValues {
  country: string
  line1: string
  city: string
  state: string
  postal: string
}
/** The values of the card form as they were entered. */
export interface CardFormValues extends BillingAddressValues {
  number: string
  expiry: string
  cvc: string
  name: string
}
export type CardErrors = Partial<Record<keyof CardFormValues, string>>

/** The countries that the form offers, and whether an address there has a state or province. */
export const billingCountries: Record<string, { name: string; hasState: boolean }> = {
  US: { name: 'United States', hasState: true },
  CA: { name: 'Canada', hasState: true },
  MX: { name: 'Mexico', hasState: true },
  DO: { name: 'Dominican Republic', hasState: false },
  GB: { name: 'United Kingdom', hasState: false },
  JP: { name: 'Japan', hasState: true },
  KR: { name: 'South Korea', hasState: true },
}

export const testBillingAddress: BillingAddressValues = {
  country: 'US',
  line1: '1 Home Plate Way',
  city: 'Springfield',
  state: 'IL',
  postal: '62701',
}
export const emptyCardFormValues: CardFormValues = {
  number: '',
  expiry: '',
  cvc: '',
  name: '',
  country: 'US',
  line1: '',
  city: '',
  state: '',
  postal: '',
}

export const cardFormValuesFrom = (form: URLSearchParams) =>
  Object.fromEntries(
    Object.keys(emptyCardFormValues).map(name => [name, (form.get(name) ?? '').trim().slice(0, 100)]),
  ) as unknown as CardFormValues

function validateBillingAddress({ country, line1, city, state, postal }: BillingAddressValues): CardErrors {
  const known = billingCountries[country]
  return {
    ...(!known && { country: 'Choose the country.' }),
    ...(!line1 && { line1: 'Enter the address.' }),
    ...(!city && { city: 'Enter the city.' }),
    ...(known?.hasState && !state && { state: 'Enter the state or province.' }),
    ...(country === 'US' && !/^\d{5}(-\d{4})?$/.test(postal) && { postal: 'Enter the ZIP code, as in 62701.' }),
    ...(country !== 'US' && !postal && { postal: 'Enter the postal code.' }),
  }
}

interface Card {
  test: TestCard
  expires: { month: number; year: number }
}

/**
 * Returns the test card, or an error for each invalid field. Any number that is not a test card's is rejected and never stored.
 * `needsAddress`: whether the form asks for the billing address.
 */
export function validateCardForm(
  given: CardFormValues,
  { needsAddress, today = new Date() }: { needsAddress: boolean; today?: Date },
): { card?: Card; errors: CardErrors } {
  const number = given.number.replace(/[\s-]/g, '')
  const test = testCardByNumber(number)
  const found = /^(\d{1,2})\s*\/?\s*(\d{2}|\d{4})$/.exec(given.expiry)
  const month = Number(found?.[1])
  const year = Number(found?.[2]) + (found?.[2]?.length === 2 ? 2000 : 0)
  const over = year * 12 + month < today.getUTCFullYear() * 12 + today.getUTCMonth() + 1
  const digits = test?.brand === 'amex' ? 4 : 3
  const errors: CardErrors = {
    ...(!number && { number: 'Enter the card number.' }),
    ...(number && !passesLuhn(number) && { number: 'Your card number is invalid.' }),
    ...(passesLuhn(number) && !test && { number: 'This is not a test card. Choose one from the list: real cards are not taken here.' }),
    ...((!found || month < 1 || month > 12) && { expiry: 'Enter the month and the year, as in 12 / 34.' }),
    ...(found && month >= 1 && month <= 12 && over && { expiry: 'Your card’s expiration date is in the past.' }),
    ...(!new RegExp(`^\\d{${digits}}$`).test(given.cvc) && { cvc: `Enter the ${digits === 4 ? 'four' : 'three'} digits.` }),
    ...(!given.name && { name: 'Enter the name on the card.' }),
    ...(needsAddress && validateBillingAddress(given)),
  }
  return Object.keys(errors).length ? { errors } : { card: { test: test!, expires: { month, year } }, errors }
}
