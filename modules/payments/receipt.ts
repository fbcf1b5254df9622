/** Number of the receipt of a payment: the day it was paid (UTC) and the end of its id. */
export const receiptNumber = (payment: string, paid: string) =>
  `DL-${paid.slice(2, 10).replaceAll('-', '')}-${payment.replaceAll('-', '').slice(-8).toUpperCase()}`
