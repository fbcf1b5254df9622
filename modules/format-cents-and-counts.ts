/** `1 note`, `2 notes`. @param noun in the singular; its plural is formed with -s */
export const countWithNoun = (n: unknown, noun: string) => (n === 1 ? `1 ${noun}` : `${Number(n)} ${noun}s`)

/** Created on first use: `Intl.NumberFormat` is slow to construct, and many screens show no amounts. */
let usd: Intl.NumberFormat | undefined
/** Integer cents as dollars, always with cents: 1500 → '$15.00'. */
export function formatCents(cents: number) {
  usd ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return usd.format(cents / 100)
}
