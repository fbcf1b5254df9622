/** `1 note`, `2 notes`. @param noun one whose plural ends in s */
export const countWithNoun = (n: unknown, noun: string) => (n === 1 ? `1 ${noun}` : `${Number(n)} ${noun}s`)

/** Created with the first amount, so that a screen without amounts starts sooner. */
let usd: Intl.NumberFormat | undefined
/** Integer cents as dollars, always with cents: 1500 → '$15.00'. */
export function formatCents(cents: number) {
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return usd.format(cents / 100)
}
