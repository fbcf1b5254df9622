import { passesLuhn, type TestCard, testCardByNumber } from '../cards.ts'

/** The values of the card form as they were entered. */
export interface CardFormValues {
  number: string
  expiry: string
  cvc: string
  name: string
}
export type CardErrors = Partial<Record<keyof CardFormValues, string>>

export const emptyCardFormValues: CardFormValues = { number: '', expiry: '', cvc: '', name: '' }

export const cardFormValuesFrom = (form: URLSearchParams): CardFormValues => {
  const of = (name: keyof CardFormValues) => (form.get(name) ?? '').trim().slice(0, 100)
  return { number: of('number'), expiry: of('expiry'), cvc: of('cvc'), name: of('name') }
}

interface Card {
  test: TestCard
  expires: { month: number; year: number }
}

/** The test card, or the error of each invalid field. Numbers of other cards are refused and never stored. */
export function validateCardForm(given: CardFormValues, today = new Date()): { card?: Card; errors: CardErrors } {
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
  }
  return Object.keys(errors).length ? { errors } : { card: { test: test!, expires: { month, year } }, errors }
}
