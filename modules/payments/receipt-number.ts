import { DEFAULT_TIME_ZONE } from '../time-zone-default-and-validation.ts'

const day = new Intl.DateTimeFormat('en-US', { year: '2-digit', month: '2-digit', day: '2-digit', timeZone: DEFAULT_TIME_ZONE })

/** The receipt number of a payment: the day of the payment in the business's time zone, and the end of the payment's id. */
export function receiptNumber(payment: string, paid: string) {
  const part = Object.fromEntries(day.formatToParts(new Date(paid)).map(({ type, value }) => [type, value]))
  return `DL-${part.year}${part.month}${part.day}-${payment.slice(-8).toUpperCase()}`
}
